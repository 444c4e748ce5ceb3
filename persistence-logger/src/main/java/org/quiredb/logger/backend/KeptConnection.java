package org.quiredb.logger.backend;

import com.mysql.cj.NativeSession;
import com.mysql.cj.jdbc.JdbcConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A connection that is kept from one use to the next: making one costs the backend, and us, more
/// than most of what is done on it.
///
/// Whatever a use leaves behind (settings, named locks, a transaction, variables) the server
/// forgets before the next one, beside whom the last one has answered. A connection that is not
/// ready by then is not waited for: there is another one.
///
/// Threads: any; a connection is one user's at a time.
public final class KeptConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KeptConnection.class);

    /// Shows tables alike, whatever the server's own settings are by then. The driver, which knows
    /// it from the login, escapes names for it.
    private static final String SHOWS_ALIKE = "sql_mode = '', sql_quote_show_create = 1";

    /// What else the driver sets at a login.
    private static final String AS_AT_LOGIN =
            "SET NAMES utf8mb4 COLLATE utf8mb4_general_ci, time_zone = '+00:00', autocommit = 1, "
                    + Backend.SETTINGS
                    + ", "
                    + SHOWS_ALIKE;

    private static final int SILENCE_MILLIS = 5_000;

    /// One that fails within this is one that the server has closed.
    private static final long CLOSED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private record Kept(Backend backend, Connection connection) {}

    /// What a use begins with, which changes nothing on the backend.
    @FunctionalInterface
    public interface Beginning<T> {
        T on(Connection connection) throws SQLException;
    }

    private final String isolation;
    private final AtomicReference<@Nullable Kept> kept = new AtomicReference<>();
    private final AtomicBoolean resetting = new AtomicBoolean();
    private volatile boolean closed;

    /// @param isolation that a use finds, in SQL's words
    public KeptConnection(String isolation) {
        this.isolation = "SET SESSION TRANSACTION ISOLATION LEVEL " + isolation;
    }

    /// Begins a use, on a new connection where the kept one is lost or another backend's. It is in
    /// autocommit mode.
    ///
    /// @param beginning may be run twice; where it fails its connection is closed
    public <T> T begin(Backend backend, Beginning<T> beginning) throws SQLException {
        Kept before = kept.getAndSet(null);
        if (before != null && before.backend.equals(backend)) {
            long began = System.nanoTime();
            try {
                return begin(before.connection, beginning);
            } catch (SQLException e) {
                if (!BackendErrors.isTransient(e) || System.nanoTime() - began > CLOSED_NANOS) {
                    throw e;
                }
            }
        } else if (before != null) {
            Connections.close(before.connection);
        }
        Connection fresh = backend.connect(0, SHOWS_ALIKE);
        try {
            execute(fresh, isolation);
        } catch (SQLException e) {
            Connections.close(fresh);
            throw e;
        }
        return begin(fresh, beginning);
    }

    private static <T> T begin(Connection connection, Beginning<T> beginning) throws SQLException {
        boolean begun = false;
        try {
            T use = beginning.on(connection);
            begun = true;
            return use;
        } finally {
            if (!begun) {
                Connections.close(connection);
            }
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /// Ends a use; nobody waits for what that takes.
    public void end(Backend backend, Connection connection) {
        if (!closed && resetting.compareAndSet(false, true)) {
            Thread.ofVirtual().name("reset").start(() -> reset(new Kept(backend, connection)));
        } else {
            Connections.close(connection);
        }
    }

    private void reset(Kept used) {
        boolean ready = false;
        try {
            Connection connection = used.connection;
            connection.setNetworkTimeout(Runnable::run, SILENCE_MILLIS);
            if (connection.unwrap(JdbcConnection.class).getSession()
                    instanceof NativeSession session) {
                session.resetSessionState();
                execute(connection, AS_AT_LOGIN);
                execute(connection, isolation);
                ready = true;
            }
            connection.setNetworkTimeout(Runnable::run, 0);
        } catch (SQLException | RuntimeException e) { // the next use makes a new one
            ready = false;
            LOG.debug("a connection to {} is not kept", used.backend.name(), e);
        } finally {
            resetting.set(false);
            if (!ready || !kept.compareAndSet(null, used)) {
                Connections.close(used.connection);
            } else if (closed) {
                close();
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        Kept before = kept.getAndSet(null);
        if (before != null) {
            Connections.close(before.connection);
        }
    }
}
