package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mysql.cj.jdbc.JdbcStatement;
import com.mysql.cj.jdbc.result.ResultSetInternalMethods;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.quiredb.node.Await;

/// Files that clients send are read as by MariaDB: rows, counts, warnings, ids and errors.
@ExtendWith(BothSides.class)
@Tag("slow")
final class FileLoadsTest {
    /// What `LOAD DATA LOCAL INFILE` is to do with a file.
    private record Load(String file, String how) {
        String sql() {
            return how.startsWith("*") ? how.substring(1) : "LOAD DATA LOCAL INFILE 'rows' " + how;
        }
    }

    private static final String PEOPLE =
            "CREATE TABLE people (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(5) NOT NULL,"
                    + " age INT NOT NULL DEFAULT 3, born DATE, note TEXT, UNIQUE KEY (name), CHECK (age <> 6))";

    @Test
    void rowsAreConvertedAsByMariaDb(BothSides.Ports ports) throws Exception {
        requireSame(
                ports,
                List.of(PEOPLE, "INSERT INTO people VALUES (7, 'seven', 7, NULL, 'old')"),
                "people",
                List.of(
                        new Load(
                                "1\tone\t1\t2020-01-02\tn\n2\ttwo\t2\t\\N\t\\N\n",
                                "INTO TABLE people"),
                        new Load("\tempty\tx\t2020-13-01\t\n", "INTO TABLE people"),
                        new Load("20\ttoo long\t5\t2020-1-1\tx\ty\tz\n", "INTO TABLE people"),
                        new Load("21\tfew\n22\n", "INTO TABLE people"),
                        new Load("23\tnulls\t\\N\t\\N\t\\N\n24\t\\N\t1\n", "INTO TABLE people"),
                        new Load("7\tother\t1\n25\tseven\t1\n26\tnew\t1\n", "INTO TABLE people"),
                        new Load(
                                "7\tother\t1\t\\N\ta\n25\tseven\t1\t\\N\tb\n",
                                "REPLACE INTO TABLE people"),
                        new Load(
                                "30\tsix\t6\t\\N\t\\N\n31\tnot\t5\t\\N\t\\N\n",
                                "IGNORE INTO TABLE people"),
                        new Load("32\ta\t6\t\\N\t\\N\n", "REPLACE INTO TABLE people"),
                        new Load("33\tb\tx\t\\N\t\\N\n", "REPLACE INTO TABLE people"),
                        new Load("x1\nx2\nx3\n", "INTO TABLE people (name)"),
                        new Load("0\tzero\t1\t\\N\t\\N\n", "INTO TABLE people"),
                        new Load("x\n", "INTO TABLE people (name, nothing)"),
                        new Load("x\n", "INTO TABLE nobody"),
                        new Load("x\n", "INTO TABLE people FIELDS BY 'x'"),
                        new Load("", "INTO TABLE people")));
    }

