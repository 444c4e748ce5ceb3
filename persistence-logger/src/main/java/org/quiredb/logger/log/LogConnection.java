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
    private static final String STRICT =
            "SET sql_mode = CONCAT(@@sql_mode, ',STRICT_ALL_TABLES'), foreign_key_checks = 1";

    private final Backend backend;
    private final long silenceMillis;
    private final String settings;
    private final boolean autocommit;
    private @Nullable Connection connection;

    /// In autocommit mode, where a value that a column does not take is an error, and a foreign key
    /// holds whatever the server's own setting is; the server may take for ever.
    LogConnection(Backend backend) {
        this(backend, 0, STRICT, true);
    }

    /// @param silenceMillis how long the server may take for one statement, 0 for ever
    /// @param settings a statement that the connection begins with, empty for none
    public LogConnection(Backend backend, long silenceMillis, String settings) {
        this(backend, silenceMillis, settings, false);
    }

    private LogConnection(
            Backend backend, long silenceMillis, String settings, boolean autocommit) {
        this.backend = backend;
        this.autocommit = autocommit;
        this.silenceMillis = silenceMillis;
        this.settings = settings;
    }

    /// Not in autocommit mode it is in a transaction. Others can end it.
    public Connection open() throws SQLException {
        Connection current = connection;
        if (current == null) {
            current = backend.connect(silenceMillis);
            connection = current;
            Mark.take(current, Mark.LOG);
            current.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            current.setAutoCommit(autocommit);
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
