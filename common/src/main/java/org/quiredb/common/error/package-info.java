/// The errors that clients see.
@NullMarked
package org.quiredb.common.error;

import org.jspecify.annotations.NullMarked;