    @Test
    void fieldsAndLinesAreReadAsByMariaDb(BothSides.Ports ports) throws Exception {
        requireSame(
                ports,
                List.of(
                        "CREATE TABLE fields (a INT PRIMARY KEY, b VARCHAR(40), c VARCHAR(40),"
                                + " d VARCHAR(40) AS (CONCAT(b, '-', c)))"),
                "fields",
                List.of(
                        new Load(
                                "a,b,c\r\n1,\"x, y\",z\r\n2,\"say \"\"hi\"\"\",\\N\r\n",
                                "INTO TABLE fields FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '\"'"
                                        + " LINES TERMINATED BY '\\r\\n' IGNORE 1 LINES (a, b, c)"),
                        new Load(
                                "noise>>3|'q'|NULL\n>>4|'r\\'s'|'t\\nu'\n",
                                "INTO TABLE fields COLUMNS TERMINATED BY '|' ENCLOSED BY '\\''"
                                        + " LINES STARTING BY '>>' (a, b, c)"),
                        new Load(
                                "5!a^!b!c\n",
                                "INTO TABLE fields FIELDS TERMINATED BY '!' ESCAPED BY '^' (a, b, c)"),
                        new Load(
                                "6\tcaf\u00e9\t\u20ac\n",
                                "CHARACTER SET utf8mb4 INTO TABLE fields CHARACTER SET utf8mb4 (a, b, c)"),
                        new Load(
                                "6\tcaf\u00e9\t\u20ac\n",
                                "INTO TABLE fields CHARACTER SET utf8mb4 (a, b, c)"),
                        new Load(
                                "7\tcaf\u00e9\tx\n",
                                "INTO TABLE fields CHARACTER SET latin1 (a, b, c)"),
                        new Load("8\tx\ty\tgenerated\n", "INTO TABLE fields"),
                        new Load("9 \t one\n", "LOW_PRIORITY INTO TABLE fields (a)"),
                        new Load(
                                "10xy\n",
                                "INTO TABLE fields FIELDS TERMINATED BY '' ENCLOSED BY '' (a)"),
                        new Load(
                                "two\t2\n",
                                "INTO TABLE fields (@x, @y) SET a = @y * 10, b = UPPER(@x), c = DEFAULT(c)"),
                        new Load("a", "*SELECT @x, @y"),
                        new Load(
                                "30\tb\n31\tc\n",
                                "INTO TABLE fields (a, @dummy) SET c = CONCAT(@dummy, b)"),
                        new Load("40\tb\tc\n", "REPLACE INTO TABLE fields (a, b, c)"),
                        new Load(
                                "40\tb2\tc2\n40\tb3\tc3\n",
                                "REPLACE INTO TABLE fields (a, b, c)")));
    }

    @Test
    void typesAreStoredAsByMariaDb(BothSides.Ports ports) throws Exception {
        requireSame(
                ports,
                List.of(
                        "SET time_zone = '+03:00', timestamp = 1700000000",
                        "CREATE TABLE types (id BIGINT UNSIGNED PRIMARY KEY, d DECIMAL(8,2), f FLOAT, r DOUBLE,"
                                + " b BIT(4), y YEAR, t TIME(3), dt DATETIME, ts TIMESTAMP NULL,"
                                + " e ENUM('a','b'), s SET('x','y'), bl BLOB, j JSON, u UUID,"
                                + " n TIMESTAMP NOT NULL DEFAULT '2001-02-03 04:05:06')"),
                "types",
                List.of(
                        new Load(
                                "18446744073709551615\t1.239\t0.1\t1e300\t\\0\t99\t-1:02:03.4567\t2020-02-29 23:59:59"
                                        + "\t2024-03-31 02:30:00\tb\ty,x\t\\0\\x\t{\"a\": 1}\t123e4567-e89b-12d3-a456-426655440000\t2020-01-01\n",
                                "INTO TABLE types CHARACTER SET binary"),
                        new Load("1\tx\tx\tx\tx\tx\tx\tx\tx\tx\tx\tx\tx\tx\n", "INTO TABLE types"),
                        new Load(
                                "2\t99999999\t1e50\t1\tzz\t1800\t900:00:00\t2020-02-30\t1960-01-01\tc\tz\t\t[1]\t\\N\t\\N\n",
                                "INTO TABLE types"),
                        new Load("3\n", "INTO TABLE types (id)"),
                        new Load("-1\n", "INTO TABLE types (id)")));
    }

