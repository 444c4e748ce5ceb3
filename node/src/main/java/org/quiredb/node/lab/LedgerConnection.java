package org.quiredb.node.lab;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A client's connection, made anew when it is lost.
///
/// Threads: one.
final class LedgerConnection {
    private static final long PAUSE_NANOS = Duration.ofMillis(10).toNanos();

    private final Ledger ledger;
    private final String url;
    private final String user;
    private final String password;
    private @Nullable Connection connection;

    LedgerConnection(Ledger ledger, String url, String user, String password) {
        this.ledger = ledger;
        this.url = url;
        this.user = user;
        this.password = password;
    }

    /// Empty when the ledger was closed before anybody answered.
    Optional<Connection> get() {
        while (connection == null && !ledger.closed()) {
            try {
                connection = DriverManager.getConnection(url, user, password);
            } catch (SQLException e) {
                ledger.incidents().failed(e.getErrorCode());
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        return Optional.ofNullable(connection);
    }

    /// Counts a failure. A lost connection is given up, another transaction rolled back.
    void failed(SQLException failure) {
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
    private static boolean lost(SQLException failure) {
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
