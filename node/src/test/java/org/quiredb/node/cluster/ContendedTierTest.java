package org.quiredb.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;

/// What clients see who get in each other's way: Connector/J, a scheduler, a master, a slave, a
/// real InnoDB.
@Tag("slow")
final class ContendedTierTest {
    private static final int CLIENTS = 8;
    private static final int STATEMENTS = 60;

    @TempDir private static Path data;
    private static EmbeddedBackend backend;
    private static LocalCluster tier;

    @BeforeAll
    static void start() throws Exception {
        backend = FreshBackend.start(data);
        try (Connection direct = DriverManager.getConnection(backend.jdbcUrl(), "quire", "quire")) {
            execute(direct, "CREATE DATABASE shop");
            for (String table : List.of("shop.a", "shop.b")) {
                execute(direct, "CREATE TABLE " + table + " (id INT PRIMARY KEY, n INT NOT NULL)");
                execute(direct, "INSERT INTO " + table + " VALUES (1, 0)");
                execute(direct, "INSERT INTO " + table + " VALUES (2, 0)");
            }
        }
        tier =
                LocalCluster.start(
                        new ClusterConfig(0, backend.port(), data, 1, 0, "quire", "quire"),
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

    /// Each statement locks a row of one table and reads a row of the other.
    @Test
    void autocommitStatementsThatDeadlockAreRunAgainUnseen() throws Exception {
        Map<String, Object> before = tier.figures();
        try (Connection connection = connect()) {
            execute(connection, "UPDATE a SET n = 0 WHERE id = 1");
        }
        List<Callable<Void>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            String sql =
                    i % 2 == 0
                            ? "UPDATE a SET n = n + 1 + 0 * (SELECT n FROM b WHERE id = 1) WHERE id = 1"
                            : "UPDATE b SET n = n + 1 + 0 * (SELECT n FROM a WHERE id = 1) WHERE id = 1";
            clients.add(() -> {
                try (Connection connection = connect()) {
                    for (int n = 0; n < STATEMENTS; n++) {
                        execute(connection, sql);
                    }
                }
                return null;
            });
        }
        all(clients);
        assertThat(grown(before, "deadlocks")).as("the workload deadlocks").isPositive();
        assertThat(grown(before, "statementsRetried")).isEqualTo(grown(before, "deadlocks"));
        try (Connection connection = connect()) {
            int each = CLIENTS / 2 * STATEMENTS;
            assertThat(number(connection, "SELECT n FROM a WHERE id = 1")).isEqualTo(each);
            assertThat(number(connection, "SELECT n FROM b WHERE id = 1")).isEqualTo(each);
        }
    }

    @Test
    void aTransactionThatDeadlocksGetsAnErrorAndIsRolledBackAsAWhole() throws Exception {
        try (Connection light = connect();
                Connection heavy = connect();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            light.setAutoCommit(false);
            heavy.setAutoCommit(false);
            execute(heavy, "UPDATE a SET n = 100 WHERE id = 2");
            execute(light, "UPDATE b SET n = 7 WHERE id = 2");
            Future<?> waits =
                    threads.submit(() -> {
                        execute(heavy, "UPDATE b SET n = 100 WHERE id = 2");
                        return null;
                    });
            awaitWaiting(1);
            assertThatThrownBy(() -> execute(light, "UPDATE a SET n = 7 WHERE id = 2"))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> {
                                assertThat(e.getErrorCode()).isEqualTo(1213);
                                assertThat(e.getSQLState()).isEqualTo("40001");
                            });
            waits.get();
            heavy.commit();
            light.commit();
            assertThat(number(light, "SELECT n FROM a WHERE id = 2")).isEqualTo(100);
            assertThat(number(light, "SELECT n FROM b WHERE id = 2")).isEqualTo(100);
        }
    }

    @Test
    void aReaderKeepsItsSnapshotWhileOthersWriteAndIsSeenInTheMemoryThatItCosts() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        try (Connection reader = connect();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            reader.setReadOnly(true);
            reader.setAutoCommit(false);
            long before = number(reader, "SELECT SUM(n) FROM a");
            Future<Integer> writer =
                    threads.submit(() -> {
                        int writes = 0;
                        try (Connection connection = connect()) {
                            while (!done.get()) {
                                execute(connection, "UPDATE a SET n = n + 1 WHERE id = 1");
                                number(connection, "SELECT SUM(n) FROM a");
                                writes++;
                            }
                            return writes;
                        }
                    });
            double alone = held();
            for (int i = 0; i < 100; i++) {
                assertThat(number(reader, "SELECT SUM(n) FROM a")).isEqualTo(before);
            }
            done.set(true);
            assertThat(writer.get()).isPositive();
            assertThat(held()).isGreaterThan(alone);
            reader.commit();
            assertThat(number(reader, "SELECT SUM(n) FROM a")).isEqualTo(before + writer.get());
        }
        assertThat(tier.figures().get("versionConflicts")).isEqualTo(0L);
    }

    private static double held() {
        return tier.replicas().values().stream()
                .filter(status -> status.role().equals("slave"))
                .mapToDouble(status -> status.figure("versions.bytes"))
                .sum();
    }

    private static void awaitWaiting(int transactions) {
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (tier.replicas().values().stream().mapToDouble(s -> s.figure("lock.waiting")).sum()
                < transactions) {
            assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private static double grown(Map<String, Object> before, String figure) {
        return ((Number) tier.figures().getOrDefault(figure, 0)).doubleValue()
                - ((Number) before.getOrDefault(figure, 0)).doubleValue();
    }

    private static void all(List<Callable<Void>> clients) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Void> client : threads.invokeAll(clients)) {
                client.get();
            }
        }
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + tier.port() + "/shop", "quire", "quire");
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getLong(1);
        }
    }
}
