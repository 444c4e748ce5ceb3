package org.quiredb.node.lab;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/// Reads one writer's entries after another and looks whether they are fresh and complete.
///
/// Threads: one.
final class LedgerReader implements Runnable {
    private final Ledger ledger;
    private final LedgerConnection connection;

    LedgerReader(Ledger ledger, LedgerConnection connection) {
        this.ledger = ledger;
        this.connection = connection;
    }

    @Override
    public void run() {
        for (int turn = 0; !ledger.closed(); turn++) {
            int writer = turn % Ledger.WRITERS;
            int atLeast = ledger.acknowledged(writer);
            long beganNanos = System.nanoTime();
            if (read(writer, atLeast)) {
                ledger.incidents().read(System.nanoTime() - beganNanos);
                ledger.countRead();
            }
        }
        connection.close();
    }

    /// Returns whether there was an answer before the ledger was closed.
    private boolean read(int writer, int atLeast) {
        while (true) {
            Optional<Connection> open = connection.get();
            if (open.isEmpty()) {
                return false;
            }
            try {
                look(open.get(), writer, atLeast);
                return true;
            } catch (SQLException e) {
                connection.failed(e);
                if (ledger.closed()) {
                    return false;
                }
            }
        }
    }

    private void look(Connection to, int writer, int atLeast) throws SQLException {
        to.setReadOnly(true);
        to.setAutoCommit(false);
        try (Statement statement = to.createStatement()) {
            int[] entries =
                    row(
                            statement,
                            "SELECT COUNT(*), MAX(number) FROM entry WHERE writer = " + writer);
            int[] last = row(statement, "SELECT number, number FROM last WHERE writer = " + writer);
            to.commit();
            int odd = entries[1] - (entries[1] + 1) % 2;
            if (entries[0] < atLeast) {
                ledger.anomaly(
                        "stale: %d entries of writer %d, acknowledged %d"
                                .formatted(entries[0], writer, atLeast));
            }
            if (entries[0] != entries[1] || last[0] != Math.max(odd, 0)) {
                ledger.anomaly(
                        "no consistent cut: writer %d has %d entries up to %d and notes %d as last"
                                .formatted(writer, entries[0], entries[1], last[0]));
            }
        }
    }

    private static int[] row(Statement statement, String query) throws SQLException {
        try (ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return new int[] {rows.getInt(1), rows.getInt(2)};
        }
    }
}
