package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The statements of `statements.sql`, of the kind that WordPress, MediaWiki, Doctrine, Laravel and
/// Magento send, and those of `updates.sql`, whose values and keys are hard, are answered alike by
/// both sides, and so are those of `locked.sql`, of `checks.sql` about CHECKs, of `duplicates.sql`
/// about keys that are there, of `zeroes.sql` about dates of zeroes, of `encoded.sql` about
/// character sets of columns, of `collated.sql` about keys in any collation, of `modes.sql`, of
/// `geometries.sql`, of `kinds.sql`, of `invisible.sql` about columns that `*` does not show, of
/// `engines.sql` about tables that are not InnoDB's, of `joins.sql`, of `keyless.sql`, of
/// `views.sql`, of `typed.sql` about typed constants, and of `paging.sql` about pages of listings
/// and columns of tables: names, types, values, counts and errors.
@ExtendWith(BothSides.class)
@Tag("slow")
final class SameAnswersTest {
    @ParameterizedTest
    @CsvSource({
        "statements.sql, false",
        "statements.sql, true",
        "updates.sql, false",
        "updates.sql, true",
        "locked.sql, false",
        "checks.sql, false",
        "checks.sql, true",
        "duplicates.sql, false",
        "duplicates.sql, true",
        "zeroes.sql, false",
        "zeroes.sql, true",
        "encoded.sql, false",
        "encoded.sql, true",
        "modes.sql, false",
        "modes.sql, true",
        "geometries.sql, false",
        "geometries.sql, true",
        "invisible.sql, false",
        "invisible.sql, true",
        "kinds.sql, false",
        "kinds.sql, true",
        "collated.sql, false",
        "collated.sql, true",
        "engines.sql, false",
        "engines.sql, true",
        "paging.sql, false",
        "paging.sql, true",
        "joins.sql, false",
        "joins.sql, true",
        "keyless.sql, false",
        "keyless.sql, true",
        "views.sql, false",
        "views.sql, true",
        "typed.sql, false",
        "typed.sql, true"
    })
    void everyStatementIsAnsweredAsByMariaDb(String script, boolean prepared, BothSides.Ports ports)
            throws Exception {
        requireSame(statements(script), prepared, ports);
    }

    /// As PHP's clients count them; the driver asks for those that are found, too.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rowsThatAreChangedAreCountedAsByMariaDb(boolean prepared, BothSides.Ports ports)
            throws Exception {
        requireSame(statements("counted.sql"), prepared, "&useAffectedRows=true", ports);
    }

    /// What blogs and shops ask for each page. Of a table's columns the backend is asked once.
    @Test
    void listingsAndColumnsAreNothingToTheBackend(BothSides.Ports ports) throws Exception {
        List<String> page =
                List.of(
                        "DESCRIBE paged",
                        "SELECT SQL_CALC_FOUND_ROWS id FROM paged WHERE state = 1 ORDER BY made DESC LIMIT 1, 2",
                        "SELECT FOUND_ROWS()",
                        "SELECT SQL_CALC_FOUND_ROWS * FROM paged GROUP BY id ORDER BY made LIMIT 3",
                        "SELECT DISTINCT YEAR(made) FROM paged ORDER BY 1",
                        "SELECT id FROM paged FORCE INDEX (PRIMARY) ORDER BY RAND()",
                        "SELECT id, WEEK(made) FROM paged WHERE made >= DATE '2020-01-31' AND TIME(made) >= TIME '00:00:00'",
                        "WITH few AS (SELECT id FROM paged) SELECT * FROM few a JOIN few b USING (id)",
                        "SELECT 1 FROM DUAL");
        try (Connection connection = connect(ports.quire(), false, "")) {
            for (String sql :
                    List.of(
                            "CREATE TABLE paged (id INT PRIMARY KEY, state INT, made DATETIME)",
                            "INSERT INTO paged VALUES (1, 1, NOW()), (2, 2, NOW()), (3, 1, NOW())",
                            "SET NAMES utf8mb4 COLLATE utf8mb4_unicode_520_ci",
                            page.getFirst())) {
                Answer _ = Answer.of(connection, sql, false);
            }
            long before = ports.tier().fallbackStatements();
            for (String sql : page) {
                Answer _ = Answer.of(connection, sql, false);
            }

            assertThat(ports.tier().fallbackStatements()).isEqualTo(before);
        }
    }

