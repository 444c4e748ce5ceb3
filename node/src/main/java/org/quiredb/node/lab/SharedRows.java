package org.quiredb.node.lab;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;

/// Rows that all writers change, each of their transactions as one of sysbench's `oltp_write_only`
/// does: an indexed column counts on, another one is overwritten, a row is deleted and inserted.
///
/// Invariant: the counters add up to the number of transactions.
final class SharedRows {
    private static final int COUNTED = 400;

    /// Deleted and inserted again; they count nothing.
    private static final int RENEWED = 400;

    private SharedRows() {}

    static void create(Statement backend) throws SQLException {
        backend.execute(
                "CREATE TABLE ledger.shared (id INT PRIMARY KEY, k INT NOT NULL,"
                        + " c CHAR(120) NOT NULL, KEY (k))");
        for (int id = 1; id <= COUNTED + RENEWED; id++) {
            backend.addBatch("INSERT INTO ledger.shared VALUES (%d, 0, '')".formatted(id));
        }
        backend.executeBatch();
    }

    static void change(Statement statement, Random random) throws SQLException {
        int renewed = COUNTED + 1 + random.nextInt(RENEWED);
        statement.executeUpdate(
                "UPDATE shared SET k = k + 1 WHERE id = " + (1 + random.nextInt(COUNTED)));
        statement.executeUpdate(
                "UPDATE shared SET c = '%x' WHERE id = %d"
                        .formatted(random.nextLong(), 1 + random.nextInt(COUNTED)));
        statement.executeUpdate("DELETE FROM shared WHERE id = " + renewed);
        statement.executeUpdate(
                "INSERT INTO shared VALUES (%d, 0, '%x')".formatted(renewed, random.nextLong()));
    }

    static long counted(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet sum = statement.executeQuery("SELECT SUM(k) FROM ledger.shared")) {
            sum.next();
            return sum.getLong(1);
        }
    }
}
