package org.quiredb.node.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.quiredb.node.isolation.Schedule.Step;

/// Two sessions run the same statements in the same order on Quire and on MariaDB: the same rows,
/// errors and waits at every level.
///
/// `-Dquire.schedule.seeds=200` plays so many of each, `-Dquire.schedule.seed=42` from that one on.
@ExtendWith(RunningTier.class)
@Tag("slow")
final class ScheduleTest {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    static Stream<Schedule> schedules() {
        long first = Long.getLong("quire.schedule.seed", 1);
        long seeds = Long.getLong("quire.schedule.seeds", 5);
        return LongStream.range(first, first + seeds)
                .boxed()
                .flatMap(seed ->
                        Stream.of(
                                        Connection.TRANSACTION_READ_COMMITTED,
                                        Connection.TRANSACTION_REPEATABLE_READ,
                                        Connection.TRANSACTION_SERIALIZABLE)
                                .map(level -> Schedule.of(seed, level)));
    }

    @ParameterizedTest
    @MethodSource("schedules")
    void quireAnswersAsMariaDb(Schedule schedule, Tier tier) throws Exception {
        List<String> mariaDb;
        try {
            mariaDb = play(schedule, tier::direct, tier::lockWaitsOfBackend, "schedule_direct");
        } finally {
            try (Connection direct = tier.direct()) {
                Tables.execute(direct, "DROP DATABASE IF EXISTS schedule_direct");
            }
        }
        List<String> quire = play(schedule, () -> tier.open(0, 0), tier::lockWaits, "schedule");
        assertThat(String.join("\n", quire))
                .as("%s", schedule)
                .isEqualTo(String.join("\n", mariaDb));
    }

    private interface Door {
        Connection open() throws SQLException;
    }

    private static List<String> play(
            Schedule schedule, Door door, Callable<Long> lockWaits, String database)
            throws Exception {
        try (Connection connection = door.open()) {
            fill(connection, database);
        }
        List<String> told = new ArrayList<>();
        try (Connection a = door.open();
                Connection b = door.open()) {
            List<Session> sessions =
                    List.of(new Session("a", a, lockWaits), new Session("b", b, lockWaits));
            for (Session session : sessions) {
                begin(session.connection, database, schedule.level());
            }
            for (Step step : schedule.steps()) {
                Session session = sessions.get(step.session());
                Session other = sessions.get(1 - step.session());
                // Who waits is let go before it is asked for more, and by an end alone: each
                // engine has its own idea of which of two is a deadlock's victim.
                if (session.waits()) {
                    other.run("commit", told);
                    session.goesOn(told);
                } else if (other.waits()) {
                    session.run("commit", told);
                    other.goesOn(told);
                }
                session.run(step.sql(), told);
            }
            for (Session session : sessions) {
                if (!session.waits()) {
                    session.run("commit", told);
                }
            }
            for (Session session : sessions) {
                session.goesOn(told);
                session.run("commit", told);
            }
            sessions.getFirst().run("select id, k, v from t order by id", told);
        }
        return told;
    }

    private static void fill(Connection connection, String database) throws SQLException {
        Tables.execute(connection, "CREATE DATABASE IF NOT EXISTS " + database);
        Tables.execute(connection, "USE " + database);
        Tables.execute(
                connection,
                "CREATE TABLE IF NOT EXISTS t (id INT PRIMARY KEY, k INT, v INT, KEY by_k (k))");
        Tables.execute(connection, "DELETE FROM t");
        Tables.execute(
                connection,
                "INSERT INTO t VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4), (10, 10, 10),"
                        + " (12, 12, 12), (20, 20, 20), (22, 22, 22), (30, 30, 30)");
    }

    private static void begin(Connection connection, String database, int level)
            throws SQLException {
        Tables.execute(connection, "USE " + database);
        connection.setTransactionIsolation(level);
        connection.setAutoCommit(false);
    }

    /// Threads: the test's, but for the statement that runs.
    private static final class Session {
        private final String name;
        private final Connection connection;
        private final Callable<Long> lockWaits;
        private CompletableFuture<String> running = CompletableFuture.completedFuture("");
        private boolean waits;

        Session(String name, Connection connection, Callable<Long> lockWaits) {
            this.name = name;
            this.connection = connection;
            this.lockWaits = lockWaits;
        }

        boolean waits() {
            return waits;
        }

        /// Returns when the statement is answered or waits for a lock.
        void run(String sql, List<String> told) throws Exception {
            long before = lockWaits.call();
            running =
                    CompletableFuture.supplyAsync(
                            () -> answer(sql), task -> Thread.ofVirtual().start(task));
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            while (!running.isDone() && lockWaits.call() == before) {
                assertThat(System.nanoTime()).as("not answered: %s", sql).isLessThan(deadline);
                LockSupport.parkNanos(1_000_000);
            }
            waits = !running.isDone();
            told.add(name + ": " + sql + " -> " + (waits ? "waits" : running.get()));
        }

        /// A statement that waited is answered now.
        void goesOn(List<String> told) throws Exception {
            if (waits) {
                told.add(name + ": -> " + running.get(PATIENCE_NANOS, TimeUnit.NANOSECONDS));
                waits = false;
            }
        }

        private String answer(String sql) {
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
