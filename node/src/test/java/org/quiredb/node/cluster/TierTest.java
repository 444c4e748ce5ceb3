package org.quiredb.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.verify.Verification;
import org.quiredb.tpcw.population.Population;
import org.quiredb.tpcw.run.Workload;
import org.quiredb.tpcw.run.WorkloadConfig;
import org.quiredb.tpcw.run.WorkloadResult;

/// The whole tier, end to end: Connector/J, scheduler, master, two slaves, a spare, logger, a real
/// InnoDB.
@Tag("slow")
final class TierTest {
    private static final int CLIENTS = 8;

    @TempDir private static Path data;
    private static EmbeddedBackend backend;
    private static LocalCluster tier;

    @BeforeAll
    static void start() throws Exception {
        backend = FreshBackend.start(data);
        Population.populate(
                backend.jdbcUrl() + "tpcw?createDatabaseIfNotExist=true",
                "quire",
                "quire",
                1000,
                1440,
                1,
                (step, rows, total) -> {});
        try (Connection direct = DriverManager.getConnection(backend.jdbcUrl(), "quire", "quire");
                Statement statement = direct.createStatement()) {
            statement.execute("CREATE DATABASE bank");
            statement.execute(
                    "CREATE TABLE bank.account (id INT PRIMARY KEY, balance INT NOT NULL)");
            for (int id = 0; id < 100; id++) {
                statement.execute("INSERT INTO bank.account VALUES (%d, 100)".formatted(id));
            }
            statement.execute("CREATE TABLE bank.cell (id INT PRIMARY KEY, value INT NOT NULL)");
            for (int id = 0; id < CLIENTS; id++) {
                statement.execute("INSERT INTO bank.cell VALUES (%d, 0)".formatted(id));
            }
        }
        tier =
                LocalCluster.start(
                        new ClusterConfig(0, backend.port(), data, 2, 1, "quire", "quire"),
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
    void runsTheBookstoreWithoutErrorsAndStaysIdenticalToItsBackend() throws Exception {
        WorkloadResult result =
                Workload.run(
                        WorkloadConfig.of(url("tpcw"), "quire", "quire")
                                .withBrowsers(8, 0)
                                .withSeconds(8, 2),
                        progress -> {});

        assertThat(result.errorMessages()).isEmpty();
        assertThat(result.errors()).isZero();
        assertThat(result.updateCommits()).isPositive();
        Verification verification = tier.verify();
        assertThat(verification.differences()).isEmpty();
        assertThat(verification.replicas()).isEqualTo(4);
        assertThat(verification.backends()).isEqualTo(1);
        assertThat(tier.readsByNode().get("master")).isZero();
    }

    @Test
    void readsOfAnotherConnectionSeeEveryAcknowledgedCommit() throws Exception {
        readOwnWrites(100);
    }

    @Test
    @Tag("long")
    void tenThousandReadsOfAnotherConnectionSeeEveryAcknowledgedCommit() throws Exception {
        readOwnWrites(10_000 / CLIENTS);
    }

    private static void readOwnWrites(int rounds) throws Exception {
        AtomicLong stale = new AtomicLong();
        each(
                CLIENTS,
                client ->
                        () -> {
                            try (Connection writer = connect("bank");
                                    Connection reader = connect("bank")) {
                                reader.setAutoCommit(false);
                                reader.setReadOnly(true);
                                long before = number(reader, "SELECT MAX(value) FROM cell");
                                reader.commit();
                                for (long value = before + 1; value <= before + rounds; value++) {
                                    execute(
                                            writer,
                                            "UPDATE cell SET value = %d WHERE id = %d"
                                                    .formatted(value, client));
                                    long read =
                                            number(
                                                    reader,
                                                    "SELECT value FROM cell WHERE id = " + client);
                                    if (read != value) {
                                        stale.incrementAndGet();
                                    }
                                    reader.commit();
                                }
                            }
                            return null;
                        });
        assertThat(stale).as("stale of %d reads", rounds * CLIENTS).hasValue(0);
    }

    @Test
    void sumsOverTransfersUnderWayNeverDiffer() throws Exception {
        transferAndSum(Duration.ofSeconds(5));
    }

    @Test
    @Tag("long")
    void sumsOverTransfersOfAMinuteNeverDiffer() throws Exception {
        transferAndSum(Duration.ofSeconds(60));
    }

    private static void transferAndSum(Duration duration) throws Exception {
        Map<String, Long> before = tier.readsByNode();
        long deadline = System.nanoTime() + duration.toNanos();
        each(
                CLIENTS,
                client ->
                        () -> {
                            try (Connection connection = connect("bank")) {
                                for (int round = 0; System.nanoTime() < deadline; round++) {
                                    if (client % 2 == 0) {
                                        transfer(
                                                connection,
                                                client * 7 + round,
                                                client * 3 + round * 5 + 1);
                                    } else {
                                        assertThat(
                                                        number(
                                                                connection,
                                                                "SELECT SUM(balance) FROM account"))
                                                .isEqualTo(10_000);
                                    }
                                }
                            }
                            return null;
                        });
        Map<String, Long> after = tier.readsByNode();
        for (String slave : List.of("slave-1", "slave-2")) {
            assertThat(after.get(slave)).as("reads of " + slave).isGreaterThan(before.get(slave));
        }
    }

    @Test
    void answersBadInputWithMySqlsNumbers() throws Exception {
        try (Connection connection = connect("bank")) {
            assertThat(errorOf(connection, "SELEC 1")).isEqualTo(1064);
            assertThat(errorOf(connection, "SELECT nothing FROM account")).isEqualTo(1054);
            assertThat(errorOf(connection, "SELECT * FROM nowhere")).isEqualTo(1146);
            assertThat(errorOf(connection, "INSERT INTO account VALUES (1, 1)")).isEqualTo(1062);
            assertThat(
                            errorOf(
                                    connection,
                                    "UPDATE account, tpcw.item SET balance = 1, i_stock = 1"))
                    .isEqualTo(1235);
            assertThat(number(connection, "SELECT 1")).isEqualTo(1);
        }
        assertThatThrownBy(() -> DriverManager.getConnection(url("bank"), "quire", "wrong"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1045));
        assertThatThrownBy(() -> connect("nowhere"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1049));
    }

    private static void transfer(Connection connection, int from, int to) throws SQLException {
        connection.setAutoCommit(false);
        try {
            execute(
                    connection,
                    "UPDATE account SET balance = balance - 1 WHERE id = " + from % 100);
            execute(connection, "UPDATE account SET balance = balance + 1 WHERE id = " + to % 100);
            connection.commit();
        } catch (SQLException e) {
            connection.rollback();
            assertThat(e.getErrorCode()).isIn(1213, 1205);
        }
    }

    private static void each(int clients, java.util.function.IntFunction<Callable<Void>> work)
            throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Void>> results = new ArrayList<>();
            for (int client = 0; client < clients; client++) {
                results.add(threads.submit(work.apply(client)));
            }
            for (Future<Void> result : results) {
                result.get();
            }
        }
    }

    private static int errorOf(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
            return 0;
        } catch (SQLException e) {
            return e.getErrorCode();
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(url(database), "quire", "quire");
    }

    private static String url(String database) {
        return "jdbc:mysql://127.0.0.1:" + tier.port() + "/" + database;
    }
}
