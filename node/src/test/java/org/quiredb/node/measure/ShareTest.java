package org.quiredb.node.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class ShareTest {
    @Test
    void isAPartOfEachPeriod() {
        assertThat(new Share(12).quotaMicros()).isEqualTo(2_400);
        assertThat(new Share(100).quotaMicros()).isEqualTo(Share.PERIOD_MICROS);
    }

    @Test
    void isAtLeastWhatTheSystemAllows() {
        assertThat(new Share(5).quotaMicros()).isEqualTo(1_000);
        assertThatThrownBy(() -> new Share(4))
                .hasMessage("--percent must be between 5 and 100, not 4");
        assertThatThrownBy(() -> new Share(101)).isInstanceOf(IllegalArgumentException.class);
    }
}
