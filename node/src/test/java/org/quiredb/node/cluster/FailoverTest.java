package org.quiredb.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.message.NodeStatus;

/// Replicas of a real tier die without a word while clients write and read.
@Tag("slow")
final class FailoverTest {
    private static final int MEMORY_MEGABYTES = 1600;

    @TempDir private Path data;

    @Test
    @Timeout(120)
    void aSlavesDeathIsNoticedByNobodyAndTheMostAdvancedReplicaTakesAMastersPlace()
            throws Exception {
        try (FailoverTier failover = inside()) {
            failover.progress("before the deaths");
            dieAndReturn(failover, "slave-1");
            dieAndReturn(failover, failover.tier().leader());
            dieAndReturn(failover, failover.tier().leader());
            failover.verify();
        }
    }

    /// Their group is another one: sealed sockets, which tell of the deaths themselves.
    @Test
    @Timeout(120)
    void membersThatKnowOneAnotherByASecretTakeADeadMastersPlaceAsWell() throws Exception {
        try (FailoverTier failover =
                new FailoverTier(
                        data, config -> LocalCluster.inside(config, 0, new SecretPlace()))) {
            failover.progress("before the deaths");
            dieAndReturn(failover, "slave-1");
            dieAndReturn(failover, failover.tier().leader());
            failover.verify();
        }
    }

    @Test
    @Tag("long")
    @Timeout(600)
    void nothingIsLostWhenAnyReplicaDiesAgainAndAgain() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        try (FailoverTier failover = inside()) {
            failover.progress("before the deaths");
            for (int death = 0; death < 20; death++) {
                String victim =
                        random.nextBoolean()
                                ? failover.tier().leader()
                                : List.of("master", "slave-1", "slave-2", "spare-3")
                                        .get(random.nextInt(FailoverTier.REPLICAS));
                dieAndReturn(failover, victim);
            }
            failover.verify();
        }
    }

    @Test
    @Tag("long")
    @Timeout(600)
    void nothingIsLostWhenTheirProcessesAreKilled() throws Exception {
        ProcessOptions options =
                new ProcessOptions(
                        data.resolve("processes"), 0, MEMORY_MEGABYTES, FailoverTier.REPLICAS);
        try (FailoverTier failover =
                new FailoverTier(data, config -> LocalCluster.processes(config, options))) {
            failover.progress("before the deaths");
            dieAndReturn(failover, "slave-1");
            for (int death = 0; death < 4; death++) {
                dieAndReturn(failover, failover.tier().leader());
            }
            failover.verify();
        }
    }

    private FailoverTier inside() throws Exception {
        return new FailoverTier(data, config -> LocalCluster.inside(config, 0));
    }

    private static void dieAndReturn(FailoverTier failover, String victim) {
        boolean led = victim.equals(failover.tier().leader());
        failover.tier().kill(victim);
        assertThat(failover.tier().lagByNode()) // told even while there is no master
                .containsEntry(victim, -1L);
        failover.progress("over the death of %s %s".formatted(led ? "master" : "slave", victim));
        String leader = failover.tier().leader();
        assertThat(leader.equals(victim)).isFalse();
        failover.tier().revive(victim);
        failover.progress("after the return of " + victim);
        failover.await(() ->
                failover.tier().replicas().values().stream()
                        .map(NodeStatus::role)
                        .sorted()
                        .toList()
                        .equals(List.of("master", "slave", "slave", "spare")));
    }
}
