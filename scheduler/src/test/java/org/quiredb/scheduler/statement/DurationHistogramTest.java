package org.quiredb.scheduler.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DurationHistogramTest {
    @ParameterizedTest
    @ValueSource(
            longs = {
                0,
                1,
                16_383,
                16_384,
                20_000,
                100_000,
                1_000_000,
                999_999_999,
                17_000_000_000L
            })
    void aStepTellsATimeThatIsAtMostAQuarterTooLong(long nanos) {
        long upper = DurationHistogram.upperNanos(DurationHistogram.step(nanos));

        assertThat(upper).isGreaterThan(nanos);
        assertThat(upper).isLessThanOrEqualTo(Math.max(16_384, nanos + nanos / 4 + 1));
    }

    @Test
    void whatTakesForeverIsInTheLastStep() {
        assertThat(DurationHistogram.step(Long.MAX_VALUE))
                .isEqualTo(DurationHistogram.step(1L << 40));
    }

    @Test
    void anIntervalTellsOnlyOfItself() {
        DurationHistogram durations = new DurationHistogram();
        durations.add(5_000_000_000L);
        long[] before = durations.counts();
        for (int i = 0; i < 98; i++) {
            durations.add(1_000_000);
        }
        durations.add(100_000_000);
        durations.add(100_000_000);

        DurationHistogram.Interval interval =
                DurationHistogram.Interval.between(before, durations.counts());

        assertThat(interval.count()).isEqualTo(100);
        assertThat(interval.quantileMillis(0.5)).isCloseTo(1.1, within(0.2));
        assertThat(interval.quantileMillis(0.99)).isCloseTo(110, within(20.0));
        assertThat(DurationHistogram.Interval.between(before, before).quantileMillis(0.99))
                .isZero();
    }
}
