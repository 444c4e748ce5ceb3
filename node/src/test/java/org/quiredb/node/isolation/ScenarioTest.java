package org.quiredb.node.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.quiredb.node.isolation.Scenario.Step;

/// The classic anomalies through the endpoint, each answered as MariaDB answers at the same level:
/// the same script runs on both.
@ExtendWith(RunningTier.class)
@Tag("slow")
final class ScenarioTest {
    private static final String WAITS = "waits";
    private static final long PATIENCE_SECONDS = 20;

    static List<Scenario> scenarios() throws IOException {
        List<Scenario> all = new ArrayList<>();
        all.addAll(scenarios("scenarios.txt", Connection.TRANSACTION_SERIALIZABLE));
        all.addAll(scenarios("repeatable-read.txt", Connection.TRANSACTION_REPEATABLE_READ));
        all.addAll(scenarios("read-committed.txt", Connection.TRANSACTION_READ_COMMITTED));
        return all;
    }

    private static List<Scenario> scenarios(String file, int level) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(ScenarioTest.class.getResourceAsStream(file))) {
            return Scenario.all(new String(in.readAllBytes(), StandardCharsets.UTF_8), level);
        }
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void quireAnswersAsPromised(Scenario scenario, Tier tier) throws Exception {
        play(scenario, () -> tier.open(0, 0), tier::lockWaits, "scenario");
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void andSoDoesMariaDb(Scenario scenario, Tier tier) throws Exception {
        try {
            play(scenario, tier::direct, tier::lockWaitsOfBackend, "scenario_direct");
        } finally {
            try (Connection direct = tier.direct()) {
                Tables.execute(direct, "DROP DATABASE IF EXISTS scenario_direct");
            }
        }
    }

    private interface Door {
        Connection open() throws SQLException;
    }

    private static void play(
            Scenario scenario, Door door, Callable<Long> lockWaits, String database)
            throws Exception {
        try (Connection connection = door.open()) {
            fill(connection, database);
        }
        Map<String, Session> sessions = new HashMap<>();
        try {
            for (Step step : scenario.steps()) {
                if (!sessions.containsKey(step.client())) {
                    Connection connection = door.open();
                    sessions.put(step.client(), new Session(connection, lockWaits));
                    begin(connection, database, step.client().equals("r"), scenario.level());
                }
                Session session = Objects.requireNonNull(sessions.get(step.client()));
                assertThat(session.answer(step))
                        .as("%s: %s", scenario, step)
                        .isEqualTo(step.answer());
            }
        } finally {
            for (Session session : sessions.values()) {
                session.connection.close();
            }
        }
    }

    private static void fill(Connection connection, String database) throws SQLException {
        Tables.execute(connection, "CREATE DATABASE IF NOT EXISTS " + database);
        Tables.execute(connection, "USE " + database);
        Tables.execute(
                connection,
                "CREATE TABLE IF NOT EXISTS t (id INT PRIMARY KEY, k INT, v INT, KEY by_k (k))");
        Tables.execute(
                connection,
                "CREATE TABLE IF NOT EXISTS u (id INT PRIMARY KEY, k INT, v INT, UNIQUE KEY one_k"
                        + " (k))");
        Tables.execute(connection, "DELETE FROM t");
        Tables.execute(connection, "DELETE FROM u");
        Tables.execute(
                connection,
                "INSERT INTO t VALUES (10, 10, 100), (20, 20, 100), (30, 30, 100), (40, 40, 100),"
                        + " (50, 50, 100)");
    }

    private static void begin(Connection connection, String database, boolean readOnly, int level)
            throws SQLException {
        Tables.execute(connection, "USE " + database);
        connection.setTransactionIsolation(
                readOnly ? Connection.TRANSACTION_REPEATABLE_READ : level);
        if (readOnly) {
            Tables.execute(connection, "SET SESSION TRANSACTION READ ONLY");
        }
        connection.setAutoCommit(false);
    }

    /// Threads: the test's, but for the statement that waits.
    private static final class Session {
        private final Connection connection;
        private final Callable<Long> lockWaits;
        private CompletableFuture<String> waiting = CompletableFuture.completedFuture("nothing");

        Session(Connection connection, Callable<Long> lockWaits) {
            this.connection = connection;
            this.lockWaits = lockWaits;
        }

        String answer(Step step) throws Exception {
            if (step.sql().isEmpty()) {
                return waiting.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
            if (!step.answer().equals(WAITS)) {
                return run(step.sql());
            }
            long before = lockWaits.call();
            waiting =
                    CompletableFuture.supplyAsync(
                            () -> run(step.sql()), task -> Thread.ofVirtual().start(task));
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (lockWaits.call() == before && !waiting.isDone()) {
                assertThat(System.nanoTime())
                        .as("neither answered nor waiting")
                        .isLessThan(deadline);
                LockSupport.parkNanos(1_000_000);
            }
            return waiting.isDone() ? waiting.get() : WAITS;
        }

        private String run(String sql) {
            try (Statement statement = connection.createStatement()) {
                return statement.execute(sql)
                        ? Rows.text(statement.getResultSet())
                        : String.valueOf(statement.getUpdateCount());
            } catch (SQLException e) {
                return "error " + e.getErrorCode();
            }
        }
    }
}
