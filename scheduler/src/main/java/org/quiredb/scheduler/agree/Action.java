package org.quiredb.scheduler.agree;

import org.quiredb.common.message.SchedulerRequest.Announce;
import org.quiredb.common.topology.SchedulerMember;
import org.quiredb.common.topology.Schedulers;

/// What a scheduler is to do next. Each is answered by a call of {@link Agreement}.
public sealed interface Action {
    /// Answered by `answered` or `failed`.
    record Send(SchedulerMember to, Announce message) implements Action {}

    /// Answered by `inForce` or `recordNotReached`, as is Change.
    record Read() implements Action {}

    /// Puts the record in force if the present one is of the epoch before.
    record Change(Schedulers next) implements Action {}

    /// Has every replica of the topology know the epoch. Answered by `fenced`; given up when
    /// another comes.
    record Fence(long epoch) implements Action {}
}
