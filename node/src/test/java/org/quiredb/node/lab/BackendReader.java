package org.quiredb.node.lab;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/// Counts the ledger's entries with a statement that only a backend runs, again and again: each
/// answer must have every entry that was acknowledged before it was asked for, and no fewer than
/// the last one.
///
/// Threads: its own; asked and closed by any.
final class BackendReader implements AutoCloseable {
    private static final String COUNT =
            "SELECT COUNT(*) + 0 * BIT_COUNT(WEIGHT_STRING('a')) FROM ledger.entry";

    private final Ledger ledger;
    private final Thread thread;
    private volatile boolean closed;
    private final AtomicInteger reads = new AtomicInteger();
    private volatile long longestMillis;
    private volatile String failure = "";

    BackendReader(String url, Ledger ledger) {
        this.ledger = ledger;
        this.thread = Thread.ofVirtual().name("backend reader").start(() -> run(url));
    }

    int reads() {
        return reads.get();
    }

    /// So far.
    long longestMillis() {
        return longestMillis;
    }

    /// What should not have been, empty for nothing.
    String failure() {
        return failure;
    }

    private void run(String url) {
        try (Connection connection = DriverManager.getConnection(url, "quire", "quire");
                Statement statement = connection.createStatement()) {
            for (int seen = 0; !closed; ) {
                int least = Math.max(seen, ledger.acknowledged());
                long beganNanos = System.nanoTime();
                try (ResultSet row = statement.executeQuery(COUNT)) {
                    row.next();
                    seen = row.getInt(1);
                }
                longestMillis =
                        Math.max(longestMillis, (System.nanoTime() - beganNanos) / 1_000_000);
                if (seen < least) {
                    failure = "%d entries where %d were known".formatted(seen, least);
                    return;
                }
                reads.incrementAndGet();
            }
        } catch (SQLException e) {
            failure = String.valueOf(e.getMessage());
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
