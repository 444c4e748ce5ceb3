package org.quiredb.tpcw.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DrawTest {

    private final TpcwRandom draw = TpcwRandom.seeded(3);

    @Test
    void repeatsItselfWithTheSameSeedAndPath() {
        assertThat(TpcwRandom.seeded(9, 1, 2).text(50, 50))
                .isEqualTo(TpcwRandom.seeded(9, 1, 2).text(50, 50));
    }

    @Test
    void differsWithEachStepOfThePath() {
        assertThat(TpcwRandom.seeded(9, 1, 2).text(50, 50))
                .isNotEqualTo(TpcwRandom.seeded(9, 2, 1).text(50, 50))
                .isNotEqualTo(TpcwRandom.seeded(8, 1, 2).text(50, 50))
                .isNotEqualTo(TpcwRandom.seeded(9).text(50, 50));
    }

    @Test
    void makesTextOfAnyLengthInTheRangeWithoutWhatLikeOrQuotesWouldMind() {
        var lengths =
                IntStream.range(0, 2000).map(i -> draw.text(3, 20).length()).summaryStatistics();

        assertThat(lengths.getMin()).isEqualTo(3);
        assertThat(lengths.getMax()).isEqualTo(20);
        assertThat(draw.text(5000, 5000)).matches("[a-zA-Z.,;:!?()+=*-]+");
    }

    @Test
    void makesAmountsWithTwoPlaces() {
        assertThat(draw.hundredths(5, 5)).isEqualTo(new BigDecimal("0.05"));
    }

    @Test
    void includesBothDays() {
        var day = LocalDate.of(2000, 2, 29);

        assertThat(draw.date(day, day)).isEqualTo(day);
    }

    @Test
    void thinksSevenSecondsOnAverageAndNeverLongerThanTheCap() {
        var times =
                IntStream.range(0, 100_000)
                        .mapToDouble(i -> draw.exponential(7, 70))
                        .summaryStatistics();

        assertThat(times.getAverage()).isBetween(6.9, 7.1);
        assertThat(times.getMax()).isLessThanOrEqualTo(70);
        assertThat(times.getMin()).isBetween(0.0, 0.01);
    }
}
