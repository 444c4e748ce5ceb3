package org.quiredb.replica.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {
    private static final long SECOND = 1_000_000_000;
    private static final long RATE = 1_000_000;

    @Test
    void aFewMessagesGoAtOnceAndThenAsManyAsTheRateAllows() {
        Pace pace = new Pace(RATE, 0);
        assertThat(pace.delayNanos(RATE / 50, 0)).isZero();
        assertThat(pace.delayNanos(RATE, 0)).isEqualTo(SECOND);
        assertThat(pace.delayNanos(RATE, SECOND)).isEqualTo(SECOND);
    }

    @Test
    void inALongTimeNoMoreIsSentThanTheRateAllows() {
        Pace pace = new Pace(RATE, 0);
        long now = 0;
        long sent = 0;
        while (now < 10 * SECOND) {
            sent += 8_192;
            now += pace.delayNanos(8_192, now);
        }
        assertThat(sent).isBetween(10 * RATE - 8_192, 10 * RATE + RATE / 50 + 8_192);
    }

    @Test
    void twoThatSendAtATimeShareTheRate() {
        Pace pace = new Pace(RATE, 0);
        long first = pace.delayNanos(RATE, 0);
        long second = pace.delayNanos(RATE, 0);
        assertThat(second).isEqualTo(first + SECOND);
    }

    @Test
    void whoWasSilentSavesNoMoreThanABurst() {
        Pace pace = new Pace(RATE, 0);
        assertThat(pace.delayNanos(RATE / 50 + RATE, 1_000 * SECOND)).isEqualTo(SECOND);
    }

    @Test
    void withoutABoundNothingWaits() {
        assertThat(new Pace(0, 0).delayNanos(Long.MAX_VALUE, 0)).isZero();
    }
}
