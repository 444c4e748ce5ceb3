package org.quiredb.common.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TroubleTest {
    private long nowSeconds;
    private final Trouble trouble = new Trouble(() -> TimeUnit.SECONDS.toNanos(nowSeconds));

    @Test
    void tenTriesASecondAreALineAMinute() {
        assertThat(trouble.over()).isFalse();
        long told =
                IntStream.range(0, 1_500)
                        .filter(i -> {
                            nowSeconds = i / 10;
                            return trouble.met();
                        })
                        .count();
        assertThat(told).isEqualTo(3);
        assertThat(trouble.over()).isTrue();
        assertThat(trouble.over()).isFalse();
        assertThat(trouble.met()).isTrue();
    }
}
