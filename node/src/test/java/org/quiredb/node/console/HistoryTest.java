package org.quiredb.node.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class HistoryTest {
    @Test
    void theOldestSampleGoesWhenThereIsNoRoom() {
        History history = new History(3);
        for (int i = 1; i <= 5; i++) {
            history.add(i * 1_000L, Map.of("reads", (double) i));
        }

        History.Told told = history.told();

        assertThat(told.times()).containsExactly(3_000, 4_000, 5_000);
        assertThat(told.series().get("reads")).containsExactly(3, 4, 5);
    }

    @Test
    void aSeriesThatBeginsLateOrMissesASampleHasNoNumberThere() {
        History history = new History(4);
        history.add(1, Map.of("a", 1.0));
        history.add(2, Map.of("a", 2.0, "b", 7.0));
        history.add(3, Map.of("b", 8.0));

        assertThat(history.told().series().get("a")).containsExactly(1, 2, Float.NaN);
        assertThat(history.told().series().get("b")).containsExactly(Float.NaN, 7, 8);
    }

    @Test
    void aSeriesThatNobodyTellsAnyMoreIsForgotten() {
        History history = new History(3);
        history.add(1, Map.of("gone", 1.0));
        for (int i = 2; i < 10; i++) {
            history.add(i, Map.of("stays", 1.0));
        }

        assertThat(history.told().series()).containsOnlyKeys("stays");
    }

    @Test
    void thereAreOnlySoManySeries() {
        History history = new History(2);
        for (int i = 0; i < 1_000; i++) {
            history.add(i, Map.of("series " + i, 1.0));
        }
        assertThat(history.told().series()).hasSizeLessThanOrEqualTo(History.MAXIMUM_SERIES);

        History crowded = new History(10);
        for (int i = 0; i < 1_000; i++) {
            crowded.add(i, Map.of("series " + (i % 500), 1.0, "first", 2.0));
        }
        assertThat(crowded.told().series()).hasSizeLessThanOrEqualTo(History.MAXIMUM_SERIES);
    }

    @Test
    void onlySoManyEventsAreKept() {
        Happenings happenings = new Happenings();
        for (int i = 0; i < 1_000; i++) {
            happenings.add(i, List.of(new ConsoleEvent(Happening.Weight.NEWS, "", "event " + i)));
        }

        assertThat(happenings.all()).hasSize(Happenings.KEPT);
        assertThat(happenings.all().getLast().text()).isEqualTo("event 999");
        assertThat(happenings.all().getLast().id()).isEqualTo(1_000);
    }
}
