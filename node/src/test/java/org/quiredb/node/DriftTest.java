package org.quiredb.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.node.Await.await;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.error.QuireException;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.status.StatusClient;
import org.quiredb.node.status.TierStatus;
import org.quiredb.node.verify.Verification.Difference;

/// A backend to which somebody has written by hand, and one that refuses things for a while, under
/// a tier that is read and written all the time: no read of memory fails, and in the end the
/// backend holds what the tier holds, without anything having been started anew.
@Tag("slow")
final class DriftTest {
    private static final int ROWS = 60;

    @TempDir private static Path data;
    private static EmbeddedBackend backend;
    private static LocalCluster tier;

    @BeforeAll
    static void start() throws Exception {
        backend = FreshBackend.start(data);
        try (Connection direct = DriverManager.getConnection(backend.jdbcUrl(), "quire", "quire")) {
            execute(direct, "CREATE USER boss@127.0.0.1 IDENTIFIED BY 'boss'");
            execute(direct, "GRANT ALL PRIVILEGES ON *.* TO boss@127.0.0.1 WITH GRANT OPTION");
            execute(direct, "CREATE DATABASE bank");
            execute(
                    direct,
                    "CREATE TABLE bank.account (id INT PRIMARY KEY, balance INT NOT NULL,"
                            + " code VARCHAR(20) UNIQUE)");
            execute(direct, "CREATE TABLE bank.note (id INT PRIMARY KEY, text VARCHAR(20))");
            execute(direct, "CREATE TABLE bank.free (a INT, b VARCHAR(20), f FLOAT, c BLOB)");
            for (int id = 0; id < ROWS; id++) {
                execute(
                        direct,
                        "INSERT INTO bank.account VALUES (%d, 100, 'code %d')".formatted(id, id));
                execute(direct, "INSERT INTO bank.note VALUES (%d, 'note %d')".formatted(id, id));
                execute(
                        direct,
                        "INSERT INTO bank.free VALUES (%d, 'free', 0.1, x'ff')".formatted(id % 7));
            }
        }
        try (Connection boss = boss()) {
            execute(
                    boss,
                    "REVOKE READ_ONLY ADMIN, CONNECTION ADMIN, SUPER ON *.* FROM quire@127.0.0.1");
        }
        tier =
                LocalCluster.start(
                        new ClusterConfig(0, backend.port(), data, 1, 1, "quire", "quire"),
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

    private static Connection boss() throws SQLException {
        return DriverManager.getConnection(backend.jdbcUrl(), "boss", "boss");
    }

    private static Connection client() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + tier.port() + "/bank", "quire", "quire");
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void byHand(String... statements) throws SQLException {
        try (Connection boss = boss()) {
            for (String sql : statements) {
                execute(boss, sql);
            }
        }
    }

    private static void throughTheTier(String... statements) throws SQLException {
        try (Connection client = client()) {
            for (String sql : statements) {
                execute(client, sql);
            }
        }
    }

    private static void identical() {
        await("identical", () -> troubles().isEmpty() && isIdentical());
    }

    /// Not while a backend is away, or set aside.
    private static boolean isIdentical() {
        try {
            return tier.verify().identical();
        } catch (QuireException e) {
            return false;
        }
    }

    private static List<String> troubles() {
        try (StatusClient status = StatusClient.connect("127.0.0.1", tier.statusPort())) {
            return TierStatus.of(status.cluster()).troubles();
        }
    }

    @Test
    void rowsThatTheApplierMeetsArePutRight() throws Exception {
        try (Load load = new Load()) {
            byHand(
                    "DELETE FROM bank.account WHERE id IN (2, 3)",
                    "UPDATE bank.account SET code = 'by hand' WHERE id = 1",
                    "INSERT INTO bank.account VALUES (100, 5, 'new 1'), (101, 5, 'new 2')",
                    "DELETE FROM bank.note WHERE id < 20");
            throughTheTier(
                    "UPDATE account SET balance = balance + 1000 WHERE id = 2",
                    "DELETE FROM account WHERE id = 3",
                    "UPDATE account SET code = 'changed' WHERE id = 1",
                    "INSERT INTO account VALUES (100, 7, 'other')",
                    "INSERT INTO account VALUES (102, 8, 'new 2')",
                    "UPDATE note SET text = CONCAT(text, '!') WHERE id < 30");
            identical();
            load.goesOn();
        }
    }

    /// Rows that nobody changes through the tier, and those that are changed all the time.
    @Test
    void verifyPutsTheRestRightUnderLoad() throws Exception {
        try (Load load = new Load()) {
            byHand(
                    "DELETE FROM bank.account WHERE id BETWEEN 5 AND 25",
                    "UPDATE bank.account SET code = CONCAT('hand ', id) WHERE id BETWEEN 30 AND 50",
                    "INSERT INTO bank.account VALUES (1000, 5, 'hand'), (-3, 5, NULL)",
                    "UPDATE bank.note SET text = 'hand' WHERE id BETWEEN 40 AND 45",
                    "DELETE FROM bank.note WHERE id = 59",
                    "INSERT INTO bank.note VALUES (600, 'hand')",
                    "UPDATE bank.free SET b = 'hand' WHERE a = 1",
                    "UPDATE bank.free SET c = x'00fe' WHERE a = 5 LIMIT 2",
                    "DELETE FROM bank.free WHERE a = 2 LIMIT 1",
                    "INSERT INTO bank.free VALUES (3, 'free', 0.1, x'ff')",
                    "INSERT INTO bank.free VALUES (NULL, NULL, 0.3, NULL)");
            var output = new StringWriter();
            int exitCode =
                    Quire.commandLine()
                            .setOut(new PrintWriter(output))
                            .setErr(new PrintWriter(output))
                            .execute(
                                    "verify",
                                    "--repair",
                                    "--port",
                                    Integer.toString(tier.statusPort()));
            assertThat(exitCode).as(output.toString()).isZero();
            assertThat(output.toString()).contains("REPAIRED bank.free on backend-0");
            load.goesOn();
            identical();
        }
    }

    @Test
    void aBackendThatTakesNoWritesForSomeSeconds() throws Exception {
        try (Load load = new Load()) {
            byHand("SET GLOBAL read_only = 1");
            try {
                await("told", () -> troubles().toString().contains("takes no writes (read_only)"));
                load.readsGoOn();
            } finally {
                byHand("SET GLOBAL read_only = 0");
            }
            load.goesOn();
            identical();
        }
    }

    @Test
    void anAccountWhosePasswordIsChangedForSomeSeconds() throws Exception {
        try (Load load = new Load()) {
            byHand("ALTER USER quire@127.0.0.1 IDENTIFIED BY 'other'");
            try {
                endConnections();
                load.readsGoOn();
            } finally {
                byHand("ALTER USER quire@127.0.0.1 IDENTIFIED BY 'quire'");
            }
            load.goesOn();
            identical();
        }
    }

    @Test
    void aBackendWithoutConnectionsForSomeSeconds() throws Exception {
        List<Connection> taken = new ArrayList<>();
        try (Load load = new Load();
                Connection boss = boss()) {
            execute(boss, "SET GLOBAL max_connections = 15");
            try {
                endConnections();
                take(taken);
                load.readsGoOn();
            } finally {
                for (Connection connection : taken) {
                    connection.close();
                }
                execute(boss, "SET GLOBAL max_connections = 151");
            }
            load.goesOn();
            identical();
        }
    }

    private static void take(List<Connection> taken) {
        try {
            while (true) {
                taken.add(boss());
            }
        } catch (SQLException e) {
            assertThat(e.getErrorCode()).isEqualTo(1040);
        }
    }

    @Test
    void aTableThatIsDroppedByHandAndMadeAgainEmpty() throws Exception {
        try (Load load = new Load()) {
            byHand("DROP TABLE bank.note");
            throughTheTier("UPDATE note SET text = 'after' WHERE id = 1");
            await("told", () -> troubles().toString().contains("lacks a table or column"));
            load.goesOn();
            byHand("CREATE TABLE bank.note (id INT PRIMARY KEY, text VARCHAR(20))");
            throughTheTier("UPDATE note SET text = CONCAT(text, '.')");
            identical();
            load.goesOn();
        }
    }

    @Test
    void anEmptyTableThatIsDroppedByHandIsTold() throws Exception {
        throughTheTier("CREATE TABLE bare (id INT PRIMARY KEY)");
        byHand("DROP TABLE bank.bare");
        assertThat(tier.verify().differences())
                .extracting(Difference::table)
                .containsExactly("bank.bare");
        byHand("CREATE TABLE bank.bare (id INT PRIMARY KEY)");
        identical();
        throughTheTier("DROP TABLE bare");
    }

    private static void endConnections() throws SQLException {
        try (Connection boss = boss();
                Statement statement = boss.createStatement()) {
            List<Long> ids = new ArrayList<>();
            try (ResultSet rows =
                    statement.executeQuery(
                            "SELECT id FROM information_schema.processlist WHERE user = 'quire'")) {
                while (rows.next()) {
                    ids.add(rows.getLong(1));
                }
            }
            for (long id : ids) {
                try {
                    statement.execute("KILL " + id);
                } catch (SQLException e) {
                    assertThat(e.getErrorCode()).as("gone already").isEqualTo(1094);
                }
            }
        }
    }

    /// One client that reads and one that writes until it is closed. No read may fail; a write may
    /// be refused as long as the backend is in trouble, and is tried again.
    private static final class Load implements AutoCloseable {
        private final AtomicBoolean closed = new AtomicBoolean();
        private final CompletableFuture<Void> reader;
        private final CompletableFuture<Void> writer;
        private volatile long read;
        private volatile long written;
        private volatile @Nullable SQLException refused;

        Load() throws SQLException {
            reader = CompletableFuture.runAsync(this::read, Thread::startVirtualThread);
            writer = CompletableFuture.runAsync(this::write, Thread::startVirtualThread);
            goesOn();
        }

        private void read() {
            try (Connection client = client();
                    Statement statement = client.createStatement()) {
                for (long done = 1; !closed.get(); done++) {
                    statement
                            .executeQuery("SELECT balance FROM account WHERE id = " + read % ROWS)
                            .close();
                    read = done;
                }
            } catch (SQLException e) {
                throw new IllegalStateException("after " + read + " reads", e);
            }
        }

        private void write() {
            for (int i = 0; !closed.get(); ) {
                try (Connection client = client()) {
                    while (!closed.get()) {
                        execute(
                                client,
                                "UPDATE account SET balance = balance + 1 WHERE id = "
                                        + (10 + i % 40));
                        i++;
                        written = i;
                    }
                } catch (SQLException e) {
                    refused = e; // once more, with another connection
                }
            }
        }

        /// For some seconds.
        void readsGoOn() {
            long until = System.nanoTime() + 6_000_000_000L;
            while (System.nanoTime() < until) {
                long before = read;
                await("reads go on", () -> read > before + 10 || reader.isDone());
                assertThat(reader).isNotCompletedExceptionally();
            }
        }

        void goesOn() {
            readOn();
            long before = written;
            await("writes go on after " + refused, () -> written > before + 20);
        }

        private void readOn() {
            long before = read;
            await("reads go on", () -> read > before + 20 || reader.isDone());
            assertThat(reader).isNotCompletedExceptionally();
        }

        @Override
        public void close() {
            closed.set(true);
            reader.join();
            writer.join();
        }
    }
}
