package org.quiredb.node.measure;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/// A small table with a view and stored programs of the kinds that applications have: what reads,
/// what counts a number on, what adds a row in a transaction of its own.
final class StoredPrograms {
    private static final int ROWS = 10;

    private static final List<String> MADE =
            List.of(
                    "CREATE TABLE counted (id INT NOT NULL PRIMARY KEY, n INT NOT NULL)",
                    "INSERT INTO counted VALUES (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (10, 0)",
                    "CREATE TABLE added (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, n INT NOT NULL)",
                    "CREATE VIEW viewed AS SELECT id, n + 1 AS next FROM counted",
                    "CREATE FUNCTION counts(which INT) RETURNS INT READS SQL DATA"
                            + " RETURN (SELECT n FROM counted WHERE id = which)",
                    "CREATE FUNCTION next_number(which INT) RETURNS INT BEGIN"
                            + " UPDATE counted SET n = LAST_INSERT_ID(n + 1) WHERE id = which;"
                            + " RETURN LAST_INSERT_ID(); END",
                    "CREATE PROCEDURE shows(which INT) SELECT n FROM counted WHERE id = which",
                    "CREATE PROCEDURE raises(which INT) UPDATE counted SET n = n + 1 WHERE id = which",
                    "CREATE PROCEDURE adds(which INT) BEGIN"
                            + " DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN ROLLBACK; RESIGNAL; END;"
                            + " START TRANSACTION; INSERT INTO added (n) VALUES (which); COMMIT; END");

    private StoredPrograms() {}

    /// In the current database.
    static void create(Statement statement) throws SQLException {
        for (String sql : MADE) {
            statement.execute(sql);
        }
    }

    static List<Probe> probes() {
        return List.of(
                probe("view", "SELECT next FROM viewed WHERE id = ?", Probe.Kind.TABLE_READ),
                probe("function", "SELECT counts(?)", Probe.Kind.TABLE_READ),
                probe("callReads", "CALL shows(?)", Probe.Kind.TABLE_READ),
                probe("functionChanges", "SELECT next_number(?)", Probe.Kind.TABLE_WRITE),
                probe("callChanges", "CALL raises(?)", Probe.Kind.TABLE_WRITE),
                probe("callTransaction", "CALL adds(?)", Probe.Kind.TABLE_WRITE));
    }

    private static Probe probe(String key, String text, Probe.Kind kind) {
        return new Probe(key, text, kind, draw -> List.of(draw.between(1, ROWS)));
    }
}
