package org.quiredb.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.config.ClassSection;

/// Two schedulers change the schemas of two masters at the same time.
@Tag("slow")
final class SchemasOfTwoTest {
    private static final int ROUNDS = 6;
    private static final int MASTERS = 2;

    @TempDir private Path data;

    @Test
    @Timeout(180)
    void tablesMadeAtOnceOnTwoMastersAreDistinctAndSeenThroughBothSchedulers() throws Exception {
        try (EmbeddedBackend backend = FreshBackend.start(data)) {
            try (Connection direct =
                            DriverManager.getConnection(backend.jdbcUrl(), "quire", "quire");
                    Statement statement = direct.createStatement()) {
                for (int master = 0; master < MASTERS; master++) {
                    statement.execute("CREATE DATABASE own" + master);
                    statement.execute(
                            "CREATE TABLE own%d.kept (id INT PRIMARY KEY)".formatted(master));
                }
            }
            ClusterConfig config =
                    new ClusterConfig(0, backend.port(), data, 1, 0, "quire", "quire")
                            .with(List.of(new ClassSection("own1", "slave-1", List.of())))
                            .with(new ClusterConfig.Copies(2, 1));
            try (LocalCluster tier = LocalCluster.start(config, backend)) {
                awaitMasters(tier);
                List<Maker> makers = new ArrayList<>();
                for (int master = 0; master < MASTERS; master++) {
                    makers.add(new Maker(master, tier.ports()));
                }
                for (Maker maker : makers) {
                    maker.end();
                }
                assertThat(tier.verify().differences()).isEmpty();
            }
        }
    }

    private static void awaitMasters(LocalCluster tier) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!tier.masterOf(new ConflictClass("own1")).orElse("").equals("slave-1")) {
            assertThat(System.nanoTime()).as("two masters").isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    /// Makes, changes and drops tables of one schema through one scheduler, and looks at each
    /// through the other at once.
    private static final class Maker {
        private final int number;
        private final List<Integer> ports;
        private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        private final Thread thread;
        private int rounds;

        Maker(int number, List<Integer> ports) {
            this.number = number;
            this.ports = ports;
            thread = Thread.ofPlatform().start(this::run);
        }

        void end() throws InterruptedException {
            thread.join();
            assertThat(failures).as("maker %d after %d rounds", number, rounds).isEmpty();
        }

        private void run() {
            try (Connection own = open(ports.get(number));
                    Connection other = open(ports.get(1 - number));
                    Statement here = own.createStatement();
                    Statement there = other.createStatement()) {
                while (rounds < ROUNDS) {
                    round(here, there);
                    rounds++;
                }
            } catch (SQLException | RuntimeException | AssertionError e) {
                failures.add(e);
            }
        }

        private void round(Statement here, Statement there) throws SQLException {
            String table = "own%d.t%d".formatted(number, rounds % 3);
            int value = 1_000 * number + rounds;
            here.execute("CREATE TABLE " + table + " (id INT PRIMARY KEY, n INT)");
            assertThat(values(there, table, "n")).isEmpty();
            here.execute("INSERT INTO " + table + " VALUES (1, " + value + ")");
            assertThat(values(there, table, "n")).containsExactly(value);
            here.execute("ALTER TABLE " + table + " ADD COLUMN more INT DEFAULT 7");
            assertThat(values(there, table, "more + n")).containsExactly(7 + value);
            there.execute("DROP TABLE " + table);
            assertThat(values(here, table, "n")).isNull();
        }
    }

    /// @return null when there is no such table
    private static @Nullable List<Integer> values(Statement statement, String table, String of)
            throws SQLException {
        try (ResultSet rows = statement.executeQuery("SELECT " + of + " FROM " + table)) {
            List<Integer> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getInt(1));
            }
            return values;
        } catch (SQLException e) {
            if (e.getErrorCode() == 1146) {
                return null;
            }
            throw e;
        }
    }

    private static Connection open(int port) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + port + "/", "quire", "quire");
    }
}
