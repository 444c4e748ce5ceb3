package org.quiredb.tpcw.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.quiredb.tpcw.interaction.InteractionType;
import org.quiredb.tpcw.random.TpcwRandom;

class TransitionMatrixTest {

    private static final int STEPS = 300_000;

    @ParameterizedTest
    @EnumSource(Mix.class)
    void leadsToTheMixOfTheSpecificationInTheLongRun(Mix mix) {
        Map<InteractionType, Double> stationary = stationary(TransitionMatrix.of(mix));

        mix.percentages()
                .forEach((type, percent) ->
                        assertThat(100 * share(stationary, type))
                                .as("%s of %s", type, mix)
                                .isBetween(percent - 0.006, percent + 0.006));
    }

    @ParameterizedTest
    @EnumSource(Mix.class)
    void stepsAsOftenAsTheThresholdsSay(Mix mix) {
        var matrix = TransitionMatrix.of(mix);
        var draw = TpcwRandom.seeded(17);
        var counted = new EnumMap<InteractionType, Integer>(InteractionType.class);
        for (int i = 0; i < STEPS; i++) {
            counted.merge(matrix.next(InteractionType.HOME, draw), 1, Integer::sum);
        }

        for (InteractionType type : InteractionType.values()) {
            double expected = matrix.probability(InteractionType.HOME, type);
            double spread = 6 * Math.sqrt(expected * (1 - expected) / STEPS);
            assertThat(counted.getOrDefault(type, 0) / (double) STEPS)
                    .as(type.title())
                    .isBetween(expected - spread, expected + spread);
        }
    }

    @ParameterizedTest
    @EnumSource(Mix.class)
    void allowsTheSameFortyFiveStepsInEachMix(Mix mix) {
        var matrix = TransitionMatrix.of(mix);

        long allowed =
                Arrays.stream(InteractionType.values())
                        .flatMap(from ->
                                Arrays.stream(InteractionType.values())
                                        .filter(to -> matrix.probability(from, to) > 0))
                        .count();

        assertThat(allowed).isEqualTo(45);
        assertThat(matrix.probability(InteractionType.PROD, InteractionType.BUYC)).isZero();
    }

    /// The share of each interaction on a walk without end, by iteration.
    private static Map<InteractionType, Double> stationary(TransitionMatrix matrix) {
        Map<InteractionType, Double> shares = new EnumMap<>(InteractionType.class);
        shares.put(InteractionType.HOME, 1.0);
        for (int i = 0; i < 2000; i++) {
            Map<InteractionType, Double> next = new EnumMap<>(InteractionType.class);
            shares.forEach((from, share) -> {
                for (InteractionType to : InteractionType.values()) {
                    next.merge(to, share * matrix.probability(from, to), Double::sum);
                }
            });
            shares = next;
        }
        return shares;
    }

    private static double share(Map<InteractionType, Double> shares, InteractionType type) {
        return shares.getOrDefault(type, 0.0);
    }
}