    @Test
    void foreignKeysHoldAndOneStatementIsAllOrNothing(BothSides.Ports ports) throws Exception {
        requireSame(
                ports,
                List.of(
                        "CREATE TABLE parent (id INT PRIMARY KEY)",
                        "INSERT INTO parent VALUES (1), (2)",
                        "CREATE TABLE child (id INT PRIMARY KEY, parent INT,"
                                + " FOREIGN KEY (parent) REFERENCES parent (id))"),
                "child",
                List.of(
                        new Load("1\t1\n2\t9\n3\t2\n", "INTO TABLE child"),
                        new Load("4\t1\n5\t9\n", "REPLACE INTO TABLE child"),
                        new Load("", "*START TRANSACTION"),
                        new Load("", "*INSERT INTO child VALUES (10, 1)"),
                        new Load("11\t1\n12\t2\n", "INTO TABLE child"),
                        new Load("13\t1\n14\t9\n", "REPLACE INTO TABLE child"),
                        new Load("", "*SELECT * FROM child ORDER BY id"),
                        new Load("", "*ROLLBACK"),
                        new Load("", "*SET autocommit = 0"),
                        new Load("15\t1\n", "INTO TABLE child"),
                        new Load("", "*COMMIT"),
                        new Load("16\t1\n", "INTO TABLE child"),
                        new Load("", "*ROLLBACK"),
                        new Load("", "*SET autocommit = 1"),
                        new Load("", "*START TRANSACTION READ ONLY"),
                        new Load("17\t1\n", "INTO TABLE child"),
                        new Load("", "*COMMIT"),
                        new Load(
                                "18\t1\n",
                                "*EXECUTE IMMEDIATE 'LOAD DATA LOCAL INFILE ''rows'' INTO TABLE child'"),
                        new Load("", "*LOCK TABLES child READ"),
                        new Load("17\t1\n", "INTO TABLE child"),
                        new Load("", "*UNLOCK TABLES")));
    }

    /// More than fits into one message, or is looked at of a table.
    @Test
    void aFileOfManyRowsIsLoadedWhole(BothSides.Ports ports) throws Exception {
        String rows =
                IntStream.range(0, 15_000)
                        .mapToObj(i -> i % 5_000 + "\t" + "v".repeat(i % 60) + "\n")
                        .collect(Collectors.joining());
        requireSame(
                ports,
                List.of("CREATE TABLE many (id INT PRIMARY KEY, v TEXT)"),
                "(SELECT COUNT(*), SUM(LENGTH(v)), SUM(CRC32(v)) FROM many) AS t",
                List.of(
                        new Load(rows, "INTO TABLE many"),
                        new Load(rows, "REPLACE INTO TABLE many")));
    }

