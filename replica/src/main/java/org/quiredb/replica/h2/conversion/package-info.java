/// MySQL's conversions: how a column takes a value in strict mode, how values are written where a
/// text is wanted, and JSON as a column keeps it.
///
/// Invariant: what is not known to be converted as MySQL does it is refused, never guessed.
///
/// Threads: any; a text of a moment hangs on the statement in force. By example: JsonTextTest.
@NullMarked
package org.quiredb.replica.h2.conversion;

import org.jspecify.annotations.NullMarked;
