/// Starting and ending things that consist of parts: started one after the other, ended in reverse
/// order, and ended too when a later one does not start; work that is to stop because nobody wants
/// it any more; and the ports of parts that are to be known before they begin.
@NullMarked
package org.quiredb.common.lifecycle;

import org.jspecify.annotations.NullMarked;
