package org.quiredb.node.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;

/// What the end of a transaction has told, every statement sees that begins afterwards: two
/// schedulers, two loggers, no faults.
///
/// `-Dquire.stale.minutes=N` says how long the long run takes.
@Tag("slow")
final class StaleReadTest {
    private static final Duration SHORT_RUN = Duration.ofSeconds(5);
    private static final int LEAST_ROUNDS = 200;

    @TempDir private Path data;

    @Test
    void nobodyReadsWhatIsOlderThanWhatAnotherHasSeen() throws Exception {
        assertThat(run(SHORT_RUN)).isGreaterThanOrEqualTo(LEAST_ROUNDS);
    }

    @Test
    @Tag("long")
    void nobodyDoesInALongRun() throws Exception {
        assertThat(run(Duration.ofMinutes(Integer.getInteger("quire.stale.minutes", 1))))
                .isGreaterThanOrEqualTo(LEAST_ROUNDS);
    }

    private long run(Duration duration) throws Exception {
        try (EmbeddedBackend backend = FreshBackend.start(data)) {
            try (Connection direct =
                    DriverManager.getConnection(backend.jdbcUrl(), "quire", "quire")) {
                StaleReads.create(direct);
            }
            ClusterConfig config =
                    new ClusterConfig(0, backend.port(), data, 2, 0, "quire", "quire")
                            .with(new ClusterConfig.Copies(2, 2));
            try (LocalCluster tier = LocalCluster.start(config, backend)) {
                List<String> urls =
                        tier.ports().stream()
                                .map("jdbc:mysql://127.0.0.1:%d/stale"::formatted)
                                .toList();
                StaleReads reads = new StaleReads(urls);
                reads.run(duration.toNanos(), LEAST_ROUNDS);
                System.out.printf(
                        "%d rounds, %d stale %s%n", reads.rounds(), reads.stale(), reads.byWay());
                assertThat(reads.findings()).isEmpty();
                assertThat(reads.byWay()).containsOnlyKeys(StaleReads.Way.values());
                return reads.rounds();
            }
        }
    }
}
