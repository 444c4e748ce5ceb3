package org.quiredb.replica.transfer;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/// What transfers may send together in a time: a token bucket, which says how long to wait and
/// waits for nothing itself.
///
/// Whoever asks has its bytes: the wait is that for the debt that they leave, so that a message
/// larger than the bucket passes too.
///
/// Threads: any.
final class Pace {
    /// The bucket holds so much of a second's bytes.
    private static final long BURST_SHARE = 50;

    private static final double NANOS_PER_SECOND = 1e9;

    private final long bytesPerSecond;
    private final double burstBytes;

    @GuardedBy("this")
    private double available;

    @GuardedBy("this")
    private long atNanos;

    /// @param bytesPerSecond 0 for no bound
    Pace(long bytesPerSecond, long nowNanos) {
        this.bytesPerSecond = bytesPerSecond;
        burstBytes = (double) bytesPerSecond / BURST_SHARE;
        available = burstBytes;
        atNanos = nowNanos;
    }

    /// How long to wait before these bytes are sent; they count from now on.
    synchronized long delayNanos(long bytes, long nowNanos) {
        if (bytesPerSecond == 0) {
            return 0;
        }
        double refilled = (nowNanos - atNanos) / NANOS_PER_SECOND * bytesPerSecond;
        available = Math.min(burstBytes, available + refilled) - bytes;
        atNanos = nowNanos;
        return available >= 0
                ? 0
                : (long) Math.ceil(-available / bytesPerSecond * NANOS_PER_SECOND);
    }
}
