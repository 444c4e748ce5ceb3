package org.quiredb.node.lab;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Random;

/// Enters 1, 2, 3, ... under its number.
///
/// After a failure it looks whether the entry is there before it is made again, as an application
/// does that must not enter twice. Error 1213 alone promises that it is not. When the ledger is
/// closed it finds out still what became of its last entry.
///
/// Threads: one.
final class LedgerWriter implements Runnable {
    private static final int DEADLOCK = 1213;
    private static final int DUPLICATE = 1062;

    private final Ledger ledger;
    private final LedgerConnection connection;
    private final int writer;
    private final Activity activity;
    private final Random random;

    LedgerWriter(Ledger ledger, LedgerConnection connection, int writer) {
        this.ledger = ledger;
        this.connection = connection;
        this.writer = writer;
        this.activity = ledger.activity(writer);
        this.random = new Random(writer);
    }

    @Override
    public void run() {
        for (int number = 1; !ledger.closed(); number++) {
            long beganNanos = System.nanoTime();
            activity.enters(number, ledger.acknowledged());
            if (!enter(number)) {
                break; // closed, and known not to be there
            }
            ledger.acknowledge(writer, number);
            ledger.incidents().wrote(System.nanoTime() - beganNanos);
        }
        activity.ends();
        connection.close();
    }

    /// Returns whether the entry is there.
    private boolean enter(int number) {
        boolean uncertain = false;
        boolean mayCome = false;
        while (true) {
            activity.step("connects");
            Optional<Connection> open = connection.get(uncertain);
            if (open.isEmpty() || ledger.givesUp()) {
                if (uncertain) {
                    ledger.anomaly(
                            "writer %d cannot tell whether %d is entered: %s"
                                    .formatted(writer, number, activity.text(System.nanoTime())));
                }
                return false;
            }
            try {
                if (uncertain && isThere(open.get(), number)) {
                    return true;
                }
                if (ledger.closed() && !mayCome) {
                    return false;
                }
                uncertain = mayCome; // what a lost connection left under way may be so still
                insert(open.get(), number);
                return true;
            } catch (SQLException e) {
                activity.failed(e);
                uncertain |= e.getErrorCode() != DEADLOCK;
                if (e.getErrorCode() == DUPLICATE && !mayCome) {
                    ledger.anomaly(
                            "writer %d was told that %d was rolled back, and finds it entered"
                                    .formatted(writer, number));
                }
                mayCome |= LedgerConnection.lost(e);
                connection.failed(e);
            }
        }
    }

    private boolean isThere(Connection to, int number) throws SQLException {
        activity.step("looks whether it is there");
        to.setAutoCommit(true);
        try (Statement statement = to.createStatement();
                ResultSet row =
                        statement.executeQuery(
                                "SELECT COUNT(*) FROM entry WHERE writer = %d AND number = %d"
                                        .formatted(writer, number))) {
            row.next();
            return row.getInt(1) == 1;
        }
    }

    private void insert(Connection to, int number) throws SQLException {
        boolean alone = number % 2 == 0;
        activity.step("inserts");
        to.setAutoCommit(alone);
        try (Statement statement = to.createStatement()) {
            statement.executeUpdate(
                    "INSERT INTO entry (writer, number) VALUES (%d, %d)".formatted(writer, number));
            if (!alone) {
                activity.step("changes other rows");
                statement.executeUpdate(
                        "UPDATE last SET number = %d WHERE writer = %d".formatted(number, writer));
                if (ledger.onlyWriting()) {
                    SharedRows.change(statement, random);
                }
                activity.step("commits");
                to.commit();
            }
        }
    }
}
