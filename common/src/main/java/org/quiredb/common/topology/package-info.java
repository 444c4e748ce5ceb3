/// Who is what in the tier, and how that changes: a record in the backend and pure decisions over
/// it.
///
/// {@link org.quiredb.common.topology.Topology} is the record; it changes by compare-and-set from
/// one epoch to the next. {@link org.quiredb.common.topology.Succession} runs in every replica: it
/// is told of members, standings and topologies, and says what its replica is to do, so that the
/// same messages lead to the same heir everywhere. It has no thread, clock or socket.
///
/// Invariant: every in-sync member of the stored topology holds every stable commit. A member is
/// therefore waited for before it is added, and until after it is removed.
///
/// Source: Dynamic Multiversioning, section 4; unlike it, what any survivor has received is rolled
/// forward. By example: SuccessionTest, SuccessionWalkTest; docs/availability.md tells the whole.
@NullMarked
package org.quiredb.common.topology;

import org.jspecify.annotations.NullMarked;
