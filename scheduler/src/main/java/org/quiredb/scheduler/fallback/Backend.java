package org.quiredb.scheduler.fallback;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.scheduler.cluster.StatementFailed;

/// Runs statements on the backend for clients' sessions.
///
/// Threads: any, virtual ones. At most `maximumConnections` are open; whoever finds none waits.
public final class Backend implements AutoCloseable {
    private static final long POOL_TIMEOUT_SECONDS = 30;

    private final String url;
    private final Properties properties = new Properties();
    private final Semaphore permits;
    private final Deque<PooledConnection> idle = new ConcurrentLinkedDeque<>();

    public Backend(String url, String user, String password, int maximumConnections) {
        this.url = url;
        properties.put("user", user);
        properties.put("password", password);
        properties.put("noDatetimeStringSync", "true");
        properties.put("tinyInt1isBit", "false");
        properties.put("yearIsDateType", "false");
        properties.put("useServerPrepStmts", "true");
        properties.put("connectTimeout", "5000");
        permits = new Semaphore(maximumConnections, true);
    }

    /// What became of a statement.
    public sealed interface Outcome {
        record Rows(long packets) implements Outcome {}

        record Changed(long affectedRows) implements Outcome {}
    }

    /// @param namesOf the text whose columns' names the result is to have: those of expressions
    ///   repeat the text
    /// @param sink gets the packets of a result set
    public Outcome run(
            BackendSession session,
            String sql,
            String namesOf,
            boolean binaryRows,
            int statusFlags,
            Consumer<byte[]> sink) {
        return with(
                session,
                connection -> run(connection, sql, namesOf, binaryRows, statusFlags, sink));
    }

    static Outcome run(
            Connection connection,
            String sql,
            String namesOf,
            boolean binaryRows,
            int statusFlags,
            Consumer<byte[]> sink)
            throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            if (!statement.execute(sql)) {
                return new Outcome.Changed(Math.max(0, statement.getLargeUpdateCount()));
            }
            try (ResultSet rows = statement.getResultSet()) {
                List<ColumnMetadata> columns = BackendRows.columns(rows.getMetaData());
                if (!namesOf.equals(sql)) {
                    columns = named(columns, connection, namesOf);
                }
                return new Outcome.Rows(
                        new BackendRows(rows, columns).encode(sink, binaryRows, statusFlags));
            }
        }
    }

    /// The backend as it is now, for as long as the snapshot is open.
    public Snapshot snapshot(BackendSession session) {
        PooledConnection pooled = acquire();
        boolean open = false;
        try {
            pooled.take(session);
            Snapshot snapshot = Snapshot.begin(this, pooled);
            open = true;
            return snapshot;
        } catch (SQLException e) {
            throw failure(e);
        } finally {
            if (!open) {
                release(pooled, false);
            }
        }
    }

    /// The columns that a statement would answer with; none when it answers with no rows.
    public List<ColumnMetadata> describe(BackendSession session, String sql) {
        return with(session, connection -> prepared(connection, sql));
    }

    private static List<ColumnMetadata> prepared(Connection connection, String sql)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            return BackendRows.columns(statement.getMetaData());
        }
    }

    private static List<ColumnMetadata> named(
            List<ColumnMetadata> columns, Connection connection, String namesOf)
            throws SQLException {
        List<ColumnMetadata> names = prepared(connection, namesOf);
        List<ColumnMetadata> named = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            named.add(
                    i < names.size()
                            ? columns.get(i).withName(names.get(i).name())
                            : columns.get(i));
        }
        return named;
    }

    private interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    private <T> T with(BackendSession session, Work<T> work) {
        PooledConnection pooled = acquire();
        boolean healthy = false;
        try {
            pooled.take(session);
            T result = work.on(pooled.connection());
            pooled.leave();
            healthy = true;
            return result;
        } catch (SQLException e) {
            healthy = !isLost(e);
            throw failure(e);
        } finally {
            release(pooled, healthy);
        }
    }

    /// SQLSTATE class 08 is "connection exception".
    static boolean isLost(SQLException e) {
        return e.getErrorCode() == 0 || String.valueOf(e.getSQLState()).startsWith("08");
    }

    static RuntimeException failure(SQLException e) {
        if (e.getErrorCode() == 0) {
            return new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "the backend does not answer: " + e.getMessage(),
                    e);
        }
        return new StatementFailed(
                e.getErrorCode(),
                e.getSQLState() == null ? "HY000" : e.getSQLState(),
                String.valueOf(e.getMessage()));
    }

    private PooledConnection acquire() {
        try {
            if (!permits.tryAcquire(POOL_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new QuireException(
                        ErrorCode.TIER_UNAVAILABLE,
                        "all backend connections of the scheduler are busy");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuireException(ErrorCode.SERVER_SHUTDOWN, "the scheduler stops", e);
        }
        try {
            PooledConnection pooled;
            while ((pooled = idle.pollFirst()) != null) {
                if (pooled.usable()) {
                    return pooled;
                }
                pooled.close();
            }
            return new PooledConnection(DriverManager.getConnection(url, properties));
        } catch (SQLException e) {
            permits.release();
            throw failure(e);
        }
    }

    void release(PooledConnection pooled, boolean healthy) {
        if (healthy) {
            idle.addFirst(pooled);
        } else {
            pooled.close();
        }
        permits.release();
    }

    @Override
    public void close() {
        idle.forEach(PooledConnection::close);
    }
}
