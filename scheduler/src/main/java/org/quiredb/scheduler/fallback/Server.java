package org.quiredb.scheduler.fallback;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.quiredb.common.version.ConflictClass;

/// One of the on-disk databases, with the connections to it that nobody uses now.
///
/// Threads: any.
final class Server {
    private final String url;
    private final Properties properties;
    private final int answerMillis;
    private final Deque<PooledConnection> idle = new ConcurrentLinkedDeque<>();

    /// @param answerMillis how long it may take for what a server that does not hang answers at
    ///   once, 0 for as long as it likes
    Server(String url, Properties properties, int answerMillis) {
        this.url = url;
        this.properties = properties;
        this.answerMillis = answerMillis;
    }

    PooledConnection open() throws SQLException {
        PooledConnection pooled;
        while ((pooled = idle.pollFirst()) != null) {
            if (pooled.usable()) {
                return pooled;
            }
            pooled.close();
        }
        Connection connection = DriverManager.getConnection(url, properties);
        connection.setNetworkTimeout(Runnable::run, 0);
        return new PooledConnection(this, connection);
    }

    /// What a server answers at once.
    interface Quick<T> {
        T ask() throws SQLException;
    }

    /// @throws SQLException as for a lost connection when the server hangs
    <T> T quickly(Connection connection, Quick<T> quick) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, answerMillis);
        try {
            return quick.ask();
        } finally {
            if (!connection.isClosed()) {
                connection.setNetworkTimeout(Runnable::run, 0);
            }
        }
    }

    void giveBack(PooledConnection pooled, boolean healthy) {
        if (healthy) {
            idle.addFirst(pooled);
        } else {
            pooled.close();
        }
    }

    /// The last commit of each class that a connection shows.
    Map<ConflictClass, Long> applied(Connection connection) throws SQLException {
        return quickly(connection, () -> positions(connection));
    }

    private static Map<ConflictClass, Long> positions(Connection connection) throws SQLException {
        Map<ConflictClass, Long> positions = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery( // whatever SQL_SELECT_LIMIT the session has
                                "SELECT class_name, commit_number FROM quire.applied LIMIT 1000000")) {
            while (rows.next()) {
                positions.put(new ConflictClass(rows.getString(1)), rows.getLong(2));
            }
        }
        return Map.copyOf(positions);
    }

    void close() {
        PooledConnection pooled;
        while ((pooled = idle.pollFirst()) != null) {
            pooled.close();
        }
    }

    @Override
    public String toString() {
        return url;
    }
}
