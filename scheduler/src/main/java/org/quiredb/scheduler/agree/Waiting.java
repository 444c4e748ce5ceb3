package org.quiredb.scheduler.agree;

import java.util.concurrent.TimeUnit;
import org.quiredb.common.version.VersionVector;

/// What somebody waits for, and until when.
///
/// Threads: its companionship's.
public final class Waiting {
    /// How it stands.
    public sealed interface Verdict {
        record Ready() implements Verdict {}

        /// @param nanos after which `Due` is to be told, unless it comes before
        record Wait(long nanos) implements Verdict {}

        record Failed(String why) implements Verdict {}
    }

    /// What is waited for, for how long, and what is said when it does not come.
    public enum Goal {
        /// To have come in, or to know that the name is another's. It goes on without.
        ENTERED(2_000, ""),
        IN(
                30_000,
                "this scheduler is not one of the tier's yet: the logger, another scheduler or a master does not answer; see quire status"),
        EPOCH(10_000, "the schedulers' record is not told"),
        SHOWN(
                10_000,
                "what was done is stable, but other schedulers do not learn of it; see quire status"),
        LOCKED(10_000, "other schedulers do not learn of the locked tables; see quire status"),
        /// The first of three, for a tag: the word of an announcer. Then it is hastened.
        WORD(5, ""),
        AGREEMENT(30_000, "the schedulers do not agree on what is stable; see quire status"),
        LEASE(
                30_000,
                "this scheduler may be cut off: neither all replicas nor the logger have answered it lately; see quire status");

        final String otherwise;
        private final long limitNanos;

        Goal(long limitMillis, String otherwise) {
            this.limitNanos = TimeUnit.MILLISECONDS.toNanos(limitMillis);
            this.otherwise = otherwise;
        }
    }

    /// To be covered by what is agreed, where that is waited for.
    final VersionVector vector;

    /// The epoch of the record, or the version of locks, where that is waited for.
    final long number;

    /// Whether its time is up.
    boolean over;

    private Goal goal;
    private long deadlineNanos;

    Waiting(Goal goal, VersionVector vector, long number, long nowNanos) {
        this.vector = vector;
        this.number = number;
        this.goal = goal;
        deadlineNanos = nowNanos + goal.limitNanos;
    }

    public Goal goal() {
        return goal;
    }

    void goOnTo(Goal next, long nowNanos) {
        goal = next;
        deadlineNanos = nowNanos + next.limitNanos;
    }

    long leftNanos(long nowNanos) {
        return deadlineNanos - nowNanos;
    }
}