    /// As dumps of narrow rows have them.
    @Test
    void aStatementMayHaveMoreThanAHundredThousandValues(BothSides.Ports ports) throws Exception {
        int rows = 55_000;
        String ids =
                IntStream.range(0, 2 * rows)
                        .mapToObj(String::valueOf)
                        .collect(Collectors.joining(","));
        String pairs =
                IntStream.range(0, rows)
                        .mapToObj(i -> "(%d,%d)".formatted(i, i % 7))
                        .collect(Collectors.joining(","));
        requireSame(
                List.of(
                        "CREATE TABLE narrow (id INT PRIMARY KEY AUTO_INCREMENT, m INT UNIQUE, n INT NOT NULL)",
                        "INSERT INTO narrow (m, n) VALUES " + pairs,
                        "SELECT LAST_INSERT_ID(), COUNT(*), MAX(id), SUM(n) FROM narrow",
                        "INSERT INTO narrow (m, n) VALUES "
                                + pairs
                                + " ON DUPLICATE KEY UPDATE n = narrow.n + 1",
                        "INSERT IGNORE INTO narrow (m, n) VALUES " + pairs,
                        "SELECT COUNT(*), SUM(n) FROM narrow",
                        "REPLACE INTO narrow (m, n) VALUES " + pairs,
                        "INSERT INTO narrow (m, n) VALUES (-1, 0)," + pairs,
                        "SELECT COUNT(*), SUM(n) FROM narrow",
                        "SELECT COUNT(*) FROM narrow WHERE n IN (" + ids + ")",
                        "CREATE TABLE few (id INT PRIMARY KEY, m INT)",
                        "INSERT INTO few VALUES (1, 1), (2, 2), (3, -3)",
                        "UPDATE few SET m = m + 1 WHERE m IN (" + ids + ")",
                        "DELETE FROM few WHERE m IN (3," + ids + ")",
                        "SELECT * FROM few"),
                false,
                ports);
    }

    @Test
    void whatIsJoinedIsNothingToTheBackendUntilItsLengthIsSet(BothSides.Ports ports)
            throws Exception {
        List<String> joined =
                List.of(
                        "SELECT s, GROUP_CONCAT(DISTINCT t ORDER BY t SEPARATOR ' ') FROM whole GROUP BY s",
                        "SELECT GROUP_CONCAT(id, ':', t ORDER BY id DESC) x FROM whole HAVING x <> ''");
        try (Connection connection = connect(ports.quire(), false, "")) {
            for (String sql :
                    List.of(
                            "CREATE TABLE whole (id INT PRIMARY KEY, s INT, t VARCHAR(20))",
                            "INSERT INTO whole VALUES (1, 1, 'b'), (2, 1, 'a'), (3, 1, 'b'), (4, 2, NULL)")) {
                Answer _ = Answer.of(connection, sql, false);
            }
            long before = ports.tier().fallbackStatements();
            for (String sql : joined) {
                Answer _ = Answer.of(connection, sql, false);
            }
            assertThat(ports.tier().fallbackStatements()).isEqualTo(before);

            Answer _ = Answer.of(connection, "SET SESSION group_concat_max_len = 5", false);
            assertThat(Answer.of(connection, joined.getFirst(), false).toString()).contains("a b");
            assertThat(ports.tier().fallbackStatements()).isEqualTo(before + 1);
        }
    }

    /// A server is asked for a thousand of them at once.
    @Test
    void geometriesOfConstantsAreComputedHoweverManyTheyAre(BothSides.Ports ports)
            throws Exception {
        String rows =
                IntStream.range(0, 2500)
                        .mapToObj(i -> "(%d, POINT(%d, -1))".formatted(i, i))
                        .collect(Collectors.joining(", "));
        requireSame(
                List.of(
                        "CREATE TABLE many (id INT PRIMARY KEY, p POINT NOT NULL)",
                        "INSERT INTO many VALUES " + rows,
                        "SELECT id, p FROM many ORDER BY id"),
                false,
                ports);
    }

    /// PHP and Node send them as texts or as numbers that float.
    @Test
    void limitsAreParametersOfAnyType(BothSides.Ports ports) throws Exception {
        assertThat(limited(ports.quire())).isEqualTo(limited(ports.mariaDb()));
    }

    private static List<String> limited(int port) throws Exception {
        List<String> told = new ArrayList<>();
        try (Connection connection = connect(port, true, "")) {
            for (String sql :
                    List.of(
                            "CREATE OR REPLACE TABLE several (id INT PRIMARY KEY)",
                            "INSERT INTO several VALUES (1), (2), (3), (4), (5), (6), (7), (8)")) {
                told.add(Answer.of(connection, sql, true).toString());
            }
            List<Object> values =
                    Arrays.asList(
                            "2",
                            " 3",
                            "2x",
                            "x",
                            "2.6",
                            2,
                            2L,
                            2.6,
                            -1,
                            "-1",
                            new BigDecimal("2.5"),
                            null,
                            0,
                            "0",
                            new BigInteger("18446744073709551615"));
            for (String sql :
                    List.of(
                            "SELECT id FROM several ORDER BY id LIMIT ?",
                            "SELECT id FROM several ORDER BY id LIMIT ? OFFSET 1",
                            "SELECT id FROM several ORDER BY id LIMIT 1, ?",
                            "SELECT id FROM several ORDER BY id LIMIT ?, 2",
                            "SELECT SOUNDEX(id), id FROM several ORDER BY id LIMIT ?",
                            "SELECT id FROM several WHERE id > 3 UNION SELECT id FROM several ORDER BY id LIMIT ?",
                            "UPDATE several SET id = id ORDER BY id LIMIT ?")) {
                for (Object value : values) {
                    String answer;
                    try (PreparedStatement statement = connection.prepareStatement(sql)) {
                        statement.setObject(1, value);
                        answer = shown(statement);
                    } catch (SQLException e) {
                        answer = e.getErrorCode() + " " + e.getMessage();
                    }
                    told.add(sql + " " + value + ": " + answer);
                }
            }
        }
        return told;
    }

