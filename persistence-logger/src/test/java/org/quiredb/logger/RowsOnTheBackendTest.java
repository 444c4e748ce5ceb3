package org.quiredb.logger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.sql.SqlValue.BytesValue;
import org.quiredb.common.sql.SqlValue.DateTimeValue;
import org.quiredb.common.sql.SqlValue.DateValue;
import org.quiredb.common.sql.SqlValue.DecimalValue;
import org.quiredb.common.sql.SqlValue.DoubleValue;
import org.quiredb.common.sql.SqlValue.TimeValue;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.common.writeset.RowShape;

/// Row changes through the log into a real InnoDB.
@Tag("slow")
class RowsOnTheBackendTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");

    private TestServer server;
    private PersistenceLogger logger;
    private LoggerClient client;
    private long last;

    @BeforeEach
    void startOnAnEmptyServer() throws Exception {
        server = TestServer.get();
        server.reset();
        startLogger();
        client.ask(new LoggerRequest.OpenClass(SHOP, 1));
        last = 0;
    }

    private void startLogger() {
        logger =
                PersistenceLogger.start(
                        new LoggerConfiguration(
                                "logger", List.of(server.address()), 64, 1000, 60_000, 100));
        client = new LoggerClient(logger);
    }

    @AfterEach
    void close() {
        logger.close();
    }

    /// As one transaction.
    private void commit(RowChange... changes) {
        commit(List.of(Records.of(last + 1, last + 1, changes)));
    }

    private void commit(List<CommitRecord> records) {
        last += records.size();
        client.ask(new LoggerRequest.Append(SHOP, 1, last, records));
        assertThat(client.ask(new LoggerRequest.AwaitApplied(SHOP, last)))
                .isEqualTo(new LoggerReply.Position(last));
    }

    private static RowChange row(String table, Object... namesAndValues) {
        Map<String, SqlValue> row = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            row.put(
                    (String) namesAndValues[i],
                    namesAndValues[i + 1] instanceof Integer number
                            ? SqlValue.of(number)
                            : namesAndValues[i + 1] instanceof String text
                                    ? SqlValue.of(text)
                                    : (SqlValue) namesAndValues[i + 1]);
        }
        return Records.insert(table, row);
    }

    /// A column of one type, a value, and as what the server then shows it.
    private record Stored(String type, SqlValue value, String shown) {}

    private static final List<Stored> EDGES =
            List.of(
                    new Stored("TINYINT", SqlValue.of(-128), "-128"),
                    new Stored("TINYINT UNSIGNED", SqlValue.of(255), "255"),
                    new Stored("INT(5) ZEROFILL", SqlValue.of(7), "00007"),
                    new Stored(
                            "BIGINT", SqlValue.of(Long.MIN_VALUE), Long.toString(Long.MIN_VALUE)),
                    new Stored(
                            "BIGINT UNSIGNED",
                            new DecimalValue("18446744073709551615"),
                            "18446744073709551615"),
                    new Stored("YEAR", SqlValue.of(0), "0000"),
                    new Stored("YEAR", SqlValue.of(1901), "1901"),
                    new Stored("BIT(9)", SqlValue.of(257), "257"),
                    new Stored(
                            "DECIMAL(65,30)",
                            new DecimalValue(
                                    "-99999999999999999999999999999999999.999999999999999999999999999999"),
                            "-99999999999999999999999999999999999.999999999999999999999999999999"),
                    new Stored("FLOAT", new DoubleValue(0.1f), "0.10000000149011612"),
                    new Stored("FLOAT", new DoubleValue(Float.MAX_VALUE), "3.4028234663852886e38"),
                    new Stored("FLOAT", new DoubleValue(16777217 - 1), "16777216"),
                    new Stored("DOUBLE", new DoubleValue(0.1 + 0.2), "0.30000000000000004"),
                    new Stored(
                            "DOUBLE", new DoubleValue(Double.MAX_VALUE), "1.7976931348623157e308"),
                    new Stored(
                            "DOUBLE",
                            new DoubleValue(-Double.MIN_NORMAL),
                            "-2.2250738585072014e-308"),
                    new Stored("DOUBLE", new DoubleValue(Double.MIN_VALUE), "5e-324"),
                    new Stored("FLOAT", new DoubleValue(Float.MIN_VALUE), "1.401298464324817e-45"),
                    new Stored("DATE", SqlValue.of("0000-00-00"), "0000-00-00"),
                    new Stored("DATE", SqlValue.of("2024-02-31"), "2024-02-31"),
                    new Stored("DATE", new DateValue(LocalDate.of(9999, 12, 31)), "9999-12-31"),
                    new Stored(
                            "DATETIME(6)",
                            new DateTimeValue(LocalDateTime.of(1, 1, 1, 0, 0, 0, 1000)),
                            "0001-01-01 00:00:00.000001"),
                    new Stored(
                            "TIMESTAMP(6) NULL",
                            new DateTimeValue(LocalDateTime.of(2038, 1, 19, 3, 14, 7, 999_999_000)),
                            "2038-01-19 03:14:07.999999"),
                    new Stored(
                            "TIMESTAMP NULL",
                            new DateTimeValue(LocalDateTime.of(1970, 1, 1, 0, 0, 1)),
                            "1970-01-01 00:00:01"),
                    new Stored(
                            "TIMESTAMP NULL",
                            SqlValue.of("0000-00-00 00:00:00"),
                            "0000-00-00 00:00:00"),
                    new Stored(
                            "TIME(6)",
                            new TimeValue(
                                    Duration.ofHours(-838)
                                            .minusMinutes(59)
                                            .minusSeconds(59)
                                            .minusNanos(999_999_000)),
                            "-838:59:59.999999"),
                    new Stored("VARCHAR(9)", SqlValue.of("é\uD83D\uDE00 "), "é\uD83D\uDE00 "),
                    new Stored(
                            "VARCHAR(90)", SqlValue.of("'\\\"\0\n\r\u001a?"), "'\\\"\0\n\r\u001a?"),
                    new Stored("VARCHAR(9) CHARACTER SET latin1", SqlValue.of("é€"), "é€"),
                    new Stored("CHAR(3)", SqlValue.of("\uFFFD"), "\uFFFD"),
                    new Stored("LONGTEXT", SqlValue.of("x".repeat(300_000)), "x".repeat(300_000)),
                    new Stored("JSON", SqlValue.of("{\"a\" :1}"), "{\"a\" :1}"),
                    new Stored("ENUM('1','0','')", SqlValue.of("1"), "1"),
                    new Stored("ENUM('1','0','')", SqlValue.of(""), ""),
                    new Stored("SET('a','b')", SqlValue.of("a,b"), "a,b"),
                    new Stored("SET('a','b')", SqlValue.of(""), ""),
                    new Stored("INT", SqlValue.NULL, "null"));

    @Test
    void everyTypeStoresItsEdgesExactly() throws Exception {
        List<String> columns = new ArrayList<>();
        List<Object> values = new ArrayList<>(List.of("id", 0));
        for (int i = 0; i < EDGES.size(); i++) {
            columns.add("c" + i + " " + EDGES.get(i).type());
            values.add("c" + i);
            values.add(EDGES.get(i).value());
        }
        server.execute(
                "CREATE TABLE shop.t (id INT AUTO_INCREMENT PRIMARY KEY, "
                        + String.join(", ", columns)
                        + ")");
        commit(row("t", values.toArray()));
        for (int i = 0; i < EDGES.size(); i++) {
            Stored stored = EDGES.get(i);
            String column = "c" + i;
            String shown =
                    stored.type().equals("FLOAT")
                            ? "CONCAT(CAST(" + column + " AS DOUBLE))"
                            : stored.type().startsWith("BIT")
                                    ? column + " + 0"
                                    : "CONCAT(" + column + ")"; // else the driver reads it
            assertThat(server.query("SELECT " + shown + " FROM shop.t"))
                    .as(stored.type())
                    .containsExactly(stored.shown());
        }
        assertThat(server.query("SELECT id FROM shop.t")).as("0 is a value").containsExactly("0");
    }

    @Test
    void bytesAreStoredAsTheyAre() throws Exception {
        server.execute(
                "CREATE TABLE shop.t (id INT PRIMARY KEY, b BLOB, f BINARY(4), v VARBINARY(300))");
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        commit(
                row(
                        "t",
                        "id",
                        1,
                        "b",
                        new BytesValue(all),
                        "f",
                        new BytesValue(new byte[4]),
                        "v",
                        new BytesValue(new byte[0])));
        assertThat(server.query("SELECT HEX(b) FROM shop.t"))
                .containsExactly(HexFormat.of().withUpperCase().formatHex(all));
        assertThat(server.query("SELECT CONCAT(HEX(f), '|', LENGTH(v)) FROM shop.t"))
                .containsExactly("00000000|0");
    }

    @Test
    void uniqueKeysSwapWithinATransactionAndAcrossCommits() throws Exception {
        server.execute(
                "CREATE TABLE shop.t (id INT PRIMARY KEY, k INT UNIQUE)",
                "INSERT INTO shop.t VALUES (1, 10), (2, 20)");
        commit(
                Records.delete("t", 1),
                row("t", "id", 1, "k", 20),
                Records.delete("t", 2),
                row("t", "id", 2, "k", 10));
        assertThat(server.query("SELECT k FROM shop.t ORDER BY id")).containsExactly("20", "10");
        commit(
                List.of(
                        Records.of(2, 2, Records.delete("t", 1)),
                        Records.of(3, 3, row("t", "id", 3, "k", 20)),
                        Records.of(4, 4, Records.delete("t", 3), row("t", "id", 4, "k", 20))));
        assertThat(server.query("SELECT CONCAT(id, '=', k) FROM shop.t ORDER BY id"))
                .containsExactly("2=10", "4=20");
    }

    @Test
    void foreignKeysNeitherRefuseNorCascade() throws Exception {
        server.execute(
                "CREATE TABLE shop.p (id INT PRIMARY KEY, up INT,"
                        + " FOREIGN KEY (up) REFERENCES shop.p (id) ON DELETE CASCADE)",
                "INSERT INTO shop.p VALUES (1, NULL), (2, 1), (3, 2)");
        commit(Records.delete("p", 1), row("p", "id", 1, "up", SqlValue.NULL));
        assertThat(server.query("SELECT COUNT(*) FROM shop.p")).containsExactly("3");
        commit(Records.delete("p", 2), Records.delete("p", 3));
        assertThat(server.query("SELECT id FROM shop.p")).containsExactly("1");
    }

    @Test
    void checksAndTimesOfTheServerDoNotInterfere() throws Exception {
        server.execute(
                "CREATE TABLE shop.t (id INT PRIMARY KEY, n INT CHECK (n > 5),"
                        + " t TIMESTAMP DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,"
                        + " twice INT AS (n * 2) STORED)");
        SqlValue then = new DateTimeValue(LocalDateTime.of(2001, 2, 3, 4, 5, 6));
        commit(row("t", "id", 1, "n", 1, "t", then));
        Map<String, SqlValue> changed = new LinkedHashMap<>();
        changed.put("n", SqlValue.of(2));
        changed.put("t", then);
        commit(Records.update("t", 1, changed));
        assertThat(server.query("SELECT CONCAT_WS('|', n, t, twice) FROM shop.t"))
                .containsExactly("2|2001-02-03 04:05:06|4");
    }

    @Test
    void oneRowOfSeveralThatAreAlikeIsDeleted() throws Exception {
        server.execute(
                "CREATE TABLE shop.free (f FLOAT, v VARCHAR(9) CHARACTER SET latin1, n INT)",
                "INSERT INTO shop.free VALUES (0.1, 'X', NULL), (0.1, 'é', NULL), (0.1, 'É', NULL),"
                        + " (0.1, 'é', NULL)");
        RowShape like =
                new RowShape(
                        RowShape.Kind.DELETE_LIKE,
                        "shop",
                        "free",
                        List.of("f", "v", "n"),
                        List.of("v"),
                        "");
        commit(
                new RowChange(
                        like, List.of(new DoubleValue(0.1f), SqlValue.of("é"), SqlValue.NULL)));
        assertThat(server.query("SELECT v FROM shop.free"))
                .containsExactlyInAnyOrder("X", "É", "é");
    }

    /// So that a table is not scanned for each.
    @Test
    void manyRowsWithoutAKeyAreFoundByOneStatement() throws Exception {
        for (Stored stored : EDGES) {
            if (stored.type().equals("LONGTEXT")) {
                continue; // as long as a statement
            }
            boolean text = stored.value() instanceof SqlValue.StringValue;
            server.execute(
                    "DROP TABLE IF EXISTS shop.free",
                    "CREATE TABLE shop.free (n INT, v " + stored.type() + ")");
            RowChange[] rows = new RowChange[ALIKE];
            RowChange[] deletes = new RowChange[ALIKE];
            for (int n = 0; n < rows.length; n++) {
                rows[n] = free(n, stored.value());
                deletes[n] = noLonger(n, stored.value(), text);
            }
            commit(rows);
            commit(free(-1, stored.value()));
            long before = deletes();
            commit(deletes);
            assertThat(deletes() - before).as(stored.type()).isLessThan(ALIKE);
            assertThat(server.query("SELECT n FROM shop.free"))
                    .as(stored.type())
                    .containsExactly("-1");
        }
    }

    /// A list of texts would find other rows there, and just as many.
    @Test
    void manyRowsOfAnotherCharacterSetAreFoundByTheirBytes() throws Exception {
        server.execute("CREATE TABLE shop.free (n INT, v VARCHAR(9) CHARACTER SET utf16)");
        List<RowChange> rows = new ArrayList<>();
        List<RowChange> deletes = new ArrayList<>();
        for (int n = 0; n < 8; n++) {
            rows.add(free(0, SqlValue.of("")));
            String text = n == 0 ? "" : "a" + n;
            deletes.add(noLonger(n, SqlValue.of(text), true));
            if (n > 0) {
                rows.add(free(n, SqlValue.of(text)));
            }
        }
        commit(rows.toArray(RowChange[]::new));
        commit(deletes.toArray(RowChange[]::new));
        assertThat(server.query("SELECT CONCAT(n, v) FROM shop.free")).hasSize(7).containsOnly("0");
    }

    @Test
    void manyRowsAreLookedForEachByAnIndexThatThereIs() throws Exception {
        server.execute("CREATE TABLE shop.free (n INT, v VARCHAR(9), KEY (v))");
        RowChange[] rows = new RowChange[ALIKE];
        RowChange[] deletes = new RowChange[ALIKE];
        for (int n = 0; n < rows.length; n++) {
            rows[n] = free(n, SqlValue.of("v" + n));
            deletes[n] = noLonger(n, SqlValue.of("v" + n), true);
        }
        commit(rows);
        long before = deletes();
        commit(deletes);
        assertThat(deletes() - before).isGreaterThanOrEqualTo(ALIKE);
        assertThat(server.query("SELECT * FROM shop.free")).isEmpty();
    }

    @Test
    void ofManyRowsThatAreAlikeNoMoreAreDeletedThanGo() throws Exception {
        server.execute("CREATE TABLE shop.free (n INT, v VARCHAR(9))");
        List<RowChange> rows = new ArrayList<>();
        List<RowChange> deletes = new ArrayList<>();
        List<String> left = new ArrayList<>();
        for (int n = 0; n < ALIKE; n++) {
            for (int i = 0; i <= n % 3; i++) {
                rows.add(free(n, SqlValue.of("a")));
                rows.add(free(n, SqlValue.of("A")));
                deletes.add(noLonger(n, SqlValue.of("a"), true));
                left.add(n + "A");
            }
        }
        deletes.removeLast();
        left.add((ALIKE - 1) + "a");
        commit(rows.toArray(RowChange[]::new));
        commit(deletes.toArray(RowChange[]::new));
        assertThat(server.query("SELECT CONCAT(n, v) FROM shop.free"))
                .containsExactlyInAnyOrderElementsOf(left);
    }

    private static final int ALIKE = 24;

    private static RowChange free(int n, SqlValue value) {
        RowShape shape =
                new RowShape(
                        RowShape.Kind.INSERT, "shop", "free", List.of(), List.of("n", "v"), "");
        return new RowChange(shape, List.of(SqlValue.of(n), value));
    }

    private static RowChange noLonger(int n, SqlValue value, boolean text) {
        RowShape shape =
                new RowShape(
                        RowShape.Kind.DELETE_LIKE,
                        "shop",
                        "free",
                        List.of("n", "v"),
                        text ? List.of("v") : List.of(),
                        "");
        return new RowChange(shape, List.of(SqlValue.of(n), value));
    }

    private long deletes() throws Exception {
        return Long.parseLong(
                server.query(
                                "SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS"
                                        + " WHERE VARIABLE_NAME = 'COM_DELETE'")
                        .getFirst());
    }

    @Test
    void valuesOfAutoIncrementThatNoRowHasAreNotGivenAgain() throws Exception {
        server.execute(
                "CREATE TABLE shop.t (id INT AUTO_INCREMENT PRIMARY KEY, k INT NOT NULL UNIQUE)");
        commit(
                List.of(
                        Records.of(1, 1, row("t", "id", 41, "k", 1)),
                        Records.of(2, 2, Records.delete("t", 41))));
        server.execute("INSERT INTO shop.t (k) VALUES (5)");
        assertThat(server.query("SELECT id FROM shop.t")).containsExactly("42");
    }

    @Test
    void aLongRecordIsLoggedInPartsAndReadAsOne() throws Exception {
        server.execute("CREATE TABLE shop.t (id INT PRIMARY KEY, v LONGTEXT)");
        RowChange[] rows = new RowChange[24];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = row("t", "id", i, "v", ("\\" + i).repeat(300_000));
        }
        CommitRecord record = Records.of(1, 77, rows);
        client.ask(new LoggerRequest.Append(SHOP, 1, 0, List.of(record)));
        assertThat(server.query("SELECT MAX(part) FROM quire.commit_log")).containsExactly("70");
        assertThat(client.ask(new LoggerRequest.FindTransaction(SHOP, 77, 0)))
                .isEqualTo(new LoggerReply.Found(List.of(record)));
        logger.close();
        startLogger(); // which has it in the log only
        client.ask(new LoggerRequest.Append(SHOP, 1, 1, List.of()));
        assertThat(client.ask(new LoggerRequest.AwaitApplied(SHOP, 1)))
                .isEqualTo(new LoggerReply.Position(1));
        assertThat(server.query("SELECT COUNT(*) FROM shop.t")).containsExactly("24");
    }

    @Test
    void aLogOfStatementsIsRefused() throws Exception {
        logger.close();
        server.execute(
                "DROP TABLE quire.commit_log",
                "CREATE TABLE quire.commit_log (class_name VARCHAR(190), commit_number BIGINT,"
                        + " epoch BIGINT, transaction_id BIGINT, statements LONGBLOB)");
        assertThatThrownBy(this::startLogger)
                .hasStackTraceContaining("has a log of an older Quire");
        server.reset();
        startLogger();
    }

    @Test
    void manyRowsAreSplitBelowThePacketsOfTheServer() throws Exception {
        server.execute("CREATE TABLE shop.t (id INT PRIMARY KEY, v LONGTEXT)");
        RowChange[] rows = new RowChange[60];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = row("t", "id", i, "v", "'".repeat(100_000));
        }
        commit(rows);
        assertThat(server.query("SELECT SUM(LENGTH(v)) FROM shop.t")).containsExactly("6000000");
    }
}
