package org.quiredb.tpcw.transaction;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Runs transactions on one connection: marked read-only or update, committed at the end, and run
/// again when the server chose them as a deadlock's victim or let them wait too long for a lock.
///
/// Threads: one owner.
public final class TransactionRunner implements AutoCloseable {

    private static final int DEADLOCK = 1213;
    private static final int LOCK_WAIT_TIMEOUT = 1205;
    private static final String SERIALIZATION_FAILURE = "40001";
    private static final int MAX_ATTEMPTS = 20;
    private static final int MAX_PAUSE_MILLIS = 20;

    /// What a transaction does on the connection.
    @FunctionalInterface
    public interface Work<T> {
        T run(Connection connection) throws SQLException;
    }

    private final Connection connection;
    private @Nullable Boolean readOnly;
    private long readCommits;
    private long updateCommits;
    private long retries;

    private TransactionRunner(Connection connection) {
        this.connection = connection;
    }

    /// Connects. What the URL says about the driver holds; else statements that are prepared again
    /// are not parsed again.
    public static TransactionRunner open(String url, String user, String password)
            throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        if (!url.contains("cachePrepStmts=")) {
            properties.setProperty("cachePrepStmts", "true");
            properties.setProperty("prepStmtCacheSqlLimit", "2048");
            properties.setProperty("prepStmtCacheSize", "100");
        }
        Connection connection = DriverManager.getConnection(url, properties);
        connection.setAutoCommit(false);
        return new TransactionRunner(connection);
    }

    public <T> T read(Work<T> work) throws SQLException {
        T result = run(true, work);
        readCommits++;
        return result;
    }

    public <T> T update(Work<T> work) throws SQLException {
        T result = run(false, work);
        updateCommits++;
        return result;
    }

    private <T> T run(boolean reading, Work<T> work) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                mark(reading);
                T result = work.run(connection);
                connection.commit();
                return result;
            } catch (SQLException e) {
                rollBack(e);
                if (!mayRetry(e) || attempt == MAX_ATTEMPTS) {
                    throw e;
                }
                retries++;
                pause(attempt);
            }
        }
    }

    private void mark(boolean reading) throws SQLException {
        if (readOnly == null || readOnly != reading) {
            readOnly = null;
            connection.setReadOnly(reading);
            readOnly = reading;
        }
    }

    private void rollBack(SQLException cause) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    private static boolean mayRetry(SQLException e) {
        return e.getErrorCode() == DEADLOCK
                || e.getErrorCode() == LOCK_WAIT_TIMEOUT
                || SERIALIZATION_FAILURE.equals(e.getSQLState());
    }

    /// Lets the winner finish: up to a millisecond for each attempt so far, at random.
    private static void pause(int attempt) {
        int bound = Math.min(attempt, MAX_PAUSE_MILLIS);
        LockSupport.parkNanos(
                ThreadLocalRandom.current().nextLong(TimeUnit.MILLISECONDS.toNanos(bound)));
    }

    /// The present moment, in whole seconds as the bookstore stores it.
    public LocalDateTime now() {
        return LocalDateTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS);
    }

    public long readCommits() {
        return readCommits;
    }

    public long updateCommits() {
        return updateCommits;
    }

    /// How many times a transaction was run again.
    public long retries() {
        return retries;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
