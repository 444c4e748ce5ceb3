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
import java.util.concurrent.locks.ReentrantLock;
import org.quiredb.common.version.ConflictClass;

/// One of the on-disk databases, with the connections to it that nobody uses now.
///
/// Threads: any.
final class Server {
    private final String url;
    private final Properties properties;
    private final int answerMillis;

    /// One at a time, beyond the bound, asks how far the server is.
    private final ReentrantLock aside = new ReentrantLock();

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

    /// As another connection shows it, while one sends rows: no less than what these are of.
    Map<ConflictClass, Long> applied() throws SQLException {
        aside.lock();
        try {
            PooledConnection pooled = open();
            boolean healthy = false;
            try {
                Map<ConflictClass, Long> positions = applied(pooled.connection());
                healthy = true;
                return positions;
            } finally {
                giveBack(pooled, healthy);
            }
        } finally {
            aside.unlock();
        }
    }

    /// Whether somebody has waited for so long to change a table that a transaction has read.
    boolean schemaWaits(long seconds) {
        aside.lock();
        try {
            PooledConnection pooled = open();
            boolean healthy = false;
            try (Statement statement = pooled.connection().createStatement();
                    ResultSet rows =
                            statement.executeQuery(
                                    "SELECT COUNT(*) FROM information_schema.processlist"
                                            + " WHERE state LIKE 'Waiting for%metadata lock' AND time >= "
                                            + seconds)) {
                boolean waits = rows.next() && rows.getLong(1) > 0;
                healthy = true;
                return waits;
            } finally {
                giveBack(pooled, healthy);
            }
        } catch (SQLException e) {
            return false; // looked at again
        } finally {
            aside.unlock();
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
