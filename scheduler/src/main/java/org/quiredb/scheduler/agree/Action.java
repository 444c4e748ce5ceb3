package org.quiredb.scheduler.agree;

import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.SchedulerRequest.Announce;
import org.quiredb.common.topology.SchedulerMember;
import org.quiredb.common.topology.Schedulers;

/// What an {@link Agreement} has its scheduler do next. Each is answered by a call of it.
public sealed interface Action {
    /// Answered by `answered` or `failed`.
    record Send(SchedulerMember to, Announce message) implements Action, Effect {}

    /// Answered by `inForce` or `recordNotReached`, as is Change.
    record Read() implements Action, Effect {}

    /// Puts the record in force if the present one is of the epoch before.
    ///
    /// @param namesake another process of this scheduler's name, whose place it takes: not while
    ///   that one lives
    record Change(Schedulers next, @Nullable SchedulerMember namesake) implements Action, Effect {}

    /// Has every replica of the topology know the epoch. Answered by `fenced`; given up when
    /// another comes.
    record Fence(long epoch) implements Action {}
}
