package org.quiredb.scheduler.agree;

import org.quiredb.common.topology.Member;

/// What a scheduler is to do next. Each is answered by one {@link Event}, sooner or later, or the
/// scheduler has ended.
public sealed interface Effect
        permits Action.Send,
                Action.Read,
                Action.Change,
                Effect.Renew,
                Effect.ReadTopology,
                Effect.Tell,
                Effect.Later {
    /// Reads the schedulers' record for the lease. Answered by `Renewed` or `NotRenewed`.
    ///
    /// @param topology whether the topology is read too, and first
    record Renew(boolean topology) implements Effect {}

    /// Reads the topology in force. Answered by `TopologyRead` or `TopologyNotRead`.
    record ReadTopology(long epoch) implements Effect {}

    /// Has a replica know an epoch of the schedulers' record. Answered by `Told`.
    record Tell(Member replica, long epoch) implements Effect {}

    /// Answered by that event, after that time.
    record Later(long nanos, Event event) implements Effect {}
}
