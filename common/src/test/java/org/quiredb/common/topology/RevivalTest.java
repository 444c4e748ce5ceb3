package org.quiredb.common.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.quiredb.common.topology.Revival.Sight;
import org.quiredb.common.topology.Revival.Step;

/// What a replica that has nothing does, whatever it sees of the tier's members.
final class RevivalTest {
    private static final long LONG_QUIET = 1_000_000;
    private static final Topology THREE = tier("m", "s1", "s2");

    private static Topology tier(String leader, String... others) {
        return Topology.vacant(0)
                .begunBy(new Member(leader, leader + ".host", 1, false))
                .changed(
                        Set.of(),
                        List.of(others).stream()
                                .map(name -> new Member(name, name + ".host", 1, false))
                                .toList());
    }

    private final Revival master = new Revival("m", 0, false);

    @Test
    void theConfiguredMasterBeginsAtOnceWhatHasNeverBeenOrHasEnded() {
        assertThat(master.step(Topology.vacant(0), Map.of(), 0, 0)).isEqualTo(new Step.Load());
        assertThat(master.step(THREE, Map.of("s1", Sight.ENDED, "s2", Sight.ENDED), 0, 0))
                .isEqualTo(new Step.Load());
    }

    @Test
    void whoeverIsServedJoinsTheLeaderOnceItIsForgotten() {
        Map<String, Sight> sights = Map.of("m", Sight.SERVES, "s2", Sight.SILENT);
        assertThat(new Revival("s1", 0, false).step(THREE, sights, LONG_QUIET, 0))
                .isInstanceOf(Step.Wait.class);
        assertThat(new Revival("x", 0, false).step(THREE, sights, LONG_QUIET, 0))
                .isEqualTo(new Step.Join());
        assertThat(
                        new Revival("x", 0, false)
                                .step(THREE, Map.of("s1", Sight.SERVES), LONG_QUIET, 0))
                .isInstanceOf(Step.Wait.class);
    }

    /// A master that was lost, and taken over from, comes back on the backend's side of a cut.
    @Test
    void nobodyBeginsBesideATierThatMayBeComplete() {
        Topology without = tier("s1", "s2");
        Map<String, Sight> silent = Map.of("s1", Sight.SILENT, "s2", Sight.SILENT);
        for (long later = 0; later < 100; later++) {
            assertThat(master.step(without, silent, LONG_QUIET, later * 60_000))
                    .isInstanceOf(Step.Wait.class);
        }
        Map<String, Sight> one = Map.of("s1", Sight.SILENT, "s2", Sight.ENDED);
        assertThat(master.step(without, one, LONG_QUIET, 0)).isEqualTo(new Step.Load());
    }

    @Test
    void oneThatTheTopologyNamesWaitsForThoseThatShowLifeAtTheLogger() {
        Map<String, Sight> silent = Map.of("s1", Sight.SILENT, "s2", Sight.SILENT);
        assertThat(master.step(THREE, silent, Revival.QUIET_MILLIS - 1, 0))
                .isInstanceOf(Step.Wait.class);
        assertThat(master.step(THREE, silent, Revival.QUIET_MILLIS, 0)).isEqualTo(new Step.Load());
    }

    @Test
    void nobodyBeginsWhileAMemberHoldsAnything() {
        Map<String, Sight> sights = Map.of("s1", Sight.HOLDS, "s2", Sight.ENDED);
        assertThat(master.step(THREE, sights, LONG_QUIET, 0)).isInstanceOf(Step.Wait.class);
    }

    @Test
    void othersBeginWhenTheConfiguredMasterIsGoneForGood() {
        Revival slave = new Revival("s1", 15_000, false);
        Map<String, Sight> sights = Map.of("m", Sight.SILENT, "s2", Sight.ENDED);
        assertThat(slave.step(THREE, sights, LONG_QUIET, 0)).isInstanceOf(Step.Wait.class);
        assertThat(slave.step(THREE, sights, LONG_QUIET, 14_999)).isInstanceOf(Step.Wait.class);
        assertThat(slave.step(THREE, sights, LONG_QUIET, 15_000)).isEqualTo(new Step.Load());
    }

    @Test
    void patienceBeginsAnewWhenSomebodyWasThere() {
        Revival slave = new Revival("s1", 15_000, false);
        Map<String, Sight> ended = Map.of("m", Sight.ENDED, "s2", Sight.ENDED);
        assertThat(slave.step(THREE, ended, 0, 0)).isInstanceOf(Step.Wait.class);
        Map<String, Sight> loading = Map.of("m", Sight.HOLDS, "s2", Sight.ENDED);
        assertThat(slave.step(THREE, loading, 0, 14_000)).isInstanceOf(Step.Wait.class);
        assertThat(slave.step(THREE, ended, 0, 16_000)).isInstanceOf(Step.Wait.class);
        assertThat(slave.step(THREE, ended, 0, 31_000)).isEqualTo(new Step.Load());
    }

    @Test
    void aTierThatHasNeverBeenIsLeftToItsConfiguredMasterFirst() {
        Revival slave = new Revival("s1", 15_000, false);
        Topology never = Topology.vacant(0);
        assertThat(slave.step(never, Map.of(), 0, 0)).isInstanceOf(Step.Wait.class);
        assertThat(slave.step(never, Map.of(), 0, 14_999)).isInstanceOf(Step.Wait.class);
        assertThat(slave.step(never, Map.of(), 0, 15_000)).isEqualTo(new Step.Load());
    }

    @Test
    void whereCommitsMayBeAheadOfTheLogTheLossOfOneHostIsTaken() {
        Revival ahead = new Revival("m", 0, true);
        Map<String, Sight> one = Map.of("s1", Sight.SILENT, "s2", Sight.ENDED);
        assertThat(ahead.step(THREE, one, Revival.QUIET_MILLIS, 0)).isInstanceOf(Step.Wait.class);
        assertThat(ahead.step(THREE, one, Revival.QUIET_AHEAD_MILLIS, 0))
                .isEqualTo(new Step.Load());
        Map<String, Sight> two = Map.of("s1", Sight.SILENT, "s2", Sight.SILENT);
        assertThat(ahead.step(THREE, two, LONG_QUIET, 0)).isInstanceOf(Step.Wait.class);
    }
}
