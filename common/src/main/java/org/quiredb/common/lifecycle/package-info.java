/// Starting and ending things that consist of parts: started one after the other, ended in reverse
/// order, and ended too when a later one does not start.
@NullMarked
package org.quiredb.common.lifecycle;

import org.jspecify.annotations.NullMarked;
