package org.quiredb.tpcw.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChoicesTest {

    @Test
    void hasTheListsOfTheSpecification() {
        assertThat(EnumeratedValues.SUBJECTS)
                .hasSize(24)
                .doesNotHaveDuplicates()
                .contains("YOUTH", "TRAVEL", "NON-FICTION");
        assertThat(EnumeratedValues.SHIP_TYPES).hasSize(6);
        assertThat(EnumeratedValues.CARD_TYPES).hasSize(5);
        assertThat(EnumeratedValues.BACKINGS).hasSize(5);
        assertThat(EnumeratedValues.ORDER_STATUSES).hasSize(4);
    }

    @Test
    void hasNinetyTwoCountriesNumberedFromOne() {
        assertThat(Country.ALL).hasSize(92);
        assertThat(Country.ALL.getFirst().name()).isEqualTo("United States");
        assertThat(Country.ALL.getLast().id()).isEqualTo(92);
        assertThat(Country.ALL).extracting(Country::name).doesNotHaveDuplicates();
    }
}
