package org.quiredb.master.role;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.quiredb.common.message.LoggerReply.TopologyReply;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPatterns;
import org.quiredb.master.role.Revival.Sight;
import org.quiredb.master.role.Revival.Step;
import org.quiredb.replica.intake.Progress;

/// What a replica that has nothing does, whatever it sees of the tier's members.
final class RevivalTest {
    private static final long LONG_QUIET = 1_000_000;
    private static final Topology THREE = tier("m", "s1", "s2");

    private static Topology tier(String leader, String... others) {
        return Topology.vacant(0)
                .begunBy(member(leader))
                .changed(Set.of(), List.of(others).stream().map(name -> member(name)).toList());
    }

    private static Member member(String name) {
        return new Member(name, name + ".host", 1, false);
    }

    private final Progress progress = new Progress(ClassPatterns.NONE);

    private Revival revival(String name, long patienceMillis, boolean aheadOfLog) {
        return new Revival(member(name), progress, patienceMillis, aheadOfLog);
    }

    private static Step step(
            Revival revival,
            Topology now,
            Map<String, Sight> sights,
            long quietMillis,
            long nowMillis) {
        return revival.step(new TopologyReply(now, List.of(), quietMillis), sights, nowMillis);
    }

    private final Revival master = revival("m", 0, false);

    @Test
    void theConfiguredMasterBeginsAtOnceWhatHasNeverBeenOrHasEnded() {
        assertThat(step(master, Topology.vacant(0), Map.of(), 0, 0)).isInstanceOf(Step.Claim.class);
        assertThat(step(master, THREE, Map.of("s1", Sight.ENDED, "s2", Sight.ENDED), 0, 0))
                .isInstanceOf(Step.Claim.class);
    }

    @Test
    void whoeverIsServedJoinsTheLeaderOnceItIsForgotten() {
        Map<String, Sight> sights = Map.of("m", Sight.SERVES, "s2", Sight.SILENT);
        assertThat(step(revival("s1", 0, false), THREE, sights, LONG_QUIET, 0))
                .isInstanceOf(Step.Wait.class);
        assertThat(step(revival("x", 0, false), THREE, sights, LONG_QUIET, 0))
                .isEqualTo(new Step.Join(THREE));
        assertThat(progress.topology()).isEqualTo(THREE);
        assertThat(step(revival("x", 0, false), THREE, Map.of("s1", Sight.SERVES), LONG_QUIET, 0))
                .isInstanceOf(Step.Wait.class);
    }

    /// A master that was lost, and taken over from, comes back on the backend's side of a cut.
    @Test
    void nobodyBeginsBesideATierThatMayBeComplete() {
        Topology without = tier("s1", "s2");
        Map<String, Sight> silent = Map.of("s1", Sight.SILENT, "s2", Sight.SILENT);
        for (long later = 0; later < 100; later++) {
            assertThat(step(master, without, silent, LONG_QUIET, later * 60_000))
                    .isInstanceOf(Step.Wait.class);
        }
        Map<String, Sight> one = Map.of("s1", Sight.SILENT, "s2", Sight.ENDED);
        assertThat(step(master, without, one, LONG_QUIET, 0)).isInstanceOf(Step.Claim.class);
    }

    @Test
    void oneThatTheTopologyNamesWaitsForThoseThatShowLifeAtTheLogger() {
        Map<String, Sight> silent = Map.of("s1", Sight.SILENT, "s2", Sight.SILENT);
        assertThat(step(master, THREE, silent, Revival.QUIET_MILLIS - 1, 0))
                .isInstanceOf(Step.Wait.class);
        assertThat(step(master, THREE, silent, Revival.QUIET_MILLIS, 0))
                .isInstanceOf(Step.Claim.class);
    }

    @Test
    void nobodyBeginsWhileAMemberHoldsAnything() {
        Map<String, Sight> sights = Map.of("s1", Sight.HOLDS, "s2", Sight.ENDED);
        assertThat(step(master, THREE, sights, LONG_QUIET, 0)).isInstanceOf(Step.Wait.class);
    }

    @Test
    void othersBeginWhenTheConfiguredMasterIsGoneForGood() {
        Revival slave = revival("s1", 15_000, false);
        Map<String, Sight> sights = Map.of("m", Sight.SILENT, "s2", Sight.ENDED);
        assertThat(step(slave, THREE, sights, LONG_QUIET, 0)).isInstanceOf(Step.Wait.class);
        assertThat(step(slave, THREE, sights, LONG_QUIET, 14_999)).isInstanceOf(Step.Wait.class);
        assertThat(step(slave, THREE, sights, LONG_QUIET, 15_000)).isInstanceOf(Step.Claim.class);
    }

    @Test
    void patienceBeginsAnewWhenSomebodyWasThere() {
        Revival slave = revival("s1", 15_000, false);
        Map<String, Sight> ended = Map.of("m", Sight.ENDED, "s2", Sight.ENDED);
        assertThat(step(slave, THREE, ended, 0, 0)).isInstanceOf(Step.Wait.class);
        Map<String, Sight> loading = Map.of("m", Sight.HOLDS, "s2", Sight.ENDED);
        assertThat(step(slave, THREE, loading, 0, 14_000)).isInstanceOf(Step.Wait.class);
        assertThat(step(slave, THREE, ended, 0, 16_000)).isInstanceOf(Step.Wait.class);
        assertThat(step(slave, THREE, ended, 0, 31_000)).isInstanceOf(Step.Claim.class);
    }

    @Test
    void aTierThatHasNeverBeenIsLeftToItsConfiguredMasterFirst() {
        Revival slave = revival("s1", 15_000, false);
        Topology never = Topology.vacant(0);
        assertThat(step(slave, never, Map.of(), 0, 0)).isInstanceOf(Step.Wait.class);
        assertThat(step(slave, never, Map.of(), 0, 14_999)).isInstanceOf(Step.Wait.class);
        assertThat(step(slave, never, Map.of(), 0, 15_000)).isInstanceOf(Step.Claim.class);
    }

    @Test
    void whereCommitsMayBeAheadOfTheLogTheLossOfOneHostIsTaken() {
        Revival ahead = revival("m", 0, true);
        Map<String, Sight> one = Map.of("s1", Sight.SILENT, "s2", Sight.ENDED);
        assertThat(step(ahead, THREE, one, Revival.QUIET_MILLIS, 0)).isInstanceOf(Step.Wait.class);
        assertThat(step(ahead, THREE, one, Revival.QUIET_AHEAD_MILLIS, 0))
                .isInstanceOf(Step.Claim.class);
        Map<String, Sight> two = Map.of("s1", Sight.SILENT, "s2", Sight.SILENT);
        assertThat(step(ahead, THREE, two, LONG_QUIET, 0)).isInstanceOf(Step.Wait.class);
    }

    /// Whoever sees the topology must not take the replica for one whose life is over.
    @Test
    void whoClaimsATierLoadsBeforeAnybodyCanSeeItAndWaitsWhereAnotherWasFaster() {
        Step step = step(master, THREE, Map.of("s1", Sight.ENDED, "s2", Sight.ENDED), 0, 0);
        Topology first = THREE.begunBy(member("m"));
        assertThat(step).isEqualTo(new Step.Claim(first));
        assertThat(progress.state()).isEqualTo(Progress.State.LOADING);
        assertThat(master.claimed(first, THREE.begunBy(member("s1")))).isFalse();
        assertThat(progress.state()).isEqualTo(Progress.State.WAITING);
        assertThat(progress.epoch()).isZero();
        assertThat(master.claimed(first, first)).isTrue();
        assertThat(progress.topology()).isEqualTo(first);
    }
}