    private static String shown(PreparedStatement statement) throws SQLException {
        if (!statement.execute()) {
            return "changed " + statement.getUpdateCount();
        }
        List<String> ids = new ArrayList<>();
        try (ResultSet rows = statement.getResultSet()) {
            while (rows.next()) {
                ids.add(rows.getString("id"));
            }
        }
        return ids.toString();
    }

    /// By their keys, of which none is generated: of all rows a server is not asked.
    @Test
    void rowsAreAddedToATableOfMoreThanAreLookedAt(BothSides.Ports ports) throws Exception {
        requireSame(
                List.of(
                        "CREATE TABLE digit (n INT PRIMARY KEY)",
                        "INSERT INTO digit VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10)",
                        "CREATE TABLE big (k VARCHAR(36), part INT, v VARCHAR(20), PRIMARY KEY (k, part))",
                        "INSERT INTO big SELECT CONCAT('k', a.n, '-', b.n), 100 * c.n + d.n, NULL"
                                + " FROM digit a, digit b, digit c, digit d",
                        "INSERT INTO big VALUES ('new', 1, SOUNDEX('one')), ('new', 2, SOUNDEX('two'))",
                        "INSERT INTO big (v, part, k) VALUES (SOUNDEX('again'), 1, 'new')",
                        "INSERT IGNORE INTO big (v, part, k) VALUES (SOUNDEX('no'), 1, 'new'), (SOUNDEX('yes'), 3, 'new')",
                        "INSERT INTO big SET k = 'set', part = '4', v = SOUNDEX('four')",
                        "SELECT * FROM big WHERE k IN ('new', 'set') ORDER BY k, part",
                        "INSERT INTO big VALUES ('new', 1, SOUNDEX('yes')) ON DUPLICATE KEY UPDATE v = CONCAT(SOUNDEX(v), 'x')",
                        "INSERT INTO big VALUES ('once', 1, SOUNDEX('yes')) ON DUPLICATE KEY UPDATE v = VALUES(v)",
                        "INSERT INTO big VALUES ('once', 1, SOUNDEX('yes')) ON DUPLICATE KEY UPDATE v = VALUES(v)",
                        "SELECT * FROM big WHERE k IN ('new', 'once') ORDER BY k, part",
                        "SELECT COUNT(*) FROM big"),
                false,
                ports);
    }

    /// @param level of isolation
    static void requireSame(String script, String level, boolean prepared, BothSides.Ports ports)
            throws Exception {
        List<String> all = new ArrayList<>();
        all.add("SET SESSION TRANSACTION ISOLATION LEVEL " + level);
        all.addAll(statements(script));
        requireSame(all, prepared, ports);
    }

    /// Names, types, values, counts and errors.
    private static void requireSame(
            List<String> statements, boolean prepared, BothSides.Ports ports) throws Exception {
        requireSame(statements, prepared, "", ports);
    }

    /// @param options of the driver, behind an ampersand
    private static void requireSame(
            List<String> statements, boolean prepared, String options, BothSides.Ports ports)
            throws Exception {
        List<String> differences = new ArrayList<>();
        try (Connection quire = connect(ports.quire(), prepared, options);
                Connection mariaDb = connect(ports.mariaDb(), prepared, options)) {
            for (String sql : statements) {
                Answer expected = Answer.of(mariaDb, sql, prepared);
                Answer actual = Answer.of(quire, sql, prepared);
                if (!actual.equals(expected)) {
                    differences.add(sql + "\n  expected " + expected + "\n  actual   " + actual);
                }
            }
        }
        assertThat(String.join("\n", differences)).isEmpty();
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    static Connection connect(int port, boolean prepared) throws SQLException {
        return connect(port, prepared, "");
    }

    private static Connection connect(int port, boolean prepared, String options)
            throws SQLException {
        String url = "jdbc:mysql://127.0.0.1:" + port + "/";
        try (Connection connection =
                        DriverManager.getConnection(url, BothSides.USER, BothSides.PASSWORD);
                Statement statement = connection.createStatement()) {
            statement.execute("DROP DATABASE IF EXISTS applications");
            statement.execute("CREATE DATABASE applications CHARACTER SET utf8mb4");
        }
        return DriverManager.getConnection(
                url
                        + "applications?noDatetimeStringSync=true&yearIsDateType=false&useServerPrepStmts="
                        + prepared
                        + options,
                BothSides.USER,
                BothSides.PASSWORD);
    }

    static List<String> statements(String script) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(SameAnswersTest.class.getResourceAsStream(script))) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return text.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
        }
    }
}
