package org.quiredb.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/// Clients of four classes: in each one moves money between its accounts; one writes the same
/// number into one class after the other; readers see all four at one tag.
///
/// Invariant, for every read: the sum of each class is what it always was, and no class has a
/// number that the class before it has not.
final class ManyMastersLoad {
    static final int CLASSES = 4;
    private static final int READERS = 2;
    private static final int ACCOUNTS = 8;
    private static final int SUM = ACCOUNTS * 100;

    private final String url;
    private final AtomicIntegerArray transfers = new AtomicIntegerArray(CLASSES);
    private final AtomicLongArray longestNanos = new AtomicLongArray(CLASSES);
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger numbers = new AtomicInteger();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    ManyMastersLoad(String url) {
        this.url = url;
    }

    static void create(Connection backend) throws SQLException {
        try (Statement statement = backend.createStatement()) {
            for (int c = 0; c < CLASSES; c++) {
                statement.execute("CREATE DATABASE class" + c);
                statement.execute(
                        "CREATE TABLE class%d.account (id INT PRIMARY KEY, amount INT NOT NULL)"
                                .formatted(c));
                statement.execute(
                        "CREATE TABLE class%d.chain (id INT PRIMARY KEY, number INT NOT NULL)"
                                .formatted(c));
                statement.execute("INSERT INTO class%d.chain VALUES (1, 0)".formatted(c));
                for (int account = 0; account < ACCOUNTS; account++) {
                    statement.execute(
                            "INSERT INTO class%d.account VALUES (%d, 100)".formatted(c, account));
                }
            }
        }
    }

    void start() {
        for (int c = 0; c < CLASSES; c++) {
            int number = c;
            threads.add(Thread.startVirtualThread(() -> guarded(x -> transfer(x, number))));
        }
        threads.add(Thread.startVirtualThread(() -> guarded(this::chain)));
        for (int reader = 0; reader < READERS; reader++) {
            threads.add(Thread.startVirtualThread(() -> guarded(this::read)));
        }
    }

    int[] transfers() {
        int[] now = new int[CLASSES];
        Arrays.setAll(now, transfers::get);
        return now;
    }

    int reads() {
        return reads.get();
    }

    void resetStalls() {
        for (int c = 0; c < CLASSES; c++) {
            longestNanos.set(c, 0);
        }
    }

    String report() {
        long[] millis = new long[CLASSES];
        Arrays.setAll(millis, c -> longestNanos.get(c) / 1_000_000);
        return "transfers %s, numbers %d, reads %d, longest transfer of each class %s ms"
                .formatted(
                        Arrays.toString(transfers()),
                        numbers.get(),
                        reads.get(),
                        Arrays.toString(millis));
    }

    void failIfAnyClientDid() {
        assertThat(failures).isEmpty();
    }

    void close() throws InterruptedException {
        closed = true;
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

    private void transfer(Connection connection, int c) throws SQLException {
        Random random = new Random(c);
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            while (!closed) {
                long beganNanos = System.nanoTime();
                int from = random.nextInt(ACCOUNTS);
                int to = random.nextInt(ACCOUNTS);
                while (!moved(connection, statement, c, from, to)) {
                    Thread.onSpinWait();
                }
                longestNanos.accumulateAndGet(c, System.nanoTime() - beganNanos, Math::max);
                transfers.incrementAndGet(c);
            }
        }
    }

    private static boolean moved(
            Connection connection, Statement statement, int c, int from, int to)
            throws SQLException {
        String add = "UPDATE class%d.account SET amount = amount + (%d) WHERE id = %d";
        try {
            statement.executeUpdate(add.formatted(c, -1, from));
            statement.executeUpdate(add.formatted(c, 1, to));
            connection.commit();
            return true;
        } catch (SQLException e) {
            if (e.getErrorCode() != 1213) {
                throw e;
            }
            return false;
        }
    }

    private void chain(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            while (!closed) {
                int number = numbers.incrementAndGet();
                for (int c = 0; c < CLASSES; c++) {
                    statement.executeUpdate(
                            "UPDATE class%d.chain SET number = %d WHERE id = 1"
                                    .formatted(c, number));
                }
            }
        }
    }

    private void read(Connection connection) throws SQLException {
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            while (!closed) {
                int[] seen = new int[CLASSES];
                for (int c = CLASSES - 1; c >= 0; c--) {
                    assertThat(value(statement, "SELECT SUM(amount) FROM class%d.account", c))
                            .isEqualTo(SUM);
                    seen[c] = value(statement, "SELECT number FROM class%d.chain", c);
                }
                connection.commit();
                assertChained(seen);
                assertChained(together(statement));
                connection.commit();
                reads.incrementAndGet();
            }
        }
    }

    private static void assertChained(int[] seen) {
        for (int c = 1; c < CLASSES; c++) {
            assertThat(seen[c]).as(Arrays.toString(seen)).isBetween(seen[c - 1] - 1, seen[c - 1]);
        }
    }

    private static int[] together(Statement statement) throws SQLException {
        try (ResultSet rows =
                statement.executeQuery(
                        "SELECT a.number, b.number, c.number, d.number FROM class0.chain a,"
                                + " class1.chain b, class2.chain c, class3.chain d"
                                + " WHERE a.id = b.id AND b.id = c.id AND c.id = d.id")) {
            assertThat(rows.next()).isTrue();
            int[] seen = new int[CLASSES];
            for (int c = 0; c < CLASSES; c++) {
                seen[c] = rows.getInt(c + 1);
            }
            return seen;
        }
    }

    private static int value(Statement statement, String sql, int c) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql.formatted(c))) {
            assertThat(rows.next()).isTrue();
            return rows.getInt(1);
        }
    }
}
