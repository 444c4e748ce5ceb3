package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whatever memory takes, its backend holds the same afterwards; and what memory refuses leaves the
/// tier as it was. Each statement once was taken by one of the two only, or done otherwise.
@ExtendWith(BothSides.class)
@Tag("slow")
final class EffectsTest {
    private final BothSides.Ports ports;

    EffectsTest(BothSides.Ports ports) {
        this.ports = ports;
    }

    @BeforeEach
    void prepareTables() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP DATABASE IF EXISTS d");
            statement.execute("CREATE DATABASE d");
            statement.execute("CREATE TABLE d.t (id INT PRIMARY KEY, v INT)");
            statement.execute("INSERT INTO d.t VALUES (1, 1)");
            statement.execute(
                    "CREATE TABLE d.u (id INT PRIMARY KEY, w INT, p CHAR(100) DEFAULT 'x', KEY (w))");
            statement.execute("INSERT INTO d.u (id, w) VALUES (1, 20), (2, 10)");
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + ports.quire() + "/", "quire", "quire");
    }

    private Connection inD() throws SQLException {
        Connection connection = connect();
        connection.setCatalog("d");
        return connection;
    }

    /// The error's number, 0 for none.
    private static int run(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
            return 0;
        } catch (SQLException e) {
            return e.getErrorCode();
        }
    }

    private void same() throws Exception {
        try (Connection connection = inD()) {
            assertThat(run(connection, "REPLACE INTO t VALUES (1000, 7)")).isZero();
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE t SET v=2 WHERE id IN (SELECT id FROM u ORDER BY id LIMIT 1)",
                "UPDATE t SET v=(SELECT w FROM u LIMIT 1) WHERE id=1",
                "UPDATE t SET v=(SELECT w FROM u WHERE p='x' LIMIT 1)",
                "UPDATE t SET v=PUBLIC.QUIRE_MOD(v,7)",
                "UPDATE t SET v=5 WHERE id=1::INT",
                "UPDATE t SET v=5 WHERE id IS DISTINCT FROM 3",
                "INSERT INTO t DEFAULT VALUES",
                "DELETE FROM u ORDER BY w LIMIT 1",
                "INSERT INTO t SELECT id + 10, w FROM u LIMIT 1",
                "INSERT IGNORE INTO t VALUES (1, 5), (2, 6)",
                "REPLACE INTO t VALUES (1, 5), (2, 6)",
                "INSERT INTO t VALUES (1, 5), (2, 6) ON DUPLICATE KEY UPDATE v = v + 100",
                "UPDATE u SET id = id + 1 ORDER BY id DESC",
                "UPDATE t SET v = RAND() * 1000",
                "INSERT DELAYED INTO t VALUES (5, 5)",
                "UPDATE u SET w = w + 1, p = (SELECT COUNT(*) FROM t WHERE t.id = u.w) WHERE id = 1",
                "UPDATE t SET v = 9 /*!80000 WHERE id = 7 */",
                "INSERT INTO u SET id = 50, w = id + 1",
                "INSERT INTO t (id, v) SELECT id, w FROM u ON DUPLICATE KEY UPDATE v = t.v + u.w",
            })
    void whatTwoEnginesReadDifferently(String sql) throws Exception {
        try (Connection connection = inD()) {
            run(connection, sql);
        }
        same();
    }

    @Test
    void aParentGoesWithItsChildOfTheSameTable() throws Exception {
        try (Connection connection = inD()) {
            run(
                    connection,
                    "CREATE TABLE s (id INT PRIMARY KEY, up INT, FOREIGN KEY (up) REFERENCES s (id))");
            run(connection, "INSERT INTO s VALUES (1, NULL), (2, 1), (3, 2)");
            run(connection, "DELETE FROM s WHERE id IN (1, 2, 3)");
            run(connection, "DELETE FROM s ORDER BY id DESC");
        }
        same();
    }

    @Test
    void cascadesReachTheBackend() throws Exception {
        try (Connection connection = inD()) {
            run(connection, "CREATE TABLE a (id INT PRIMARY KEY)");
            run(
                    connection,
                    "CREATE TABLE b (id INT PRIMARY KEY, a INT, FOREIGN KEY (a) REFERENCES a (id)"
                            + " ON DELETE CASCADE ON UPDATE CASCADE)");
            run(
                    connection,
                    "CREATE TABLE c (id INT PRIMARY KEY, b INT, FOREIGN KEY (b) REFERENCES b (id)"
                            + " ON DELETE SET NULL)");
            run(connection, "INSERT INTO a VALUES (1), (2)");
            run(connection, "INSERT INTO b VALUES (1, 1), (2, 1), (3, 2)");
            run(connection, "INSERT INTO c VALUES (1, 1), (2, 2), (3, 3)");
            assertThat(run(connection, "UPDATE a SET id = 7 WHERE id = 2")).isZero();
            assertThat(run(connection, "DELETE FROM a WHERE id = 1")).isZero();
        }
        same();
    }

    /// A column that counts need not be unique.
    @Test
    void theBackendCountsOnAndLosesNoRow() throws Exception {
        try (Connection connection = inD()) {
            run(
                    connection,
                    "CREATE TABLE k (a INT PRIMARY KEY, id INT NOT NULL AUTO_INCREMENT, KEY (id))");
            assertThat(run(connection, "INSERT INTO k VALUES (1, 3)")).isZero();
            assertThat(run(connection, "UPDATE k SET id = 9 WHERE a = 1")).isZero();
            run(
                    connection,
                    "CREATE TABLE l (id INT AUTO_INCREMENT, ver INT, PRIMARY KEY (id, ver))");
            assertThat(run(connection, "INSERT INTO l VALUES (5, 1)")).isZero();
            assertThat(run(connection, "INSERT INTO l VALUES (5, 2)")).isZero();
            assertThat(run(connection, "DELETE FROM l WHERE id = 5 AND ver = 2")).isZero();
            run(connection, "CREATE TABLE m (id TINYINT AUTO_INCREMENT PRIMARY KEY, v INT)");
            assertThat(run(connection, "INSERT INTO m VALUES (126, 0)")).isZero();
            run(connection, "START TRANSACTION");
            assertThat(run(connection, "INSERT INTO m (v) VALUES (1), (2)")).isPositive();
            assertThat(run(connection, "UPDATE t SET v = 70 WHERE id = 1")).isZero();
            assertThat(run(connection, "COMMIT")).isZero();
            run(
                    connection,
                    "CREATE TABLE n (id TINYINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, v INT)");
            assertThat(run(connection, "INSERT INTO n VALUES (255, 1)")).isZero();
            assertThat(run(connection, "INSERT INTO n (v) VALUES (2)")).isPositive();
        }
        same();
    }

    @Test
    void uniqueKeysSwap() throws Exception {
        try (Connection connection = inD()) {
            run(
                    connection,
                    "CREATE TABLE q (id INT PRIMARY KEY, k INT UNIQUE, n VARCHAR(9) UNIQUE)");
            run(connection, "INSERT INTO q VALUES (1, 10, 'a'), (2, 20, 'b'), (3, 30, 'c')");
            connection.setAutoCommit(false);
            assertThat(run(connection, "UPDATE q SET k = 0 WHERE id = 1")).isZero();
            assertThat(run(connection, "UPDATE q SET k = 10 WHERE id = 2")).isZero();
            assertThat(run(connection, "UPDATE q SET k = 20, n = 'A' WHERE id = 1")).isZero();
            assertThat(run(connection, "DELETE FROM q WHERE id = 3")).isZero();
            assertThat(run(connection, "INSERT INTO q VALUES (4, 30, 'C')")).isZero();
            connection.commit();
        }
        same();
    }

    @Test
    void rowsWithoutAPrimaryKey() throws Exception {
        try (Connection connection = inD()) {
            run(connection, "CREATE TABLE f (a FLOAT, v VARCHAR(9), d DATE)");
            run(
                    connection,
                    "INSERT INTO f VALUES (0.1, 'x', NULL), (0.1, 'X', NULL), (0.1, 'x', NULL), (NULL, NULL, '2024-02-29')");
            assertThat(run(connection, "UPDATE f SET a = a * 2 WHERE v = 'x' LIMIT 2")).isZero();
            assertThat(run(connection, "DELETE FROM f WHERE v = 'x' LIMIT 1")).isZero();
            assertThat(run(connection, "UPDATE f SET v = 'n' WHERE v IS NULL")).isZero();
        }
        same();
    }

    @Test
    void bytesThatAreNoText() throws Exception {
        try (Connection connection = inD()) {
            run(connection, "CREATE TABLE c (id INT PRIMARY KEY, v VARCHAR(20))");
            assertThat(run(connection, "INSERT INTO c VALUES (1, x'e9')")).isEqualTo(1366);
            assertThat(run(connection, "INSERT INTO c VALUES (2, x'c3a9')")).isZero();
            run(
                    connection,
                    "CREATE TABLE l (id INT PRIMARY KEY, v VARCHAR(20) CHARACTER SET latin1)");
            assertThat(run(connection, "INSERT INTO l VALUES (1, x'e9')")).isZero();
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT v FROM l")) {
                row.next();
                assertThat(row.getString(1)).isEqualTo("é");
            }
        }
        try (Connection latin =
                        DriverManager.getConnection(
                                "jdbc:mysql://127.0.0.1:"
                                        + ports.quire()
                                        + "/d?sessionVariables=wait_timeout=100",
                                "quire",
                                "quire");
                PreparedStatement insert = latin.prepareStatement("INSERT INTO c VALUES (3, ?)")) {
            insert.setBytes(1, new byte[] {(byte) 0xE9, 'x'});
            insert.executeUpdate();
        } catch (SQLException e) {
            assertThat(e.getErrorCode()).isIn(1366, 1300);
        }
        same();
    }

    @Test
    void timesAtTheEdge() throws Exception {
        try (Connection connection = inD()) {
            run(connection, "CREATE TABLE s (id INT PRIMARY KEY, t TIMESTAMP NULL, d DATETIME(6))");
            assertThat(run(connection, "INSERT INTO s VALUES (1, '1970-01-01 00:00:00', NULL)"))
                    .isEqualTo(1292);
            assertThat(run(connection, "INSERT INTO s VALUES (2, '1970-01-01 00:00:01', NULL)"))
                    .isZero();
            assertThat(run(connection, "INSERT INTO s VALUES (3, '2038-01-19 03:14:08', NULL)"))
                    .isEqualTo(1292);
            assertThat(run(connection, "INSERT INTO s VALUES (4, '2038-01-19 03:14:07', NULL)"))
                    .isZero();
            assertThat(
                            run(
                                    connection,
                                    "INSERT INTO s VALUES (5, '0000-00-00', '9999-12-31 23:59:59.999999')"))
                    .isZero();
        }
        same();
    }

    @Test
    void whatIsNoJson() throws Exception {
        try (Connection connection = inD()) {
            run(connection, "CREATE TABLE j (id INT PRIMARY KEY, j JSON)");
            assertThat(run(connection, "INSERT INTO j VALUES (1, '{bad')")).isEqualTo(4025);
            assertThat(run(connection, "INSERT INTO j VALUES (2, '{\"a\": [1, 2.5e3, null]}')"))
                    .isZero();
            assertThat(run(connection, "UPDATE j SET j = 'x'")).isEqualTo(4025);
        }
        same();
    }

    @Test
    void numbersOfEveryKind() throws Exception {
        try (Connection connection = inD()) {
            run(
                    connection,
                    "CREATE TABLE n (id INT PRIMARY KEY, d DOUBLE, f FLOAT, z INT(5) ZEROFILL,"
                            + " e DECIMAL(6,2) ZEROFILL, b BIGINT(20) UNSIGNED ZEROFILL,"
                            + " g DOUBLE ZEROFILL, h FLOAT(7,2) ZEROFILL)");
            run(connection, "INSERT INTO n VALUES (1, -0e0, -0e0, 7, 1.5, 9, 1.25, 3.5)");
            run(connection, "INSERT INTO n VALUES (2, 0.1, 0.1, 123456, 1234.56, 0, 0, 0)");
            run(connection, "UPDATE n SET f = f * 3, d = d / 7 WHERE id = 2");
        }
        same();
    }

    @Test
    void textsInCharacterSetsOfWideCharacters() throws Exception {
        try (Connection connection = inD()) {
            run(connection, "CREATE TABLE x (id INT PRIMARY KEY, v TINYTEXT CHARACTER SET utf16)");
            run(connection, "INSERT INTO x VALUES (1, REPEAT('a', 200))");
            run(connection, "INSERT INTO x VALUES (2, '" + "a".repeat(200) + "')");
            run(connection, "INSERT INTO x VALUES (3, 'é')");
        }
        same();
    }

    @Test
    void valuesOfMegabytes() throws Exception {
        byte[] bytes = new byte[5 << 20];
        new Random(5).nextBytes(bytes);
        String text = "wörter ".repeat(400_000);
        try (Connection connection = inD()) {
            run(
                    connection,
                    "CREATE TABLE large (id INT PRIMARY KEY, b LONGBLOB, t LONGTEXT, v INT)");
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO large VALUES (?, ?, ?, 0)")) {
                insert.setInt(1, 1);
                insert.setBytes(2, bytes);
                insert.setNull(3, Types.LONGVARCHAR);
                insert.executeUpdate();
                insert.setInt(1, 2);
                insert.setNull(2, Types.LONGVARBINARY);
                insert.setString(3, text);
                insert.executeUpdate();
            }
            run(connection, "INSERT INTO large VALUES (3, NULL, '" + text + "', 0)");
            run(connection, "UPDATE large SET v = v + 1");
            run(connection, "UPDATE large SET t = CONCAT(t, 'x') WHERE id = 3");
            run(connection, "INSERT INTO large SELECT id + 10, b, t, v FROM large");
            try (Statement statement = connection.createStatement();
                    ResultSet rows =
                            statement.executeQuery("SELECT b, t, v FROM large ORDER BY id")) {
                for (int i = 0; i < 2; i++) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getBytes(1)).isEqualTo(bytes);
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getString(2)).isEqualTo(text);
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getString(2)).isEqualTo(text + "x");
                    assertThat(rows.getInt(3)).isEqualTo(1);
                }
                assertThat(rows.next()).isFalse();
            }
        }
        same();
    }

    @Test
    void insertsIntoATableWithoutTransactions() throws Exception {
        try (Connection connection = inD()) {
            run(connection, "CREATE TABLE m (id INT PRIMARY KEY, v INT) ENGINE=MyISAM");
            run(connection, "INSERT DELAYED INTO m VALUES (1, 1)");
            run(connection, "UPDATE m SET v = 2");
        }
        same();
    }

    @Test
    void aTransactionThatTheLogDoesNotTakeIsRolledBack() throws Exception {
        try (Connection connection = inD()) {
            run(connection, "CREATE TABLE big (id INT PRIMARY KEY, v LONGTEXT)");
            connection.setAutoCommit(false);
            String megabyte = "x".repeat(1_000_000);
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO big VALUES (?, ?)")) {
                for (int i = 0; i < 30; i++) {
                    insert.setInt(1, i);
                    insert.setString(2, megabyte);
                    insert.executeUpdate();
                }
            }
            int error = 0;
            try {
                connection.commit();
            } catch (SQLException e) {
                error = e.getErrorCode();
            }
            assertThat(error).isEqualTo(1197);
            connection.rollback();
            connection.setAutoCommit(true);
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO big VALUES (?, ?), (?, ?), (?, ?)")) {
                for (int i = 0; i < 3; i++) {
                    insert.setInt(1 + 2 * i, i);
                    insert.setString(2 + 2 * i, megabyte);
                }
                assertThat(insert.executeUpdate()).isEqualTo(3);
            }
            assertThat(run(connection, "INSERT INTO big SELECT id + 10, v FROM big")).isZero();
            assertThat(run(connection, "INSERT INTO big SELECT id + 20, v FROM big")).isZero();
        }
        same();
    }

    @Test
    void valuesOfAutoIncrementGoOn() throws Exception {
        try (Connection connection = inD()) {
            run(connection, "CREATE TABLE i (id INT AUTO_INCREMENT PRIMARY KEY, k INT UNIQUE)");
            connection.setAutoCommit(false);
            run(connection, "INSERT INTO i (k) VALUES (1), (2)");
            run(connection, "DELETE FROM i WHERE k = 2");
            connection.commit();
            connection.setAutoCommit(true);
            run(connection, "INSERT INTO i (k) VALUES (1) ON DUPLICATE KEY UPDATE k = 5");
        }
        same();
    }
}
