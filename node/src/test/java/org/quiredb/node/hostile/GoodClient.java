package org.quiredb.node.hostile;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Counts in a row of its own, and expects to find there what it has counted.
///
/// Threads: one; the longest wait is read when it has ended.
final class GoodClient implements Runnable {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final int number;
    private final String url;
    private final Sightings sightings;
    private final BooleanSupplier goesOn;
    private long counted;
    private long longestNanos;
    private String longest = "";

    GoodClient(int number, int port, Sightings sightings, BooleanSupplier goesOn) {
        this.number = number;
        this.sightings = sightings;
        this.goesOn = goesOn;
        url = "jdbc:mysql://127.0.0.1:" + port + "/behaved";
    }

    long counted() {
        return counted;
    }

    long longestMillis() {
        return TimeUnit.NANOSECONDS.toMillis(longestNanos);
    }

    String longest() {
        return longest;
    }

    @Override
    public void run() {
        try (Connection connection = DriverManager.getConnection(url, "quire", "quire");
                Statement statement = connection.createStatement()) {
            while (goesOn.getAsBoolean()) {
                boolean transaction = counted % 3 == 0;
                connection.setAutoCommit(!transaction);
                counted++;
                update(statement, "UPDATE ledger SET n = n + 1 WHERE id = " + number);
                expect(statement, "SELECT n FROM ledger WHERE id = " + number);
                if (transaction) {
                    connection.commit();
                    connection.setAutoCommit(true);
                }
                expect(statement, "SELECT n FROM ledger WHERE id = " + number);
                if (counted % 10 == 0) { // which the backend computes
                    expect(statement, "SELECT CAST(n AS CHAR) FROM ledger WHERE id = " + number);
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (SQLException e) {
            sightings.wrong(
                    "a good client got error %d: %s".formatted(e.getErrorCode(), e.getMessage()));
        }
    }

    private void update(Statement statement, String sql) throws SQLException {
        long begunNanos = System.nanoTime();
        int rows = statement.executeUpdate(sql);
        took(sql, begunNanos);
        if (rows != 1) {
            sightings.wrong("a good client changed " + rows + " rows instead of 1");
        }
    }

    private void expect(Statement statement, String sql) throws SQLException {
        long begunNanos = System.nanoTime();
        try (ResultSet row = statement.executeQuery(sql)) {
            long seen = row.next() ? row.getLong(1) : -1;
            took(sql, begunNanos);
            if (seen != counted) {
                sightings.wrong("%s is %d instead of %d".formatted(sql, seen, counted));
            }
        }
    }

    private void took(String sql, long begunNanos) {
        long nanos = System.nanoTime() - begunNanos;
        if (nanos > longestNanos) {
            longestNanos = nanos;
            longest = sql;
        }
    }
}
