package org.quiredb.tpcw.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NonUniformTest {

    private static final int DRAWS = 200_000;

    private final TpcwRandom draw = TpcwRandom.seeded(5);

    @Test
    void staysInTheRangeAndReachesBothEnds() {
        var values =
                IntStream.range(0, DRAWS)
                        .map(i -> NonUniform.draw(draw, 63, 1, 100))
                        .summaryStatistics();

        assertThat(values.getMin()).isEqualTo(1);
        assertThat(values.getMax()).isEqualTo(100);
    }

    @Test
    void followsTheFormulaOfTheSpecification() {
        int[] expected = new int[101];
        for (int a = 0; a <= 63; a++) {
            for (int x = 1; x <= 100; x++) {
                expected[(a | x) % 100 + 1]++;
            }
        }
        int[] counted = new int[101];
        for (int i = 0; i < DRAWS; i++) {
            counted[NonUniform.draw(draw, 63, 1, 100)]++;
        }

        for (int value = 1; value <= 100; value++) {
            double share = expected[value] / 6400.0;
            double spread = Math.sqrt(share * (1 - share) / DRAWS);
            assertThat(counted[value] / (double) DRAWS)
                    .isBetween(share - 6 * spread, share + 6 * spread);
        }
    }

    @Test
    void searchesOnlyForKeysThatExist() {
        for (int i = 0; i < 10_000; i++) {
            assertThat(NonUniform.authorKey(draw, 1000)).isBetween(1, 100);
            assertThat(NonUniform.titleKey(draw, 1000)).isBetween(1, 200);
            assertThat(NonUniform.customer(draw, 2880)).isBetween(1, 2880);
        }
    }
}
