package org.quiredb.logger.active;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.liveness.SilenceLimit;

/// Decides when the holder of the lock has been silent for too long.
///
/// The limit grows with the answers' delays ({@link SilenceLimit}), so that what makes all
/// processes slow makes none look dead. Who has never answered may have just begun, and a process
/// is slowest then: it has {@link #FIRST_LIMITS} times the configured limit at least, and the next
/// one twice that, so that two that begin together do not take the lock from one another for long.
/// A dead process costs nothing of that, since its lock is free the moment that it ends.
///
/// One unanswered ping is not enough, however long ago it was sent: it may be this process that was
/// stopped. Threads: one.
final class Silence {
    static final int FIRST_LIMITS = 3;

    private static final int LEAST_UNANSWERED = 2;

    private final SilenceLimit limit;
    private final long leastNanos;
    private int firstLimits = FIRST_LIMITS;
    private LeaderLock.@Nullable Holder known;
    private boolean hasAnswered;
    private long sinceNanos;
    private int unanswered;

    Silence(long limitMillis) {
        limit = new SilenceLimit(limitMillis);
        leastNanos = TimeUnit.MILLISECONDS.toNanos(limitMillis);
    }

    /// How long to wait for one answer.
    Duration patience(LeaderLock.Holder holder, long nowNanos) {
        notice(holder);
        return Duration.ofNanos(limitNanos(nowNanos) / LEAST_UNANSWERED);
    }

    /// Nobody has the lock, or somebody is taking it.
    void free() {
        known = null;
    }

    void answered(LeaderLock.Holder holder, long sentNanos, long nowNanos) {
        notice(holder);
        hasAnswered = true;
        firstLimits = FIRST_LIMITS;
        unanswered = 0;
        limit.observed(nowNanos - sentNanos, nowNanos);
    }

    /// @param sentNanos when the ping was sent that got no answer
    /// @return whether the holder is to be given up
    boolean unanswered(LeaderLock.Holder holder, long sentNanos, long nowNanos) {
        notice(holder);
        if (unanswered == 0) {
            sinceNanos = sentNanos;
        }
        unanswered++;
        boolean over =
                unanswered >= LEAST_UNANSWERED && nowNanos - sinceNanos >= limitNanos(nowNanos);
        if (over && !hasAnswered) {
            firstLimits = Math.min(2 * firstLimits, SilenceLimit.MOST_LIMITS);
        }
        return over;
    }

    private void notice(LeaderLock.Holder holder) {
        LeaderLock.Holder before = known;
        if (before == null || before.connectionId() != holder.connectionId()) {
            known = holder;
            hasAnswered = false;
            unanswered = 0;
        }
    }

    private long limitNanos(long nowNanos) {
        long learned = limit.nanos(nowNanos);
        return hasAnswered ? learned : Math.max(learned, firstLimits * leastNanos);
    }
}
