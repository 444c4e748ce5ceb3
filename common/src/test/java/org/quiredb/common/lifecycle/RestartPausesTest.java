package org.quiredb.common.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class RestartPausesTest {
    private final RestartPauses pauses = new RestartPauses();

    @Test
    void theyDoubleFromNothingToHalfAMinuteAndBeginAnewAfterAGoodRun() {
        assertThat(IntStream.range(0, 8).mapToLong(i -> seconds(5)))
                .containsExactly(0L, 1L, 2L, 4L, 8L, 16L, 30L, 30L);
        assertThat(seconds(60)).isZero();
        assertThat(seconds(59)).isEqualTo(1);
    }

    private long seconds(int ran) {
        return pauses.after(Duration.ofSeconds(ran)).toSeconds();
    }
}
