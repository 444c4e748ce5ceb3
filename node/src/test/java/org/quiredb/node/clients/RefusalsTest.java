package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.node.status.StatusClient;

/// What a client does wrong is refused with MySQL's error, and its session goes on.
@ExtendWith(BothSides.class)
@Tag("slow")
final class RefusalsTest {
    private final BothSides.Ports ports;

    RefusalsTest(BothSides.Ports ports) {
        this.ports = ports;
    }

    @BeforeEach
    void prepareTable() throws SQLException {
        try (Connection connection = connect("", BothSides.PASSWORD);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE IF NOT EXISTS refusals");
            statement.execute("DROP TABLE IF EXISTS refusals.thing");
            statement.execute("CREATE TABLE refusals.thing (id INT PRIMARY KEY, name VARCHAR(5))");
            statement.execute("INSERT INTO refusals.thing VALUES (1, 'one')");
            statement.execute("CREATE TABLE IF NOT EXISTS refusals.chooser (id INT PRIMARY KEY)");
        }
    }

    @Test
    void wrongPasswordIsAccessDenied() {
        assertThat(error(() -> connect("refusals", "wrong"))).isEqualTo(1045);
        assertThat(error(() -> connect("refusals", ""))).isEqualTo(1045);
    }

    @Test
    void unknownDatabaseIsRefusedWhenConnecting() {
        assertThat(error(() -> connect("nowhere", BothSides.PASSWORD))).isEqualTo(1049);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    1049 | USE nowhere
                    1064 | SELEC 1
                    1064 | SELECT 'unfinished
                    1064 | SELECT FROM thing
                    1062 | INSERT INTO thing VALUES (1, 'again')
                    1054 | SELECT nothing FROM thing
                    1054 | UPDATE thing SET nothing = 1
                    1111 | UPDATE thing SET name = SOUNDEX(name) ORDER BY COUNT(*)
                    1111 | DELETE FROM thing WHERE SOUNDEX(name) > '' ORDER BY id, MAX(id) LIMIT 1
                    1111 | ANALYZE DELETE FROM thing ORDER BY COUNT(*) LIMIT 1
                    1111 | EXECUTE IMMEDIATE 'DELETE FROM thing ORDER BY COUNT(*) LIMIT 1'
                    1111 | SET STATEMENT max_statement_time = 5 FOR DELETE FROM thing ORDER BY COUNT(*) LIMIT 1
                    1111 | CREATE PROCEDURE refusals.ordered() BEGIN DELETE FROM thing ORDER BY COUNT(*); END
                    1111 | BEGIN NOT ATOMIC UPDATE thing SET name = 'x' ORDER BY COUNT(*); END
                    1146 | SELECT * FROM nothing
                    1146 | DELETE FROM nothing
                    1146 | SELECT nothing.x FROM nothing FOR UPDATE
                    1136 | INSERT INTO thing VALUES (2)
                    1048 | INSERT INTO thing VALUES (NULL, 'x')
                    1406 | INSERT INTO thing VALUES (3, 'too long')
                    1050 | CREATE TABLE thing (id INT)
                    1305 | ROLLBACK TO SAVEPOINT nothing
                    1193 | SET nothing = 1
                    1065 | ;
                    1235 | SET auto_increment_increment = 2
                    1235 | SET insert_id = 9223372036854775808
                    1235 | SELECT 1 INTO OUTFILE 'refused'
                    1235 | SELECT * FROM thing UNION SELECT 1, 2 INTO DUMPFILE 'refused'
                    1235 | SELECT LOAD_FILE('/etc/hostname')
                    1235 | SELECT `load_file`('/etc/hostname') FROM thing
                    1235 | SET @x = (SELECT LOAD_FILE('/etc/hostname'))
                    1235 | SET STATEMENT sort_buffer_size = 100000 FOR SET sort_buffer_size = 200000
                    1235 | SET STATEMENT sort_buffer_size = 100000 FOR SET STATEMENT lock_wait_timeout = 1 FOR SELECT 1
                    1235 | SET STATEMENT sort_buffer_size = (SELECT COUNT(*) FROM thing) FOR SELECT 1
                    1235 | SET STATEMENT tx_isolation = 'SERIALIZABLE' FOR SELECT 1
                    1235 | SET STATEMENT sql_mode = 'ANSI_QUOTES' FOR SELECT "id" FROM thing
                    1969 | SET STATEMENT max_statement_time = 0.1 FOR SELECT BENCHMARK(2000000000, MD5('x'))
                    1235 | SET PASSWORD = PASSWORD('other')
                    1235 | SET wait_timeout = 100, PASSWORD = PASSWORD('other')
                    1235 | SET ROLE NONE
                    1235 | SET DEFAULT ROLE NONE
                    1235 | SET GLOBAL read_only = 1
                    1235 | SET @@global.max_connections = 1
                    1235 | SET GLOBAL TRANSACTION READ ONLY
                    1235 | CREATE FUNCTION f() RETURNS INT BEGIN INSERT INTO thing VALUES (9, 'x'); COMMIT; RETURN 1; END
                    """)
    void mistakesHaveMySqlsNumbersAndTheTransactionGoesOn(int number, String sql)
            throws SQLException {
        try (Connection connection = connect("refusals", BothSides.PASSWORD);
                Statement statement = connection.createStatement()) {
            assertThat(error(() -> statement.execute(sql))).isEqualTo(number);
            assertThat(number(statement, "SELECT COUNT(*) FROM thing")).isEqualTo(1);
            if (!sql.startsWith("CREATE")) {
                connection.setAutoCommit(false);
                statement.execute("INSERT INTO thing VALUES (7, 'seven')");
                assertThat(error(() -> statement.execute(sql))).isEqualTo(number);
                connection.commit();
                assertThat(number(statement, "SELECT COUNT(*) FROM thing")).isEqualTo(2);
            }
        }
    }

    /// Whichever of them was made last.
    @ParameterizedTest
    @CsvSource({
        "cased_1.t, Cased_1.t",
        "Cased_2.t, cased_2.t",
        "cased_3.t, cased_3.T",
        "cased_4.T, cased_4.t"
    })
    void aTableIsNotTakenForOneWhoseNameDiffersInCaseOnly(String first, String second)
            throws SQLException {
        try (Connection connection = connect("", BothSides.PASSWORD);
                Statement statement = connection.createStatement()) {
            for (String table : List.of(first, second)) {
                statement.execute(
                        "CREATE DATABASE IF NOT EXISTS " + table.substring(0, table.indexOf('.')));
            }
            statement.execute("CREATE TABLE " + first + " (id INT PRIMARY KEY)");
            statement.execute("INSERT INTO " + first + " VALUES (1), (2)");
            statement.execute("CREATE TABLE " + second + " (id INT PRIMARY KEY)");
            assertThat(number(statement, "SELECT COUNT(*) FROM " + first)).isEqualTo(2);
            assertThat(number(statement, "SELECT COUNT(*) FROM " + second)).isZero();
            for (String table : List.of(first, second)) {
                for (String change :
                        List.of(
                                "INSERT INTO %s VALUES (3)",
                                "UPDATE %s SET id = id + 5",
                                "UPDATE %s SET id = id + 5 WHERE id > RAND() * 0",
                                "DELETE FROM %s")) {
                    assertThat(error(() -> statement.execute(change.formatted(table))))
                            .describedAs(change, table)
                            .isEqualTo(1235);
                }
            }
            assertThat(number(statement, "SELECT SUM(id) FROM " + first)).isEqualTo(3);
            statement.execute("DROP TABLE " + first);
            statement.execute("INSERT INTO " + second + " VALUES (3)");
            assertThat(number(statement, "SELECT SUM(id) FROM " + second)).isEqualTo(3);
            statement.execute("CREATE TABLE " + first + " (id INT PRIMARY KEY)");
            statement.execute("DROP TABLE " + second);
            statement.execute("INSERT INTO " + first + " VALUES (4)");
            assertThat(number(statement, "SELECT SUM(id) FROM " + first)).isEqualTo(4);
            statement.execute("DROP TABLE " + first);
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    @Test
    void aStoredFunctionSeesWhatItsTransactionHasChanged() throws SQLException {
        try (Connection connection = connect("refusals", BothSides.PASSWORD);
                Statement statement = connection.createStatement()) {
            statement.execute("DROP FUNCTION IF EXISTS things");
            statement.execute(
                    "CREATE FUNCTION things() RETURNS INT RETURN (SELECT COUNT(*) FROM thing)");
            assertThat(number(statement, "SELECT things()")).isEqualTo(1);
            connection.setAutoCommit(false);
            statement.execute("INSERT INTO thing VALUES (7, 'seven')");
            assertThat(number(statement, "SELECT things()")).isEqualTo(2);
            assertThat(number(statement, "SELECT MAX(things()) FROM thing")).isEqualTo(2);
            connection.commit();
            assertThat(number(statement, "SELECT things()")).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CONCAT(@@sql_mode, ',ORACLE')",
                "@mode",
                "(SELECT 'EMPTY_STRING_IS_NULL')",
                "'ORACLE'",
                "'oracle'"
            })
    void aModeOfOtherMeaningIsRefusedHoweverItIsWritten(String mode) throws SQLException {
        try (Connection connection = connect("refusals", BothSides.PASSWORD);
                Statement statement = connection.createStatement()) {
            statement.execute("SET @mode = 'EMPTY_STRING_IS_NULL'");
            assertThat(error(() -> statement.execute("SET sql_mode = " + mode))).isEqualTo(1235);
            assertThat(number(statement, "SELECT @@sql_mode LIKE '%STRICT_TRANS_TABLES%'"))
                    .isEqualTo(1);
            assertThat(number(statement, "SELECT COUNT(*) FROM thing WHERE name = \"one\""))
                    .isEqualTo(1);
        }
    }

    /// As a driver that shows its program at once what cannot be prepared.
    @ParameterizedTest
    @ValueSource(strings = {"invalid sql", "SELET ?"})
    void aMistakeIsToldWhereItIsPrepared(String sql) throws SQLException {
        String asked = "?useServerPrepStmts=true&emulateUnsupportedPstmts=false";
        try (Connection connection =
                DriverManager.getConnection(
                        "jdbc:mysql://127.0.0.1:" + ports.quire() + "/refusals" + asked,
                        BothSides.USER,
                        BothSides.PASSWORD)) {
            assertThat(error(() -> connection.prepareStatement(sql).close())).isEqualTo(1064);
            connection.prepareStatement("UPDATE thing SET name = ? WHERE id = ?").close();
        }
    }

    @Test
    void aModeIsWhatItCameToWhenItWasSet() throws SQLException {
        try (Connection connection = connect("refusals", BothSides.PASSWORD);
                Statement statement = connection.createStatement()) {
            statement.execute("SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO'");
            statement.execute("SET sql_mode = CONCAT(@@sql_mode, ',STRICT_ALL_TABLES')");
            assertThat(
                            number(
                                    statement,
                                    "SELECT @@sql_mode = 'NO_AUTO_VALUE_ON_ZERO,STRICT_ALL_TABLES'"))
                    .isEqualTo(1);
        }
    }

    /// The table was just changed, but all know it: nothing would be otherwise when asked again.
    @Test
    void aWrongAliasIsToldWithoutASecondTry() throws SQLException {
        try (Connection connection = connect("refusals", BothSides.PASSWORD);
                Statement statement = connection.createStatement()) {
            for (String change :
                    List.of(
                            "ALTER TABLE thing ADD COLUMN more INT",
                            "CREATE TABLE other (id INT)",
                            "DROP TABLE other")) {
                statement.execute(change);
                double before = freshTags();
                assertThat(error(() -> statement.execute("SELECT wrong.* FROM thing right_one")))
                        .as("after %s", change)
                        .isEqualTo(1051);
                assertThat(freshTags()).as("after %s", change).isEqualTo(before);
            }
        }
    }

    /// Reads that the scheduler has run again with another tag.
    private double freshTags() {
        try (StatusClient status = StatusClient.connect("127.0.0.1", ports.tier().statusPort())) {
            return status.cluster().stream()
                    .map(ClusterNode::status)
                    .filter(s -> s != null && s.role().equals("scheduler"))
                    .mapToDouble(s -> s.figure("version.retries"))
                    .sum();
        }
    }

    @Test
    void aPacketBeyondTheLimitIsRefused() throws SQLException {
        try (Connection connection = connect("refusals", BothSides.PASSWORD);
                Statement statement = connection.createStatement()) {
            String sql = "SELECT LENGTH('" + "x".repeat(65 << 20) + "')";
            assertThat(List.of(1153, 0)) // the driver may notice the closed socket first
                    .contains(error(() -> statement.execute(sql)));
        }
        try (Connection connection = connect("refusals", BothSides.PASSWORD);
                Statement statement = connection.createStatement()) {
            assertThat(number(statement, "SELECT COUNT(*) FROM thing")).isEqualTo(1);
        }
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static int error(ThrowingCallable action) {
        SQLException error = catchThrowableOfType(SQLException.class, action);
        assertThat((Throwable) error).isNotNull();
        return error.getErrorCode();
    }

    private Connection connect(String database, String password) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:"
                        + ports.quire()
                        + "/"
                        + database
                        + "?maxAllowedPacket=100000000",
                BothSides.USER,
                password);
    }
}
