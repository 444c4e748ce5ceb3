package org.quiredb.tpcw.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.quiredb.tpcw.interaction.InteractionType;

class MixTest {

    @ParameterizedTest
    @EnumSource(Mix.class)
    void hasPercentagesThatAddUp(Mix mix) {
        double sum = mix.percentages().values().stream().mapToDouble(Double::doubleValue).sum();

        assertThat(sum).isCloseTo(100, within(0.02));
    }

    @Test
    void readsTheColumnOfEachMix() {
        assertThat(Mix.BROWSING.percentages()).containsEntry(InteractionType.HOME, 29.00);
        assertThat(Mix.SHOPPING.percentages()).containsEntry(InteractionType.HOME, 16.00);
        assertThat(Mix.ORDERING.percentages()).containsEntry(InteractionType.HOME, 9.12);
    }

    @Test
    void isFoundByNameInAnyCase() {
        assertThat(Mix.named("Shopping")).isEqualTo(Mix.SHOPPING);
        assertThatThrownBy(() -> Mix.named("shoping"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("No mix is called shoping: take browsing, shopping or ordering");
    }
}
