package org.quiredb.node.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.history.Transaction.Outcome;

/// What clients of a whole tier see is strictly serialisable: updates on the master, reads on every
/// slave, each history under a seed that a failure prints.
///
/// `-Dquire.history.minutes=N` says how long the long run takes, `-Dquire.history.seed=N` where the
/// seeds begin.
final class TierHistoryTest {
    private static final int CLIENTS = 8;

    @TempDir private static Path data;
    private static EmbeddedBackend backend;
    private static LocalCluster tier;

    private final List<String> found = new ArrayList<>();
    private int histories;
    private int committed;
    private int aborted;

    @BeforeAll
    static void start() throws Exception {
        backend = EmbeddedBackend.start(data, freePort(), "quire", "quire");
        try (Connection direct = DriverManager.getConnection(backend.jdbcUrl(), "quire", "quire")) {
            Storage.create(direct);
        }
        tier =
                LocalCluster.start(
                        new ClusterConfig(0, backend.port(), data, 3, 0, "quire", "quire"),
                        backend);
    }

    @AfterAll
    static void stop() {
        try {
            if (tier != null) {
                tier.close();
            }
        } finally {
            if (backend != null) {
                backend.close();
            }
        }
    }

    @Test
    void showsNoAnomalyForSeconds() throws Exception {
        checkFor(Duration.ofSeconds(5));
    }

    @Test
    @Tag("long")
    void showsNoAnomalyForMinutes() throws Exception {
        checkFor(Duration.ofMinutes(Long.getLong("quire.history.minutes", 1)));
    }

    private void checkFor(Duration duration) throws Exception {
        long seed = Long.getLong("quire.history.seed", System.nanoTime());
        List<Connection> connections = new ArrayList<>();
        try {
            for (int client = 0; client < CLIENTS; client++) {
                connections.add(connect());
            }
            long deadline = System.nanoTime() + duration.toNanos();
            while (histories < Storage.values().length || System.nanoTime() < deadline) {
                check(Storage.values()[histories % Storage.values().length], connections, seed++);
            }
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
        System.out.printf(
                "%d histories, %d anomalies (%d transactions committed, %d rolled back)%n",
                histories, found.size(), committed, aborted);
        assertThat(found).isEmpty();
        Map<String, Long> reads = tier.readsByNode();
        assertThat(reads.remove("master")).isZero();
        assertThat(reads.values()).allMatch(count -> count > 0);
        assertThat(tier.verify().differences()).isEmpty();
    }

    private void check(Storage storage, List<Connection> connections, long seed) throws Exception {
        List<Transaction> history = Recorder.record(storage, connections, seed);
        List<Anomaly> anomalies =
                storage == Storage.REGISTERS
                        ? Registers.check(history)
                        : HistoryChecker.check(history);
        anomalies.forEach(
                anomaly -> found.add("seed %d, %s: %s".formatted(seed, storage, anomaly)));
        histories++;
        for (Transaction transaction : history) {
            if (transaction.outcome() == Outcome.COMMITTED) {
                committed++;
            } else {
                aborted++;
            }
        }
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + tier.port() + "/history", "quire", "quire");
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }
}
