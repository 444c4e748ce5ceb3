/// A replica's place in the topology while it runs: {@link org.quiredb.master.role.Role} carries
/// out what {@link org.quiredb.common.topology.Succession} decides, {@link
/// org.quiredb.master.role.RoleKeeper} is its threaded edge.
///
/// One thread takes events (the group's members, topologies, standings, replicas that enter, time),
/// lets the state machine decide and carries out what it says: it closes streams, hands write sets
/// over, asks the backend for the next topology, becomes master of classes or hands them on, or
/// ends this life of the replica.
///
/// Before that {@link org.quiredb.master.role.Revival} says whether the replica joins a tier or
/// begins one; {@link org.quiredb.master.role.Admission} is how its master lets in one that joins.
///
/// Becoming master is {@link org.quiredb.master.role.Accession}; when classes are to be handed on,
/// {@link org.quiredb.master.role.Wishes}; what has to be elsewhere before a life may end, {@link
/// org.quiredb.master.role.Remainder}. These have no thread; the simulation runs them.
///
/// Events come from the group's threads, which are never held back: a replica that cannot keep up
/// with them ends its life.
@NullMarked
package org.quiredb.master.role;

import org.jspecify.annotations.NullMarked;
