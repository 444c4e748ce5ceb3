/// How write sets come into a replica, and what it knows of how far along it is.
///
/// A group thread only puts what arrives into a bounded queue. One intake thread takes it out,
/// decodes and checks it, hands page operations to the page store, where they wait for a reader,
/// applies counters and schema changes, and then lets {@link org.quiredb.replica.intake.Progress}
/// advance, on which readers wait. When the queue is empty it acknowledges each class once,
/// cumulatively.
///
/// At the bound: while the replica serves, a full queue holds the group's thread back and so the
/// sender, through the group's flow control. While it still joins, a full queue makes it give up
/// joining, and the sender goes on.
///
/// Invariant: a class's write sets are taken in without gaps, and none of an epoch older than the
/// newest seen. Whoever breaks that is not taken in, and the replica stops serving.
///
/// Lock order: a master's commit sequence, then Progress, then a page.
@NullMarked
package org.quiredb.replica.intake;

import org.jspecify.annotations.NullMarked;
