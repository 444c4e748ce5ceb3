package org.quiredb.scheduler.statement;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/// How many pieces of work took how long, since the start.
///
/// Four steps to each doubling, from 16 us to some 20 s: what is told is at most a fifth too long.
///
/// Threads: any.
public final class DurationHistogram {
    private static final int STEPS_PER_DOUBLING = 4;
    private static final int LOWEST_BIT = 14; // 16 us
    private static final int STEPS = 82;

    private final LongAdder[] counts = new LongAdder[STEPS];

    DurationHistogram() {
        Arrays.setAll(counts, _ -> new LongAdder());
    }

    void add(long nanos) {
        counts[step(nanos)].increment();
    }

    /// All counts now; two of them make an {@link Interval}.
    public long[] counts() {
        return Arrays.stream(counts).mapToLong(LongAdder::sum).toArray();
    }

    static int step(long nanos) {
        int highest = 63 - Long.numberOfLeadingZeros(Math.max(1, nanos));
        if (highest < LOWEST_BIT) {
            return 0;
        }
        int within = (int) (nanos >>> (highest - 2)) & (STEPS_PER_DOUBLING - 1);
        return Math.min(STEPS - 1, 1 + (highest - LOWEST_BIT) * STEPS_PER_DOUBLING + within);
    }

    /// What no work of this step took longer than; of the last step it may have.
    static long upperNanos(int step) {
        if (step == 0) {
            return 1L << LOWEST_BIT;
        }
        int doubling = LOWEST_BIT + (step - 1) / STEPS_PER_DOUBLING;
        int within = (step - 1) % STEPS_PER_DOUBLING;
        return (1L << doubling) + ((long) (within + 1) << (doubling - 2));
    }

    /// What was counted between two times.
    public static final class Interval {
        private final long count;
        private final long[] counts;

        private Interval(long[] counts) {
            this.counts = counts;
            count = Arrays.stream(counts).sum();
        }

        public static Interval between(long[] before, long[] after) {
            long[] counts = new long[after.length];
            Arrays.setAll(counts, i -> Math.max(0, after[i] - before[i]));
            return new Interval(counts);
        }

        public long count() {
            return count;
        }

        /// What so large a share took no longer than, in ms; 0 when there was nothing.
        public double quantileMillis(double share) {
            if (count == 0) {
                return 0;
            }
            long left = (long) Math.ceil(share * count);
            for (int step = 0; step < counts.length; step++) {
                left -= counts[step];
                if (left <= 0) {
                    return upperNanos(step) / 1e6;
                }
            }
            return upperNanos(counts.length - 1) / 1e6;
        }
    }
}
