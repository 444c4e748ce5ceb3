package org.quiredb.node.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

final class PeakSearchTest {
    @Test
    void doublesAsLongAsThatBringsMore() {
        PeakSearch search = searched(2, 256, clients -> Math.min(100, 20.0 * clients));
        assertThat(search.measured().keySet()).containsExactly(2, 4, 8, 16, 32);
        assertThat(search.best()).isEqualTo(8);
    }

    @Test
    void goesOnAfterOneStepThatBringsNothing() {
        PeakSearch search =
                searched(
                        2,
                        64,
                        clients ->
                                switch (clients) {
                                    case 2, 4 -> 30;
                                    case 8 -> 60;
                                    default -> 50;
                                });
        assertThat(search.measured().keySet()).containsExactly(2, 4, 8, 16, 32);
        assertThat(search.best()).isEqualTo(8);
    }

    @Test
    void takesTheGreatestEvenWhereItIsHardlyGreater() {
        assertThat(searched(8, 256, clients -> clients == 16 ? 101 : 100).best()).isEqualTo(16);
    }

    @Test
    void fallsBackFromWhereItGoesDown() {
        assertThat(searched(4, 256, clients -> 100.0 / clients).best()).isEqualTo(4);
    }

    @Test
    void endsWithTheMostThatAreAllowed() {
        PeakSearch search = searched(4, 20, clients -> clients);
        assertThat(search.measured().keySet()).containsExactly(4, 8, 16, 20);
        assertThat(search.best()).isEqualTo(20);
    }

    private static PeakSearch searched(int first, int most, IntToDoubleFunction throughput) {
        PeakSearch search = new PeakSearch(first, most);
        while (!search.isOver()) {
            search.measured(throughput.applyAsDouble(search.next()));
        }
        return search;
    }
}
