package org.quiredb.scheduler.agree;

import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.SchedulerReply;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.SchedulerMember;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.VersionVector;

/// What a scheduler hears of.
public sealed interface Event {
    /// It begins; the other schedulers reach it there.
    record Enter(String host, int port) implements Event {}

    /// Time passes. To come several times in {@link Agreement#SILENCE_MILLIS}.
    record Tick() implements Event {}

    /// These commits are stable, and somebody is to be shown them.
    record Learn(VersionVector stable, long catalogueVersion) implements Event {}

    /// A replica knows of a newer record.
    record Outdated(long epoch) implements Event {}

    /// Every master has told what is stable, asked after it was to be.
    record MastersTold(long epoch) implements Event {}

    /// A replica has told its status, and knows of no newer record than it was asked with.
    ///
    /// @param topologyEpoch of the topology that it knows
    /// @param recordEpoch that it was asked with, 0 when with none: it was not asked for newer ones
    record ReplicaAnswered(
            String replica, boolean serves, long topologyEpoch, long recordEpoch, long askedNanos)
            implements Event {}

    record Answered(Action.Send send, SchedulerReply reply) implements Event {}

    /// The connection was closed, or nobody answered in time.
    record NotAnswered(Action.Send send) implements Event {}

    /// The record that is in force in the backend, as an answer to `Read` and `Change`.
    record InForce(Schedulers record) implements Event {}

    /// Whether the record was changed is not known.
    record RecordNotReached() implements Event {}

    /// It was not changed, since another process of this scheduler's name lives.
    record NamesakeLives(SchedulerMember other) implements Event {}

    /// @param topology where it was asked for
    record Renewed(@Nullable Topology topology, Schedulers record) implements Event {}

    record NotRenewed() implements Event {}

    record TopologyRead(long epoch, Topology topology) implements Event {}

    record TopologyNotRead(long epoch) implements Event {}

    /// @param heard whether the replica is known to have heard it
    record Told(long epoch, Member replica, boolean heard) implements Event {}

    /// Those that have not heard of it yet are to be told again.
    record TellAgain(long epoch) implements Event {}

    /// No scheduler that is not in the record has a lease any more.
    record Outlasted(long epoch) implements Event {}

    /// The time of a wait is up.
    record Due(Waiting waiting) implements Event {}

    /// The scheduler ends: nothing more is done, and nobody waits.
    record End() implements Event {}
}
