package org.quiredb.node.lab;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/// Clients that write numbered entries and read them back, and know what was acknowledged to them.
///
/// A writer enters 1, 2, 3, ... under its own number, every other one in a transaction that also
/// notes it as the writer's last. Readers look at both tables in one read-only transaction. So a
/// lost, doubled, stale or half visible commit is seen by somebody at once, and by `check` at the
/// end.
///
/// Threads: any; each client has one of its own.
public final class Ledger implements AutoCloseable {
    static final int WRITERS = 6;
    private static final int READERS = 2;
    private static final int KEPT_ANOMALIES = 100;

    /// For how long a client that is to end may look for what became of its last entry: as long as
    /// it waits for an answer, which is longer than a COMMIT whose master is lost may take.
    private static final Duration LAST_LOOK = LedgerConnection.ANSWER;

    private final AtomicIntegerArray acknowledged = new AtomicIntegerArray(WRITERS);
    private final AtomicInteger reads = new AtomicInteger();
    private final Queue<String> anomalies = new ConcurrentLinkedQueue<>();
    private final AtomicReference<Incidents> incidents = new AtomicReference<>(new Incidents());
    private final List<Thread> threads = new ArrayList<>();
    private final List<Activity> activities =
            IntStream.range(0, WRITERS).mapToObj(i -> new Activity("writer " + i)).toList();
    private volatile long closedNanos;
    private volatile boolean closed;

    private final boolean onlyWriting;

    private Ledger(boolean onlyWriting) {
        this.onlyWriting = onlyWriting;
    }

    /// The tables, before the tier is loaded from the backend.
    public static void create(Connection backend) throws SQLException {
        try (Statement statement = backend.createStatement()) {
            statement.execute("DROP DATABASE IF EXISTS ledger");
            statement.execute("CREATE DATABASE ledger");
            statement.execute(
                    "CREATE TABLE ledger.entry (id BIGINT AUTO_INCREMENT PRIMARY KEY,"
                            + " writer INT NOT NULL, number INT NOT NULL, UNIQUE KEY (writer, number))");
            statement.execute(
                    "CREATE TABLE ledger.last (writer INT PRIMARY KEY, number INT NOT NULL)");
            for (int writer = 0; writer < WRITERS; writer++) {
                statement.execute("INSERT INTO ledger.last VALUES (%d, 0)".formatted(writer));
            }
            SharedRows.create(statement);
        }
    }

    /// Lets its clients begin.
    ///
    /// @param url of the tier, with the schema `ledger`
    public static Ledger open(String url, String user, String password) {
        return open(new Ledger(false), url, user, password);
    }

    /// The same without readers, and with {@link SharedRows} that each transaction changes too.
    static Ledger openWriting(String url, String user, String password) {
        return open(new Ledger(true), url, user, password);
    }

    private static Ledger open(Ledger ledger, String url, String user, String password) {
        for (int writer = 0; writer < WRITERS; writer++) {
            LedgerWriter client =
                    new LedgerWriter(
                            ledger, new LedgerConnection(ledger, url, user, password), writer);
            ledger.threads.add(Thread.ofVirtual().name("ledger writer " + writer).start(client));
        }
        for (int reader = 0; reader < READERS && !ledger.onlyWriting; reader++) {
            LedgerReader client =
                    new LedgerReader(ledger, new LedgerConnection(ledger, url, user, password));
            ledger.threads.add(Thread.ofVirtual().name("ledger reader " + reader).start(client));
        }
        return ledger;
    }

    /// Entries whose commit was acknowledged.
    public int acknowledged() {
        int sum = 0;
        for (int writer = 0; writer < WRITERS; writer++) {
            sum += acknowledged.get(writer);
        }
        return sum;
    }

    int acknowledged(int writer) {
        return acknowledged.get(writer);
    }

    void acknowledge(int writer, int number) {
        acknowledged.set(writer, number);
    }

    /// What a writer is at.
    Activity activity(int writer) {
        return activities.get(writer);
    }

    /// What every writer is at.
    List<Activity> activities() {
        return activities;
    }

    /// Read-only transactions answered.
    public int reads() {
        return reads.get();
    }

    void countRead() {
        reads.incrementAndGet();
    }

    /// What no client should see, in words; the first hundred.
    public List<String> anomalies() {
        return List.copyOf(anomalies);
    }

    void anomaly(String what) {
        if (anomalies.size() < KEPT_ANOMALIES) {
            anomalies.add(what);
        }
    }

    /// What was borne in this period so far.
    public Incidents incidents() {
        return incidents.get();
    }

    /// What was borne since the last call; what goes on counts for the next period.
    public Incidents nextPeriod() {
        return incidents.getAndSet(new Incidents());
    }

    boolean onlyWriting() {
        return onlyWriting;
    }

    boolean closed() {
        return closed;
    }

    /// Whether it was closed so long ago that nobody need find out anything more.
    boolean givesUp() {
        return closed && System.nanoTime() - closedNanos > LAST_LOOK.toNanos();
    }

    public String report() {
        Incidents now = incidents();
        return "%d entries, %d reads, longest write %d ms, longest read %d ms, failed %s"
                .formatted(
                        acknowledged(),
                        reads(),
                        now.longestWriteMillis(),
                        now.longestReadMillis(),
                        now.failed());
    }

    /// Acknowledged entries that are missing there; what should not be there becomes an anomaly.
    ///
    /// @param connection to the tier or to the backend, when no client has anything under way
    public int lost(Connection connection) throws SQLException {
        int lost = 0;
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT l.writer, COUNT(e.id), COALESCE(MAX(e.number), 0)"
                                        + " FROM ledger.last l LEFT JOIN ledger.entry e ON e.writer = l.writer"
                                        + " GROUP BY l.writer")) {
            while (rows.next()) {
                int writer = rows.getInt(1);
                int expected = acknowledged.get(writer);
                int found = rows.getInt(2);
                lost += Math.max(0, expected - found);
                if (found > expected || rows.getInt(3) != found) {
                    anomaly(
                            "writer %d was acknowledged %d entries, and has %d up to number %d"
                                    .formatted(writer, expected, found, rows.getInt(3)));
                }
            }
        }
        if (onlyWriting) {
            checkShared(SharedRows.counted(connection));
        }
        return lost;
    }

    private void checkShared(long counted) {
        long transactions = 0;
        for (int writer = 0; writer < WRITERS; writer++) {
            transactions += (acknowledged(writer) + 1) / 2; // those of odd numbers
        }
        if (counted != transactions) {
            anomaly(
                    "%d transactions were acknowledged, the shared rows count %d"
                            .formatted(transactions, counted));
        }
    }

    /// Ends the clients; returns when none has anything under way.
    @Override
    public void close() {
        closedNanos = System.nanoTime();
        closed = true;
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                    thread.interrupt();
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
