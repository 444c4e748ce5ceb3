package org.quiredb.node.lab;

import com.mysql.cj.log.NullLogger;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A client's connection, made anew when it is lost.
///
/// Threads: one.
final class LedgerConnection {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerConnection.class);
    private static final long PAUSE_NANOS = Duration.ofMillis(10).toNanos();

    /// Longer than any statement of a ledger client may take: nobody waits for ever for an answer.
    static final Duration ANSWER = Duration.ofMinutes(2);

    private static final String CONNECT_MILLIS = "5000";

    private final Ledger ledger;
    private final String url;
    private final Properties properties = new Properties();
    private @Nullable Connection connection;

    LedgerConnection(Ledger ledger, String url, String user, String password) {
        this.ledger = ledger;
        this.url = url;
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        properties.setProperty("connectTimeout", CONNECT_MILLIS);
        properties.setProperty("socketTimeout", String.valueOf(ANSWER.toMillis()));
        properties.setProperty("logger", NullLogger.class.getName()); // failures are counted here
    }

    /// Empty when the ledger was closed before anybody answered.
    Optional<Connection> get() {
        return get(false);
    }

    /// @param anyhow whether there is something to find out still when the ledger is closed
    Optional<Connection> get(boolean anyhow) {
        while (connection == null && !(anyhow ? ledger.givesUp() : ledger.closed())) {
            try {
                connection = DriverManager.getConnection(url, properties);
            } catch (SQLException e) {
                LOG.info("a client cannot connect: {}", e.getMessage());
                ledger.incidents().failed(e.getErrorCode());
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        return Optional.ofNullable(connection);
    }

    /// Counts a failure. A lost connection is given up, another transaction rolled back.
    void failed(SQLException failure) {
        LOG.info("a client met {}: {}", failure.getErrorCode(), failure.getMessage());
        ledger.incidents().failed(failure.getErrorCode());
        Connection failing = connection;
        if (failing == null) {
            return;
        }
        try {
            if (!failing.getAutoCommit()) {
                failing.rollback();
            }
            if (lost(failure)) {
                giveUp(failing);
            }
        } catch (SQLException e) {
            giveUp(failing);
        }
    }

    /// SQLSTATE class 08 is "connection exception".
    static boolean lost(SQLException failure) {
        return String.valueOf(failure.getSQLState()).startsWith("08");
    }

    private void giveUp(Connection lost) {
        ledger.incidents().connectionLost();
        connection = null;
        try {
            lost.close();
        } catch (SQLException e) {
            // It is gone, which is all that was wanted.
        }
    }

    void close() {
        Connection open = connection;
        if (open != null) {
            connection = null;
            try {
                open.close();
            } catch (SQLException e) {
                // It is gone, which is all that was wanted.
            }
        }
    }
}
