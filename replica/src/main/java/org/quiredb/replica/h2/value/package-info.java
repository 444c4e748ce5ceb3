/// H2's values: as the protocol has them, as MySQL shows them, and as the numbers and bytes that
/// rows and keys hold.
///
/// H2 has no dates of zeroes, no times beyond a day and no zero with a minus; values of H2's stand
/// for them that it hands on as they are.
///
/// Invariant: a value that was stored and is read again is the same value. Threads: any; nothing
/// here has a state. By example: UuidsTest.
@NullMarked
package org.quiredb.replica.h2.value;

import org.jspecify.annotations.NullMarked;
