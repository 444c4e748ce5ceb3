package org.quiredb.tpcw.population;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.quiredb.tpcw.random.DigSyl;
import org.quiredb.tpcw.random.TpcwRandom;

class TitlesTest {

    private final TpcwRandom draw = TpcwRandom.seeded(11);

    @Test
    void areFourteenToSixtyCharactersAroundTheKey() {
        for (int key = 1; key <= 5000; key++) {
            String title = Titles.title(draw, key);

            assertThat(title.length()).isBetween(14, 60);
            assertThat(title.indexOf(DigSyl.key(key))).isBetween(0, 44);
        }
    }

    @Test
    void haveTheKeyAtTheBeginningOfAWord() {
        for (int key = 1; key <= 1000; key++) {
            assertThat(Titles.title(draw, key)).matches("(.* )?" + DigSyl.key(key) + ".*");
        }
    }

    @Test
    void haveTheKeyGluedToAWordInAQuarter() {
        long glued =
                IntStream.range(0, 20_000)
                        .filter(i ->
                                Titles.title(draw, 7).matches(".*" + DigSyl.key(7) + "[a-z].*"))
                        .count();

        assertThat(glued).isBetween(4300L, 5200L);
    }
}
