package org.quiredb.common.liveness;

import java.util.concurrent.TimeUnit;

/// How long a silence is too long: the configured limit, or {@link #DELAYS} times the longest delay
/// that was observed of those who were alive after all, whichever is more, up to a bound. What was
/// observed fades, by half in {@link #HALF_LIFE_NANOS}.
///
/// Times are by a clock that never jumps, of the caller's choice.
///
/// Threads: any; guarded by this.
public final class SilenceLimit {
    /// How many times its configured limit a silence may be, where nobody says otherwise.
    public static final int MOST_LIMITS = 10;

    static final int DELAYS = 4;
    static final long HALF_LIFE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final long leastNanos;
    private final long mostNanos;
    private double longestNanos;
    private long sinceNanos;

    public SilenceLimit(long leastMillis) {
        this(leastMillis, MOST_LIMITS * leastMillis);
    }

    /// @param leastMillis the limit while nothing is slow
    /// @param mostMillis the limit however slow things are
    public SilenceLimit(long leastMillis, long mostMillis) {
        if (leastMillis <= 0 || mostMillis < leastMillis) {
            throw new IllegalArgumentException(leastMillis + " to " + mostMillis + " ms");
        }
        leastNanos = TimeUnit.MILLISECONDS.toNanos(leastMillis);
        mostNanos = TimeUnit.MILLISECONDS.toNanos(mostMillis);
    }

    /// Somebody was silent for so long and is alive, or this process itself was kept from running.
    public synchronized void observed(long delayNanos, long nowNanos) {
        longestNanos = Math.max((double) delayNanos, faded(nowNanos));
        sinceNanos = nowNanos;
    }

    public synchronized long nanos(long nowNanos) {
        return Math.clamp((long) (DELAYS * faded(nowNanos)), leastNanos, mostNanos);
    }

    public long millis(long nowNanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos(nowNanos));
    }

    private double faded(long nowNanos) {
        return longestNanos * Math.pow(0.5, (double) (nowNanos - sinceNanos) / HALF_LIFE_NANOS);
    }
}
