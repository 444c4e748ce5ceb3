package org.quiredb.logger.active;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Decides when the holder of the seat has been silent for too long.
///
/// How long that is it learns from the answers: never less than the configured limit, and several
/// times what the slowest of the late ones took, so that what makes all processes slow makes none
/// look dead. Who has never answered may have just begun, as may this process, and a process is
/// slowest then: it has the longest time. That of a dead process costs nothing, since its seat is
/// free the moment that it ends.
///
/// One unanswered ping is not enough, however long ago it was sent: it may be this process that was
/// stopped. Threads: one.
final class Silence {
    private static final int LEAST_UNANSWERED = 2;
    private static final int DELAYS = 4;
    private static final int MOST_LIMITS = 10;

    /// With eight answers a second what was slow counts half after about three seconds.
    private static final double FADING = 0.97;

    private final long leastNanos;
    private Seat.@Nullable Holder known;
    private boolean hasAnswered;
    private double slowestNanos;
    private long sinceNanos;
    private int unanswered;

    Silence(long limitMillis) {
        leastNanos = limitMillis * 1_000_000;
    }

    /// How long to wait for one answer.
    Duration patience(Seat.Holder holder) {
        notice(holder);
        return Duration.ofNanos(limitNanos() / LEAST_UNANSWERED);
    }

    /// Nobody has the seat, or somebody is taking it.
    void free() {
        known = null;
    }

    /// @param delayNanos from the ping to its answer
    void answered(Seat.Holder holder, long delayNanos) {
        notice(holder);
        hasAnswered = true;
        unanswered = 0;
        slowestNanos = Math.max((double) delayNanos, slowestNanos * FADING);
    }

    /// @param sentNanos when the ping was sent that got no answer
    /// @return whether the holder is to be given up
    boolean unanswered(Seat.Holder holder, long sentNanos, long nowNanos) {
        notice(holder);
        if (unanswered == 0) {
            sinceNanos = sentNanos;
        }
        unanswered++;
        return unanswered >= LEAST_UNANSWERED && nowNanos - sinceNanos >= limitNanos();
    }

    private void notice(Seat.Holder holder) {
        Seat.Holder before = known;
        if (before == null || before.connectionId() != holder.connectionId()) {
            known = holder;
            hasAnswered = false;
            unanswered = 0;
        }
    }

    private long limitNanos() {
        long most = MOST_LIMITS * leastNanos;
        return hasAnswered ? Math.clamp((long) (DELAYS * slowestNanos), leastNanos, most) : most;
    }
}
