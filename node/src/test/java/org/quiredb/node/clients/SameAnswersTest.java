package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
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
/// `geometries.sql`, of `kinds.sql`, of `invisible.sql` about columns that `*` does not show, and
/// of `engines.sql` about tables that are not InnoDB's: names, types, values, counts and errors.
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
        "engines.sql, true"
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
