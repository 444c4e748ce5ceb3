package org.quiredb.scheduler.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.route.ReplicaView.Role;

class RouterTest {
    private static final VersionVector TAG = VersionVector.EMPTY.with(1, 7);

    private static ReplicaView replica(
            String name, Role role, int inFlight, VersionVector running) {
        return new ReplicaView(name, role, true, 0, inFlight, running);
    }

    @Test
    void ofTheLeastLoadedTheOneWithTheSameVersionsIsPreferred() {
        List<ReplicaView> replicas =
                List.of(
                        replica("a", Role.SLAVE, 2, VersionVector.EMPTY.with(1, 6)),
                        replica("b", Role.SLAVE, 2, TAG.with(2, 9)),
                        replica("c", Role.SLAVE, 3, TAG));
        for (int turn = 0; turn < 4; turn++) {
            assertThat(Router.read(replicas, TAG, Set.of(1), Set.of(), turn))
                    .isEqualTo(new Routing.ToReplica("b"));
        }
        assertThat(Router.read(replicas, TAG, Set.of(1, 2), Set.of(), 0))
                .isEqualTo(new Routing.ToReplica("a"));
    }

    @Test
    void aReplicaWithOtherVersionsThatIsLessLoadedIsPreferred() {
        List<ReplicaView> replicas =
                List.of(
                        replica("a", Role.SLAVE, 0, VersionVector.EMPTY.with(1, 6)),
                        replica("b", Role.SLAVE, 1, TAG));
        assertThat(Router.read(replicas, TAG, Set.of(1), Set.of(), 0))
                .isEqualTo(new Routing.ToReplica("a"));
    }

    @Test
    void affinityDoesNotPileReadsUpOnOneReplica() {
        List<ReplicaView> replicas =
                List.of(
                        replica("a", Role.SLAVE, 5, TAG),
                        replica("b", Role.SLAVE, 0, VersionVector.EMPTY));
        assertThat(Router.read(replicas, TAG, Set.of(1), Set.of(), 3))
                .isEqualTo(new Routing.ToReplica("b"));
    }

    @Test
    void aReplicaOfThisProcessIsPreferredUnlessItIsMoreLoaded() {
        for (int turn = 0; turn < 4; turn++) {
            assertThat(Router.read(nearAndFar(0, 0), TAG, Set.of(1), Set.of(), turn))
                    .isEqualTo(new Routing.ToReplica("near"));
        }
        assertThat(Router.read(nearAndFar(1, 0), TAG, Set.of(1), Set.of(), 0))
                .isEqualTo(new Routing.ToReplica("far"));
        assertThat(Router.read(nearAndFar(0, 0), TAG, Set.of(1), Set.of("near"), 0))
                .isEqualTo(new Routing.ToReplica("far"));
    }

    private static List<ReplicaView> nearAndFar(int near, int far) {
        return List.of(
                replica("far", Role.SLAVE, far, VersionVector.EMPTY),
                new ReplicaView("near", Role.SLAVE, true, 0, near, VersionVector.EMPTY, true));
    }

    @Test
    void theMasterReadsOnlyWhenNoSlaveServes() {
        ReplicaView master = replica("m", Role.MASTER, 0, TAG);
        ReplicaView spare = replica("w", Role.SPARE, 0, TAG);
        assertThat(
                        Router.read(
                                List.of(master, spare, replica("a", Role.SLAVE, 99, TAG)),
                                TAG,
                                Set.of(1),
                                Set.of("a"),
                                0))
                .isEqualTo(new Routing.ToReplica("a"));
        assertThat(Router.read(List.of(master, spare), TAG, Set.of(1), Set.of(), 0))
                .isEqualTo(new Routing.ToReplica("m"));
        assertThat(Router.read(List.of(spare), TAG, Set.of(1), Set.of(), 0))
                .isInstanceOf(Routing.Rejected.class);
        assertThat(Router.update(List.of(spare))).isInstanceOf(Routing.Rejected.class);
    }

    @Test
    void aSpareThatIsToBeKeptWarmGetsItsShareOfTheReadsAndNoMore() {
        List<ReplicaView> replicas =
                List.of(
                        replica("a", Role.SLAVE, 0, TAG),
                        new ReplicaView("w", Role.SPARE, true, 1, 0, TAG),
                        new ReplicaView("x", Role.SPARE, true, 3, 9, TAG),
                        new ReplicaView("promoted", Role.SLAVE, true, 50, 9, TAG),
                        new ReplicaView("dead", Role.SPARE, false, 50, 0, TAG));
        Map<String, Integer> reads = new HashMap<>();
        for (long turn = 0; turn < 1_000; turn++) {
            if (Router.read(replicas, TAG, Set.of(1), Set.of(), turn)
                    instanceof Routing.ToReplica(String name)) {
                reads.merge(name, 1, Integer::sum);
            }
        }
        assertThat(reads).isEqualTo(Map.of("a", 960, "w", 10, "x", 30));
        assertThat(Router.read(replicas, TAG, Set.of(1), Set.of("w"), 0))
                .as("one that has refused it is not asked again")
                .isEqualTo(new Routing.ToReplica("a"));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whateverTheTierLooksLikeNoSpareAndNoIdleMasterReads(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 2_000; round++) {
            List<ReplicaView> replicas = new ArrayList<>();
            for (int i = 0; i < 1 + random.nextInt(6); i++) {
                Role role = Role.values()[random.nextInt(3)];
                replicas.add(
                        new ReplicaView(
                                "r" + i,
                                role,
                                random.nextBoolean(),
                                0,
                                random.nextInt(4),
                                TAG.with(1, random.nextInt(3))));
            }
            boolean slave = replicas.stream().anyMatch(r -> r.serving() && r.role() == Role.SLAVE);
            if (Router.read(replicas, TAG, Set.of(1), Set.of("r0"), random.nextLong())
                    instanceof Routing.ToReplica(String name)) {
                ReplicaView chosen =
                        replicas.stream()
                                .filter(r -> r.name().equals(name))
                                .findFirst()
                                .orElseThrow();
                assertThat(chosen.serving()).isTrue();
                assertThat(chosen.role()).isEqualTo(slave ? Role.SLAVE : Role.MASTER);
            }
        }
    }
}
