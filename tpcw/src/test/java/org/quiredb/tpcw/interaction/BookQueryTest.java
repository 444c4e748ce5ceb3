package org.quiredb.tpcw.interaction;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.quiredb.tpcw.random.TpcwRandom;

final class BookQueryTest {
    @ParameterizedTest
    @EnumSource
    void drawsAValueForEachQuestionMark(BookQuery query) {
        assertThat(query.parameters(TpcwRandom.seeded(1), new BookQuery.Stock(100, 288, 259)))
                .hasSize((int) query.text().chars().filter(c -> c == '?').count());
    }
}
