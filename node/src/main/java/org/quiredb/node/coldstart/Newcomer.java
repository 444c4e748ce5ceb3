package org.quiredb.node.coldstart;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.locks.LockSupport;
import org.quiredb.node.config.HostPort;

/// A client that tries until it can write through one scheduler and read there what it wrote.
///
/// Threads: its own, which interrupting ends; asked by any.
final class Newcomer implements Runnable {
    /// No writer of the ledger has such a number.
    private static final int FIRST_WRITER = 100;

    private static final long PAUSE_NANOS = 50_000_000;

    private final String url;
    private final int writer;
    private volatile long servedNanos;
    private volatile String last = "it has not tried yet";

    /// @param number of the client, which has entered nothing so far
    Newcomer(HostPort scheduler, int number) {
        url = "jdbc:mysql://%s/ledger?connectTimeout=2000&socketTimeout=60000".formatted(scheduler);
        writer = FIRST_WRITER + number;
    }

    @Override
    public void run() {
        for (int number = 1; servedNanos == 0 && !Thread.interrupted(); number++) {
            try {
                attempt(number);
                servedNanos = System.nanoTime();
            } catch (SQLException e) {
                last = e.getErrorCode() + " " + e.getMessage();
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private void attempt(int number) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(url, Database.ACCOUNT, Database.ACCOUNT);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(
                    "INSERT INTO entry (writer, number) VALUES (%d, %d)".formatted(writer, number));
            try (ResultSet row =
                    statement.executeQuery(
                            "SELECT COUNT(*) FROM entry WHERE writer = %d AND number = %d"
                                    .formatted(writer, number))) {
                row.next();
                if (row.getInt(1) != 1) {
                    throw new SQLException("what was written is not there", "HY000", 1105);
                }
            }
        }
    }

    boolean served() {
        return servedNanos != 0;
    }

    long servedNanos() {
        return servedNanos;
    }

    /// Why the last attempt failed.
    String last() {
        return last;
    }
}
