package org.quiredb.logger.active;

import org.jspecify.annotations.Nullable;

/// Decides when the holder of the seat has been silent for too long.
///
/// One unanswered ping is not enough, however long ago it was sent: it may be this process that was
/// stopped. Threads: one.
final class Silence {
    private static final int LEAST_UNANSWERED = 2;

    private final long limitNanos;
    private Seat.@Nullable Holder silent;
    private long sinceNanos;
    private int unanswered;

    Silence(long limitMillis) {
        this.limitNanos = limitMillis * 1_000_000;
    }

    void answered() {
        silent = null;
    }

    /// @param sentNanos when the ping was sent that got no answer
    /// @return whether the holder is to be given up
    boolean unanswered(Seat.Holder holder, long sentNanos, long nowNanos) {
        Seat.Holder before = silent;
        if (before == null || before.connectionId() != holder.connectionId()) {
            silent = holder;
            sinceNanos = sentNanos;
            unanswered = 0;
        }
        unanswered++;
        return unanswered >= LEAST_UNANSWERED && nowNanos - sinceNanos >= limitNanos;
    }
}
