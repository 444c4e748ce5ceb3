/// Who is what in the tier, and how that changes: a record in the backend and pure decisions over
/// it.
///
/// {@link org.quiredb.common.topology.Topology} is the record; it changes by compare-and-set from
/// one epoch to the next. Every conflict class has its own master, term, commit order and stream; a
/// replica is master of some classes and slave of the others. One member is the *leader*: it is
/// master of every class that has no master of its own, so of new ones too, and lets members in and
/// out. A class goes to another master when its own is lost, or when it hands it over.
///
/// {@link org.quiredb.common.topology.Succession} runs in every replica: it is told of members,
/// standings and topologies, and says what its replica is to do, so that the same messages lead to
/// the same heir everywhere. What lost members were master of is taken over by one heir in one
/// change; the streams and terms of all other classes go on. It has no thread, clock or socket.
///
/// Invariant: every in-sync member of the stored topology holds every stable commit of every class.
/// A member is therefore waited for by every master before it is added, and until after it is
/// removed. A master that waits for one that enters does so in one epoch: it may stop when the
/// epoch has moved on, and only then, and the change that adds a member starts from the epoch in
/// which all masters have said that they wait.
///
/// Source: Dynamic Multiversioning, section 4; unlike it, what any survivor has received is rolled
/// forward. By example: SuccessionTest, SuccessionWalkTest; docs/availability.md tells the whole.
@NullMarked
package org.quiredb.common.topology;

import org.jspecify.annotations.NullMarked;
