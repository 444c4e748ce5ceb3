package org.quiredb.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/// Clients that write numbered entries and read them back, and know what was acknowledged to them.
///
/// A writer enters 1, 2, 3, ... under its own number, half of them in transactions of two
/// statements. Error 1213 says that an entry is not there: it is made again, and were it there its
/// key would be a duplicate. Every other error is a failure.
final class FailoverLoad {
    static final int WRITERS = 6;
    private static final int READERS = 2;

    private final String url;
    private final AtomicIntegerArray acknowledged = new AtomicIntegerArray(WRITERS);
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger deadlocks = new AtomicInteger();
    private final AtomicLong longestWriteNanos = new AtomicLong();
    private final AtomicLong longestReadNanos = new AtomicLong();
    private final AtomicInteger reads = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    FailoverLoad(String url) {
        this.url = url;
    }

    static void create(Connection backend) throws SQLException {
        try (Statement statement = backend.createStatement()) {
            statement.execute("CREATE DATABASE ledger");
            statement.execute(
                    "CREATE TABLE ledger.entry (id BIGINT AUTO_INCREMENT PRIMARY KEY,"
                            + " writer INT NOT NULL, number INT NOT NULL, UNIQUE KEY (writer, number))");
            statement.execute(
                    "CREATE TABLE ledger.last (writer INT PRIMARY KEY, number INT NOT NULL)");
            for (int writer = 0; writer < WRITERS; writer++) {
                statement.execute("INSERT INTO ledger.last VALUES (%d, 0)".formatted(writer));
            }
        }
    }

    void start() {
        for (int writer = 0; writer < WRITERS; writer++) {
            int number = writer;
            threads.add(Thread.startVirtualThread(() -> guarded(c -> write(c, number))));
        }
        for (int reader = 0; reader < READERS; reader++) {
            threads.add(Thread.startVirtualThread(() -> guarded(this::read)));
        }
    }

    int acknowledged() {
        int sum = 0;
        for (int writer = 0; writer < WRITERS; writer++) {
            sum += acknowledged.get(writer);
        }
        return sum;
    }

    int reads() {
        return reads.get();
    }

    String report() {
        return "%d entries, %d rolled back, %d reads, longest write %d ms, longest read %d ms"
                .formatted(
                        acknowledged(),
                        deadlocks.get(),
                        reads.get(),
                        longestWriteNanos.get() / 1_000_000,
                        longestReadNanos.get() / 1_000_000);
    }

    long longestWriteMillis() {
        return longestWriteNanos.get() / 1_000_000;
    }

    void resetStalls() {
        longestWriteNanos.set(0);
        longestReadNanos.set(0);
    }

    void failIfAnyClientDid() {
        assertThat(failures).isEmpty();
    }

    /// What was acknowledged is there, and nothing else.
    void check(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT writer, COUNT(*), MAX(number) FROM ledger.entry GROUP BY writer ORDER BY writer")) {
            for (int writer = 0; writer < WRITERS; writer++) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(2)).isEqualTo(acknowledged.get(writer));
                assertThat(rows.getInt(3)).isEqualTo(acknowledged.get(writer));
            }
        }
    }

    void stop() {
        closed = true;
    }

    /// Returns when no client has anything under way.
    void close() throws InterruptedException {
        stop();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private interface Client {
        void run(Connection connection) throws SQLException;
    }

    private void guarded(Client client) {
        try (Connection connection = DriverManager.getConnection(url, "quire", "quire")) {
            client.run(connection);
        } catch (SQLException | RuntimeException | AssertionError e) {
            failures.add(e);
        }
    }

    private void write(Connection connection, int writer) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (int number = 1; !closed; number++) {
                long beganNanos = System.nanoTime();
                while (!enter(connection, statement, writer, number)) {
                    deadlocks.incrementAndGet();
                }
                acknowledged.set(writer, number);
                long tookNanos = System.nanoTime() - beganNanos;
                longestWriteNanos.accumulateAndGet(tookNanos, Math::max);
            }
        }
    }

    private static boolean enter(Connection connection, Statement statement, int writer, int number)
            throws SQLException {
        String insert =
                "INSERT INTO entry (writer, number) VALUES (%d, %d)".formatted(writer, number);
        try {
            boolean alone = number % 2 == 0;
            connection.setAutoCommit(alone);
            assertThat(statement.executeUpdate(insert)).isEqualTo(1);
            if (!alone) {
                statement.executeUpdate(
                        "UPDATE last SET number = %d WHERE writer = %d".formatted(number, writer));
                connection.commit();
            }
            return true;
        } catch (SQLException e) {
            if (e.getErrorCode() == 1213) {
                return false;
            }
            throw new SQLException(
                    "entry %d of writer %d: %d %s"
                            .formatted(number, writer, e.getErrorCode(), e.getMessage()),
                    e);
        }
    }

    private void read(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (int turn = 0; !closed; turn++) {
                int writer = turn % WRITERS;
                int atLeast = acknowledged.get(writer);
                long beganNanos = System.nanoTime();
                try (ResultSet rows =
                        statement.executeQuery(
                                "SELECT COUNT(*), MAX(number) FROM entry WHERE writer = "
                                        + writer)) {
                    rows.next();
                    assertThat(rows.getInt(1)).isGreaterThanOrEqualTo(atLeast);
                    assertThat(rows.getInt(2)).isEqualTo(rows.getInt(1));
                }
                long tookNanos = System.nanoTime() - beganNanos;
                longestReadNanos.accumulateAndGet(tookNanos, Math::max);
                reads.incrementAndGet();
            }
        }
    }
}
