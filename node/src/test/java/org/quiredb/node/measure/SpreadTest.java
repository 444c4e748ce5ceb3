package org.quiredb.node.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SpreadTest {
    @Test
    void theMiddleOfAnEvenNumberIsBetweenTwo() {
        assertThat(Spread.of(List.of(4.0, 1.0, 3.0, 2.0))).isEqualTo(new Spread(2.5, 1, 4));
        assertThat(Spread.of(List.of(9.0, 1.0, 3.0))).isEqualTo(new Spread(3, 1, 9));
    }

    @Test
    void nothingHasNoMiddle() {
        assertThatThrownBy(() -> Spread.of(List.of())).hasMessage("nothing was measured");
    }

    @Test
    void fourDigitsAreTold() {
        assertThat(Spread.rounded(17.43561)).isEqualTo(17.44);
        assertThat(Spread.rounded(0.01234567)).isEqualTo(0.01235);
        assertThat(Spread.rounded(123_456)).isEqualTo(123_500);
        assertThat(Spread.rounded(0)).isZero();
        assertThat(Spread.rounded(1.0 / 0)).isZero();
    }
}
