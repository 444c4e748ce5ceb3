package org.quiredb.node.measure;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.quiredb.tpcw.random.TpcwRandom;

/// The table of sysbench's OLTP scripts in a database of its own, and four of their statements,
/// with keys drawn evenly.
final class SysbenchTable {
    private static final int ROWS = 10_000;
    private static final int RANGE = 100;
    private static final int BATCH = 1_000;
    private static final String INSERT = "INSERT INTO sbtest1 (k, c, pad) VALUES (?, ?, ?)";

    private SysbenchTable() {}

    /// @param url of the database, which is there and empty
    static void create(String url, String user, String password) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(
                                url + "&rewriteBatchedStatements=true", user, password);
                Statement statement = connection.createStatement();
                PreparedStatement insert = connection.prepareStatement(INSERT)) {
            statement.execute(
                    """
                    CREATE TABLE sbtest1 (id INT NOT NULL AUTO_INCREMENT, k INT NOT NULL DEFAULT 0,
                        c CHAR(120) NOT NULL DEFAULT '', pad CHAR(60) NOT NULL DEFAULT '', PRIMARY KEY (id), KEY k_1 (k))\
                    """);
            TpcwRandom draw = TpcwRandom.seeded(1);
            for (int row = 1; row <= ROWS; row++) {
                List<Object> values = row(draw);
                for (int i = 0; i < values.size(); i++) {
                    insert.setObject(i + 1, values.get(i));
                }
                insert.addBatch();
                if (row % BATCH == 0) {
                    insert.executeBatch();
                }
            }
            StoredPrograms.create(statement);
        }
    }

    static List<Probe> probes() {
        return List.of(
                new Probe(
                        "pointSelect",
                        "SELECT c FROM sbtest1 WHERE id = ?",
                        Probe.Kind.TABLE_READ,
                        draw -> List.of(draw.between(1, ROWS))),
                new Probe(
                        "range",
                        "SELECT c FROM sbtest1 WHERE id BETWEEN ? AND ?",
                        Probe.Kind.TABLE_READ,
                        draw -> {
                            int first = draw.between(1, ROWS - RANGE + 1);
                            return List.of(first, first + RANGE - 1);
                        }),
                new Probe(
                        "update",
                        "UPDATE sbtest1 SET k = k + 1 WHERE id = ?",
                        Probe.Kind.TABLE_WRITE,
                        draw -> List.of(draw.between(1, ROWS))),
                new Probe("insert", INSERT, Probe.Kind.TABLE_WRITE, SysbenchTable::row));
    }

    private static List<Object> row(TpcwRandom draw) {
        return List.of(draw.between(1, ROWS), draw.digits(119, 119), draw.digits(59, 59));
    }
}
