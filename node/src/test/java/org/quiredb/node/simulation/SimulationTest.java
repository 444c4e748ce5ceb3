package org.quiredb.node.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The simulated cluster over many seeds.
///
/// `-Dquire.simulation.seeds=N` says over how many, `-Dquire.simulation.seed=N` runs that one alone
/// and prints its trace.
final class SimulationTest {
    private static final int SEEDS = 1_000;

    @Test
    void keepsItsPromisesWhateverHappens() {
        Long one = Long.getLong("quire.simulation.seed");
        if (one != null) {
            System.out.println(new Simulation(one, true, true).run());
            return;
        }
        int seeds = Integer.getInteger("quire.simulation.seeds", SEEDS);
        Map<String, Integer> faults = new TreeMap<>();
        long committed = 0;
        for (long seed = 1; seed <= seeds; seed++) {
            Simulation simulation = new Simulation(seed, true, false);
            committed += simulation.run().committed();
            simulation.faults().forEach((what, times) -> faults.merge(what, times, Integer::sum));
        }
        System.out.printf("%d seeds: %d commits, %s%n", seeds, committed, faults);
        // A run in which nothing happens shows nothing.
        assertThat(committed).isGreaterThan(20L * seeds);
        if (seeds >= SEEDS) {
            assertThat(faults).containsKeys("crash", "pause", "partition", "cut", "power");
        }
    }

    @Test
    void abortsNothingForAFaultWhereThereIsNone() {
        for (long seed = 1; seed <= 5; seed++) {
            Simulation simulation = new Simulation(seed, false, false);
            Simulation.Result result = simulation.run();
            assertThat(result.unknown()).isZero();
            assertThat(simulation.endings()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void runsTheSameWayUnderTheSameSeed(long seed) {
        assertThat(new Simulation(seed, true, false).run())
                .isEqualTo(new Simulation(seed, true, false).run());
    }
}
