/// How write sets come into a replica, and what it knows of how far along it is.
///
/// {@link org.quiredb.replica.intake.Intake} decides; {@link
/// org.quiredb.replica.intake.StreamIntake} is its threaded edge. A group thread only puts what
/// arrives into a bounded queue. One intake thread takes it out, decodes and checks it, hands page
/// operations to the page store, where they wait for a reader, applies counters and schema changes,
/// and then lets {@link org.quiredb.replica.intake.Progress} advance, on which readers wait. When
/// the queue is empty it acknowledges each class once, cumulatively.
///
/// Topologies and the end of a stream go through the same queue, so that they have their place
/// among the write sets. What was taken in last is kept, for replicas that miss it when their
/// master is lost.
///
/// Parts of tables that the next commit makes come before it ({@link
/// org.quiredb.replica.intake.TableParts}), and go into the page store at once.
///
/// At the bound: a full queue ends this life of the replica, whether it serves or still joins. The
/// group's thread is never held back, so the sender goes on.
///
/// Invariant: a class's write sets are taken in without gaps; none of an epoch older than the
/// present master's term or of a stream that was closed, but those that a new master hands over. A
/// gap ends this life of the replica.
///
/// Lock order: a master's commit sequence, then Progress, then a page.
@NullMarked
package org.quiredb.replica.intake;

import org.jspecify.annotations.NullMarked;