    @Test
    void aClientThatSendsNoFilesIsToldSo(BothSides.Ports ports) throws Exception {
        for (int port : List.of(ports.quire(), ports.mariaDb())) {
            try (Connection connection = SameAnswersTest.connect(port, false);
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE t (id INT PRIMARY KEY)");
                assertThatThrownBy(
                                () -> statement.execute("LOAD DATA LOCAL INFILE 'x' INTO TABLE t"))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getErrorCode()).isEqualTo(4166));
                assertThat(statement.execute("SELECT 1")).isTrue();
            }
        }
    }

    @Test
    void whoMayNotInsertIsRefused(BothSides.Ports ports) throws Exception {
        for (int port : List.of(ports.quire(), ports.mariaDb())) {
            try (Connection owner = SameAnswersTest.connect(port, false);
                    Statement statement = owner.createStatement()) {
                statement.execute("CREATE TABLE t (id INT PRIMARY KEY)");
            }
        }
        for (int port : List.of(ports.behind(), ports.mariaDb())) {
            try (Connection owner = connect(port, BothSides.USER);
                    Statement statement = owner.createStatement()) {
                statement.execute(
                        "CREATE OR REPLACE USER loader@'127.0.0.1' IDENTIFIED BY 'quire'");
                statement.execute("GRANT INSERT ON applications.t TO loader@'127.0.0.1'");
            }
        }
        Await.await("the account is known", () -> mayConnect(ports.quire()));
        for (int port : List.of(ports.quire(), ports.mariaDb())) {
            try (Connection loader = connect(port, "loader");
                    Statement statement = loader.createStatement()) {
                List<String> lines = new ArrayList<>();
                told(statement, new Load("1\n", "REPLACE INTO TABLE t"), lines);
                assertThat(lines.getFirst()).contains("error 1142").contains("DELETE");
                lines.clear();
                told(statement, new Load("1\n1\nx\n", "INTO TABLE t"), lines);
                assertThat(lines.getFirst())
                        .isEqualTo(
                                "2 affected, id 0, Records: 3  Deleted: 0  Skipped: 1  Warnings: 2");
            }
        }
    }

    private static boolean mayConnect(int port) {
        try (Connection connection = connect(port, "loader")) {
            return connection.isValid(5);
        } catch (SQLException e) {
            return false;
        }
    }

    private static Connection connect(int port, String user) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + port + "/applications?allowLoadLocalInfile=true",
                user,
                BothSides.PASSWORD);
    }

    /// What is amid a file is no command, however much it looks like one, and a file that the
    /// server has no use for is read to its end.
    @Test
    void theConnectionGoesOnAfterAFileThatIsRefused(BothSides.Ports ports) throws Exception {
        SameAnswersTest.connect(ports.quire(), false).close();
        try (Connection connection = connect(ports.quire(), BothSides.USER);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE OR REPLACE TABLE strict (id INT PRIMARY KEY, v TEXT)");
            String file = "x\n" + "\u0003SELECT 1\n".repeat(200_000);
            List<String> lines = new ArrayList<>();
            told(statement, new Load(file, "REPLACE INTO TABLE strict"), lines);
            assertThat(lines.getFirst()).startsWith("error 1366");
            told(statement, new Load("1\ta\n", "REPLACE INTO TABLE strict"), lines);
            assertThat(lines)
                    .contains("1 affected, id 0, Records: 1  Deleted: 0  Skipped: 0  Warnings: 0");
        }
    }

    @Test
    void rowsThatBelongToNoPartitionAreRefused(BothSides.Ports ports) throws Exception {
        SameAnswersTest.connect(ports.quire(), false).close();
        try (Connection connection = connect(ports.quire(), BothSides.USER);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE OR REPLACE TABLE parts (v VARCHAR(9), n INT)"
                            + " PARTITION BY LIST (n) (PARTITION a VALUES IN (1, 2))");
            List<String> lines = new ArrayList<>();
            told(statement, new Load("a\t1\nb\t3\n", "INTO TABLE parts"), lines);
            assertThat(lines.getFirst()).startsWith("error 1235");
            assertThat(rows(statement, "SELECT * FROM parts", false)).isEmpty();
            lines.clear();
            told(statement, new Load("a\t1\n", "INTO TABLE parts"), lines);
            assertThat(lines.getFirst()).startsWith("1 affected");
        }
    }

    @Test
    void whatIsToldOfAFileMayBeInAnotherLanguage(BothSides.Ports ports) throws Exception {
        SameAnswersTest.connect(ports.quire(), false).close();
        try (Connection connection = connect(ports.quire(), BothSides.USER);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE OR REPLACE TABLE german (id INT PRIMARY KEY)");
            statement.execute("SET lc_messages = 'de_DE'");
            List<String> lines = new ArrayList<>();
            told(statement, new Load("1\n", "INTO TABLE german"), lines);
            assertThat(lines.getFirst()).startsWith("1 affected");
        }
    }

    @Test
    void aFileMayComeAmidOtherStatements(BothSides.Ports ports) throws Exception {
        List<List<String>> told = new ArrayList<>();
        for (int port : List.of(ports.mariaDb(), ports.quire())) {
            SameAnswersTest.connect(port, false).close();
            try (Connection connection =
                            DriverManager.getConnection(
                                    "jdbc:mysql://127.0.0.1:"
                                            + port
                                            + "/applications?allowLoadLocalInfile=true&allowMultiQueries=true",
                                    BothSides.USER,
                                    BothSides.PASSWORD);
                    Statement statement = connection.createStatement()) {
                statement.unwrap(JdbcStatement.class).setLocalInfileInputStream(file("5\n6\n"));
                List<String> lines = new ArrayList<>();
                statement.execute(
                        "CREATE TABLE several (id INT PRIMARY KEY); INSERT INTO several VALUES (1), (2);"
                                + " LOAD DATA LOCAL INFILE 'rows' INTO TABLE several; SELECT COUNT(*) FROM several");
                for (int i = 0; i < 3; i++) {
                    lines.add(String.valueOf(statement.getUpdateCount()));
                    lines.add(String.valueOf(statement.getMoreResults()));
                }
                lines.addAll(rows(statement.getResultSet()));
                told.add(lines);
            }
        }
        assertThat(told.getLast()).isEqualTo(told.getFirst()).endsWith("4");
    }

    /// More often than clients may send files at a time.
    @Test
    void nothingIsLeftOfAClientThatGoesAmidItsFile(BothSides.Ports ports) throws Exception {
        SameAnswersTest.connect(ports.quire(), false).close();
        try (Connection other = connect(ports.quire(), BothSides.USER);
                Statement looks = other.createStatement()) {
            looks.execute("CREATE TABLE left_over (id INT PRIMARY KEY)");
            for (int i = 0; i < 40; i++) {
                Connection leaving = connect(ports.quire(), BothSides.USER);
                Statement statement = leaving.createStatement();
                Amid amid = new Amid(() -> leaving.abort(Runnable::run));
                statement.unwrap(JdbcStatement.class).setLocalInfileInputStream(amid);
                assertThatThrownBy(() ->
                                statement.execute(
                                        "LOAD DATA LOCAL INFILE 'rows' INTO TABLE left_over"))
                        .isInstanceOf(SQLException.class);
            }
            List<String> lines = new ArrayList<>();
            told(looks, new Load("7\n", "INTO TABLE left_over"), lines);
            assertThat(lines.getFirst()).startsWith("1 affected");
            assertThat(rows(looks, "SELECT * FROM left_over", false)).containsExactly("7");
        }
    }

    @Test
    void whoIsKilledAmidItsFileIsToldSoAndGoesOn(BothSides.Ports ports) throws Exception {
        SameAnswersTest.connect(ports.quire(), false).close();
        try (Connection killed = connect(ports.quire(), BothSides.USER);
                Statement statement = killed.createStatement();
                Connection other = connect(ports.quire(), BothSides.USER);
                Statement kills = other.createStatement()) {
            statement.execute("CREATE TABLE ended (id INT PRIMARY KEY)");
            String id = rows(statement, "SELECT CONNECTION_ID()", false).getFirst();
            Amid amid = new Amid(() -> kills.execute("KILL QUERY " + id));
            statement.unwrap(JdbcStatement.class).setLocalInfileInputStream(amid);
            assertThatThrownBy(() ->
                            statement.execute("LOAD DATA LOCAL INFILE 'rows' INTO TABLE ended"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1317));
            assertThat(rows(statement, "SELECT COUNT(*) FROM ended", false)).containsExactly("0");
        }
    }

    /// A file of 200,000 rows amid which something happens.
    private static final class Amid extends InputStream {
        private static final int ROWS = 200_000;

        private interface Action {
            void run() throws SQLException;
        }

        private final Action action;
        private final byte[] bytes =
                IntStream.range(0, ROWS)
                        .mapToObj(i -> i + "\n")
                        .collect(Collectors.joining())
                        .getBytes(StandardCharsets.UTF_8);
        private int at;
        private boolean done;

        Amid(Action action) {
            this.action = action;
        }

        @Override
        public int read() {
            throw new IllegalStateException("a driver reads more than one byte at once");
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            if (at > bytes.length / 2 && !done) {
                done = true;
                try {
                    action.run();
                } catch (SQLException e) {
                    throw new IOException(e);
                }
            }
            int some = Math.min(Math.min(length, 10_000), bytes.length - at);
            System.arraycopy(bytes, at, into, from, some);
            at += some;
            return some == 0 ? -1 : some;
        }
    }

    private static InputStream file(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void whatIsLeftOutSaysSo(BothSides.Ports ports) throws Exception {
        SameAnswersTest.connect(ports.quire(), false).close();
        try (Connection connection = connect(ports.quire(), BothSides.USER);
                Statement statement = connection.createStatement()) {
            for (String sql :
                    List.of(
                            "CREATE OR REPLACE TABLE fires (id INT PRIMARY KEY)",
                            "CREATE OR REPLACE TRIGGER t BEFORE INSERT ON fires FOR EACH ROW SET NEW.id = NEW.id + 1",
                            "CREATE OR REPLACE TABLE plain (id INT PRIMARY KEY)",
                            "CREATE OR REPLACE VIEW seen AS SELECT * FROM plain",
                            "CREATE TEMPORARY TABLE passing (id INT PRIMARY KEY)")) {
                statement.execute(sql);
            }
            for (String sql :
                    List.of(
                            "LOAD DATA LOCAL INFILE 'rows' INTO TABLE fires",
                            "LOAD DATA LOCAL INFILE 'rows' INTO TABLE seen",
                            "LOAD DATA LOCAL INFILE 'rows' INTO TABLE passing",
                            "LOAD DATA LOCAL INFILE 'rows' INTO TABLE plain (@x) SET id = (SELECT 1)",
                            "LOAD DATA INFILE '/etc/passwd' INTO TABLE plain",
                            "LOAD XML LOCAL INFILE 'rows' INTO TABLE plain")) {
                List<String> lines = new ArrayList<>();
                told(statement, new Load("1\n", "*" + sql), lines);
                assertThat(lines.getFirst()).as(sql).startsWith("error 1235");
            }
            assertThat(rows(statement, "SELECT * FROM plain", false)).isEmpty();
        }
    }

    private static void requireSame(
            BothSides.Ports ports, List<String> before, String table, List<Load> loads)
            throws Exception {
        List<String> expected = told(ports.mariaDb(), before, table, loads);
        List<String> actual = told(ports.quire(), before, table, loads);
        assertThat(actual).isEqualTo(expected);
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    private static List<String> told(int port, List<String> before, String table, List<Load> loads)
            throws SQLException {
        List<String> lines = new ArrayList<>();
        SameAnswersTest.connect(port, false).close();
        try (Connection connection =
                        DriverManager.getConnection(
                                "jdbc:mysql://127.0.0.1:"
                                        + port
                                        + "/applications?allowLoadLocalInfile=true&noDatetimeStringSync=true&yearIsDateType=false",
                                BothSides.USER,
                                BothSides.PASSWORD);
                Statement statement = connection.createStatement()) {
            for (String sql : before) {
                statement.execute(sql);
            }
            for (Load load : loads) {
                lines.add("== " + load.sql());
                told(statement, load, lines);
                lines.addAll(
                        rows(statement, "SHOW WARNINGS", true).stream()
                                .filter(line -> !line.startsWith("Error | 1064"))
                                .toList());
                lines.addAll(rows(statement, "SELECT * FROM " + table + " ORDER BY 1", false));
            }
        }
        return lines;
    }

    private static void told(Statement statement, Load load, List<String> lines)
            throws SQLException {
        try {
            InputStream file = new ByteArrayInputStream(load.file.getBytes(StandardCharsets.UTF_8));
            statement.unwrap(JdbcStatement.class).setLocalInfileInputStream(file);
            if (statement.execute(load.sql())) {
                try (ResultSet result = statement.getResultSet()) {
                    lines.addAll(rows(result));
                }
                return;
            }
            int affected = statement.getUpdateCount();
            ResultSetInternalMethods ok =
                    statement.unwrap(JdbcStatement.class).getResultSetInternal();
            lines.add(
                    "%d affected, id %d, %s"
                            .formatted(affected, ok.getUpdateID(), ok.getServerInfo()));
            lines.addAll(rows(statement, "SELECT ROW_COUNT(), LAST_INSERT_ID()", false));
        } catch (SQLException e) {
            boolean ofText = e.getErrorCode() == 1064; // whose words are each server's own
            lines.add(
                    "error %d %s %s"
                            .formatted(
                                    e.getErrorCode(),
                                    e.getSQLState(),
                                    ofText ? "" : e.getMessage()));
        }
    }

    private static List<String> rows(Statement statement, String sql, boolean sorted)
            throws SQLException {
        try (ResultSet result = statement.executeQuery(sql)) {
            List<String> rows = rows(result);
            if (sorted) {
                Collections.sort(rows);
            }
            return rows;
        }
    }

    private static List<String> rows(ResultSet result) throws SQLException {
        List<String> rows = new ArrayList<>();
        while (result.next()) {
            List<String> row = new ArrayList<>();
            for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                row.add(String.valueOf(result.getString(i)));
            }
            rows.add(String.join(" | ", row));
        }
        return rows;
    }
}
