package org.quiredb.logger.log;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.backend.Connections;
import org.quiredb.logger.backend.Mark;

/// The log's connection to one backend: opened when it is needed, and again after it was closed,
/// which its owner does when anything has failed on it.
///
/// Threads: one at a time.
public final class LogConnection implements AutoCloseable {
    private final Backend backend;
    private final long silenceMillis;
    private final String settings;
    private @Nullable Connection connection;

    LogConnection(Backend backend) {
        this(backend, 0, "");
    }

    /// @param silenceMillis how long the server may take for one statement, 0 for ever
    /// @param settings a statement that the connection begins with, empty for none
    public LogConnection(Backend backend, long silenceMillis, String settings) {
        this.backend = backend;
        this.silenceMillis = silenceMillis;
        this.settings = settings;
    }

    /// In a transaction, which others can end.
    public Connection open() throws SQLException {
        Connection current = connection;
        if (current == null) {
            current = backend.connect(silenceMillis);
            connection = current;
            Mark.take(current, Mark.LOG);
            current.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            current.setAutoCommit(false);
            if (!settings.isEmpty()) {
                try (Statement statement = current.createStatement()) {
                    statement.execute(settings);
                }
            }
        }
        return current;
    }

    @Override
    public void close() {
        Connection current = connection;
        connection = null;
        Connections.close(current);
    }
}
