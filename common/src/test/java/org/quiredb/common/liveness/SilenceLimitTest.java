package org.quiredb.common.liveness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SilenceLimitTest {
    private static final long LEAST_MILLIS = 700;
    private static final long HEARTBEAT_MILLIS = 150;
    private static final int MEMBERS = 5;
    private static final long TEN_MINUTES_MILLIS = 600_000;

    private final SilenceLimit limit = new SilenceLimit(LEAST_MILLIS);
    private long nowMillis;

    @Test
    void itIsTheConfiguredOneWhileNothingIsSlow() {
        assertThat(limit()).isEqualTo(LEAST_MILLIS);
        observe(20);
        observe(LEAST_MILLIS / SilenceLimit.DELAYS);
        assertThat(limit()).isEqualTo(LEAST_MILLIS);
    }

    @Test
    void itGrowsWithTheLongestDelayAndFadesByHalf() {
        observe(500);
        observe(30);
        assertThat(limit()).isEqualTo(SilenceLimit.DELAYS * 500);
        nowMillis += TimeUnit.NANOSECONDS.toMillis(SilenceLimit.HALF_LIFE_NANOS);
        assertThat(limit()).isEqualTo(SilenceLimit.DELAYS * 250);
        nowMillis += 3 * TimeUnit.NANOSECONDS.toMillis(SilenceLimit.HALF_LIFE_NANOS);
        assertThat(limit()).isEqualTo(LEAST_MILLIS);
    }

    @Test
    void itHasABound() {
        observe(3_600_000);
        assertThat(limit()).isEqualTo(SilenceLimit.MOST_LIMITS * LEAST_MILLIS);
        assertThatThrownBy(() -> new SilenceLimit(700, 699))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /// Delays of a machine with 25 runnable threads per processor, begun within five seconds:
    /// mostly some hundred milliseconds, of one heartbeat in a hundred up to 1.9 seconds.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void amongSlowOnesNobodyIsMissed(long seed) {
        Random random = new Random(seed);
        long[] delays = new long[MEMBERS];
        long[] due = new long[MEMBERS];
        while (nowMillis < TEN_MINUTES_MILLIS) {
            int next = 0;
            for (int member = 1; member < MEMBERS; member++) {
                next = due[member] < due[next] ? member : next;
            }
            nowMillis = due[next];
            assertThat(HEARTBEAT_MILLIS + delays[next])
                    .as("silence at %d ms, seed %d", nowMillis, seed)
                    .isLessThan(limit());
            observe(delays[next]);
            delays[next] = slow(random);
            due[next] = nowMillis + HEARTBEAT_MILLIS + delays[next];
        }
    }

    private long slow(Random random) {
        double share = Math.min(1, nowMillis / 5_000.0);
        double tail = random.nextInt(100) == 0 ? 3 : 1;
        return (long) (share * tail * (50 + Math.min(575, 150 * exponential(random))));
    }

    /// As on a machine that is only busy: a death is found in the configured time.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void amongQuickOnesTheDeadAreMissedSoon(long seed) {
        Random random = new Random(seed);
        while (nowMillis < TEN_MINUTES_MILLIS) {
            long delay = (long) Math.min(150, 8 * exponential(random));
            nowMillis += HEARTBEAT_MILLIS + delay;
            observe(delay);
            assertThat(limit()).as("seed %d", seed).isEqualTo(LEAST_MILLIS);
        }
    }

    private static double exponential(Random random) {
        return -Math.log(1 - random.nextDouble());
    }

    private void observe(long delayMillis) {
        limit.observed(TimeUnit.MILLISECONDS.toNanos(delayMillis), now());
    }

    private long limit() {
        return limit.millis(now());
    }

    private long now() {
        return TimeUnit.MILLISECONDS.toNanos(nowMillis);
    }
}
