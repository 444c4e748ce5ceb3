package org.quiredb.node.sql;

import static org.assertj.core.api.Assertions.assertThat;

import com.mysql.cj.result.Field;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;

/// Plain reads of expressions over columns of every type: what memory answers is what MariaDB
/// answers, rows and every byte of the columns' descriptions.
///
/// Where a server goes through a temporary table, which is for its planner to choose, columns lose
/// the flag BINARY and texts their missing decimals: not compared for groups.
final class DescribedColumnsTest {
    private static final List<String> COLUMNS =
            List.of(
                    "i", "n", "iu", "ti", "tu", "si", "mi", "b", "bu", "y", "d", "dn", "du", "f",
                    "g", "g2", "dt", "w", "w3", "ts", "tm", "c", "s", "sn", "sb", "tt", "tx", "lt",
                    "e", "st", "vb", "bi", "l1", "u3", "z", "bt", "f2");

    private static final String TABLE =
            """
             (id INT PRIMARY KEY, i INT, i_ INT, n INT NOT NULL, n_ INT NOT NULL, iu INT UNSIGNED, iu_ INT UNSIGNED,
             ti TINYINT, ti_ TINYINT, tu TINYINT UNSIGNED, tu_ TINYINT UNSIGNED, si SMALLINT, si_ SMALLINT,
             mi MEDIUMINT, mi_ MEDIUMINT, b BIGINT, b_ BIGINT, bu BIGINT UNSIGNED, bu_ BIGINT UNSIGNED, y YEAR, y_ YEAR,
             d DECIMAL(10,2), d_ DECIMAL(10,2), dn DECIMAL(5,0), dn_ DECIMAL(5,0), du DECIMAL(8,3) UNSIGNED,
             du_ DECIMAL(8,3) UNSIGNED, f FLOAT, f_ FLOAT, g DOUBLE, g_ DOUBLE, g2 DOUBLE(10,3), g2_ DOUBLE(10,3),
             dt DATE, dt_ DATE, w DATETIME, w_ DATETIME, w3 DATETIME(3), w3_ DATETIME(3), ts TIMESTAMP NULL,
             ts_ TIMESTAMP NULL, tm TIME, tm_ TIME, c CHAR(5), c_ CHAR(5), s VARCHAR(20), s_ VARCHAR(20),
             sn VARCHAR(20) NOT NULL, sn_ VARCHAR(20) NOT NULL, sb VARCHAR(20) COLLATE utf8mb4_bin,
             sb_ VARCHAR(20) COLLATE utf8mb4_bin, tt TINYTEXT, tt_ TINYTEXT, tx TEXT, tx_ TEXT, lt LONGTEXT, lt_ LONGTEXT,
             e ENUM('a','abc'), e_ ENUM('a','abc'), st SET('a','abc'), st_ SET('a','abc'), vb VARBINARY(10), vb_ VARBINARY(10),
             bi BINARY(4), bi_ BINARY(4), l1 VARCHAR(20) CHARACTER SET latin1, l1_ VARCHAR(20) CHARACTER SET latin1,
             u3 VARCHAR(20) CHARACTER SET utf8mb3, u3_ VARCHAR(20) CHARACTER SET utf8mb3, z INT(6) ZEROFILL,
             z_ INT(6) ZEROFILL, bt BIT(8), bt_ BIT(8), f2 FLOAT(7,2), f2_ FLOAT(7,2))
             CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci
            """;

    /// Of each kind of column, one after the other.
    private static final Map<String, List<String>> NUMBERS =
            Map.of(
                    "number", List.of("1", "2", "7", "0", "100", "3"),
                    "signed", List.of("1", "-7", "2", "0", "-100", "3"),
                    "decimal", List.of("1.50", "-2.35", "0.05", "7", "10.25", "0"),
                    "positive", List.of("1.5", "2.355", "0.005", "7", "10.25", "0"),
                    "text",
                            List.of(
                                    "'abc'", "'A b'", "'1'", "''", "'aé.bc'", "'x,y'"),
                    "ascii", List.of("'abc'", "'A b'", "'1'", "''", "'a.bc'", "'x,y'"),
                    "date",
                            List.of(
                                    "'2024-02-29'", "'1999-12-31'", "'2024-01-01'",
                                    "'2000-06-15'", "'2023-07-04'", "'2024-12-30'"),
                    "moment",
                            List.of(
                                    "'2024-02-29 23:59:59'", "'1999-12-31 00:00:00'",
                                    "'2024-01-01 12:30:01'", "'2000-06-15 01:02:03'",
                                    "'2023-07-04 13:00:00'", "'2024-12-30 00:00:01'"),
                    "time",
                            List.of(
                                    "'00:00:00'", "'10:20:30'", "'23:59:59'", "'-01:02:03'",
                                    "'100:00:01'", "'12:00:00'"),
                    "member", List.of("'a'", "'abc'", "'a'", "'abc'", "'a'", "'abc'"));

    private static final Map<String, List<String>> VALUES = values();

    private static Map<String, List<String>> values() {
        Map<String, List<String>> of = new TreeMap<>(NUMBERS);
        of.put("year", List.of("2024", "1999", "2000", "1970", "2155", "1901"));
        return of;
    }

    private static final int ROWS = 6;

    @TempDir private static Path data;
    private static EmbeddedBackend backend;
    private static LocalCluster tier;

    @BeforeAll
    static void start() throws Exception {
        backend = FreshBackend.start(data);
        try (Connection direct = connect(backend.port(), "", false);
                Statement statement = direct.createStatement()) {
            statement.execute("CREATE DATABASE described");
            statement.execute("USE described");
            statement.execute("CREATE TABLE every " + TABLE);
            statement.execute("CREATE TABLE nothing " + TABLE);
            for (int row = 1; row <= ROWS; row++) {
                statement.execute("INSERT INTO every VALUES (" + row(row) + ")");
            }
        }
        tier =
                LocalCluster.start(
                        new ClusterConfig(0, backend.port(), data, 1, 0, "quire", "quire"),
                        backend);
    }

    /// Each column is NULL in one row, and its other in another; those that cannot be are 5 or 'm'.
    private static String row(int row) {
        List<String> values = new ArrayList<>(List.of(String.valueOf(row)));
        int place = 0;
        for (String column : COLUMNS) {
            boolean never = column.equals("n") || column.equals("sn");
            List<String> of = Objects.requireNonNull(VALUES.get(kind(column)));
            boolean first = !never && row == 1 + place % ROWS;
            boolean second = !never && row == 1 + (place + 2) % ROWS;
            values.add(first ? "NULL" : of.get((row + place) % ROWS));
            values.add(second ? "NULL" : of.get((row + 2 * place + 1) % ROWS));
            place++;
        }
        return String.join(", ", values);
    }

    private static String kind(String column) {
        return switch (column) {
            case "iu", "tu", "bu", "z", "bt" -> "number";
            case "y" -> "year";
            case "i", "n", "ti", "si", "mi", "b", "dn" -> "signed";
            case "d", "f", "g", "g2", "f2" -> "decimal";
            case "du" -> "positive";
            case "dt" -> "date";
            case "w", "w3", "ts" -> "moment";
            case "tm" -> "time";
            case "e", "st" -> "member";
            case "bi", "c" -> "ascii";
            default -> "text";
        };
    }

    @AfterAll
    static void stop() {
        try {
            if (tier != null) {
                tier.close();
            }
        } finally {
            if (backend != null) {
                backend.close();
            }
        }
    }

    private static Connection connect(int port, String database, boolean prepared)
            throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:%d/%s?yearIsDateType=false&noDatetimeStringSync=true&useServerPrepStmts=%s"
                        .formatted(port, database, prepared),
                "quire",
                "quire");
    }

    private static List<String> expressions() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(
                        DescribedColumnsTest.class.getResourceAsStream("described.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatMemoryAnswersIsWhatMariaDbAnswers(boolean prepared) throws Exception {
        List<Asked> all = new ArrayList<>();
        for (String line : expressions()) {
            boolean groups = line.startsWith("G ");
            String expression = groups ? line.substring(2) : line;
            for (String column : COLUMNS) {
                String of =
                        expression.replace("{other}", column + "_").replace("{}", column);
                String about = groups ? line : expression;
                if (groups) {
                    all.add(new Asked(about, "SELECT " + of + " AS x FROM every", false));
                    all.add(new Asked(about, "SELECT " + of + " AS x FROM nothing", false));
                    all.add(
                            new Asked(
                                    about,
                                    "SELECT id % 2 AS p, "
                                            + of
                                            + " AS x FROM every GROUP BY id % 2 ORDER BY p",
                                    false));
                } else {
                    all.add(new Asked(about, "SELECT " + of + " FROM every ORDER BY id", true));
                    all.add(
                            new Asked(
                                    about,
                                    "SELECT id FROM every WHERE " + of + " ORDER BY id",
                                    true));
                }
            }
        }
        compare(all, prepared);
    }

    /// `-Dquire.random.seed=N` says where they begin.
    @Test
    void expressionsOfExpressionsAreAnsweredAlike() throws Exception {
        long seed = Long.getLong("quire.random.seed", 20261125);
        Random random = new Random(seed);
        List<String> expressions =
                expressions().stream().filter(line -> !line.startsWith("G ")).toList();
        List<Asked> all = new ArrayList<>();
        for (int i = 0; i < Integer.getInteger("quire.random.count", 1500); i++) {
            String of = expression(random, expressions, 2);
            String other = expression(random, expressions, 1);
            String sql =
                    switch (random.nextInt(5)) {
                        case 0 -> "SELECT id, " + of + " AS x FROM every ORDER BY id";
                        case 1 -> "SELECT id FROM every WHERE " + of + " ORDER BY id";
                        case 2 ->
                                "SELECT "
                                        + other
                                        + " AS k, COUNT(*) FROM every GROUP BY k ORDER BY COUNT(*), k";
                        case 3 -> "SELECT id, " + other + " AS k FROM every ORDER BY k, id";
                        default ->
                                "SELECT a.id, "
                                        + of
                                        + " AS x FROM (SELECT * FROM every WHERE id < 5) a ORDER BY a.id";
                    };
            all.add(new Asked("at random, seed " + seed, sql, false));
        }
        compare(all, false);
    }

    private static String expression(Random random, List<String> expressions, int depth) {
        String column = COLUMNS.get(random.nextInt(COLUMNS.size()));
        String inner =
                depth > 0 && random.nextInt(3) > 0
                        ? "(" + expression(random, expressions, depth - 1) + ")"
                        : column;
        String expression = expressions.get(random.nextInt(expressions.size()));
        if (expression.contains("FROM every")) {
            return column;
        }
        return expression.replace("{other}", column + "_").replace("{}", inner);
    }

    /// @param flags every bit of the descriptions counts
    private record Asked(String about, String sql, boolean flags) {}

    private static void compare(List<Asked> all, boolean prepared) throws Exception {
        List<String> differences = new ArrayList<>();
        Map<String, int[]> counts = new TreeMap<>();
        int memory = 0;
        int compared = 0;
        try (Connection ours = connect(tier.port(), "described", prepared);
                Connection theirs = connect(backend.port(), "described", prepared)) {
            for (Asked asked : all) {
                long before = fallbacks();
                String actual = answer(ours, asked, prepared);
                boolean ran = fallbacks() == before;
                String expected = answer(theirs, asked, prepared);
                if (expected.startsWith("error")) {
                    continue;
                }
                compared++;
                int[] count = counts.computeIfAbsent(asked.about(), a -> new int[2]);
                count[1]++;
                if (ran) {
                    memory++;
                    count[0]++;
                }
                if (!actual.equals(expected)) {
                    differences.add(
                            "%s%n  in memory %s%n  expected %s%n  actual   %s"
                                    .formatted(asked.sql(), ran, expected, actual));
                }
            }
        }
        System.out.printf(
                "described: %d statements, %d in memory, %d differ%n",
                compared, memory, differences.size());
        if (Boolean.getBoolean("quire.described.counts")) {
            counts.forEach((about, n) -> System.out.printf("%4d of %4d %s%n", n[0], n[1], about));
        }
        assertThat(differences).isEmpty();
    }

    private static long fallbacks() {
        return Long.parseLong(String.valueOf(tier.figures().get("fallbackStatements")));
    }

    private static String answer(Connection connection, Asked asked, boolean prepared) {
        try (Statement statement =
                        prepared
                                ? connection.prepareStatement(asked.sql())
                                : connection.createStatement();
                ResultSet result =
                        statement instanceof PreparedStatement ready
                                ? ready.executeQuery()
                                : statement.executeQuery(asked.sql())) {
            StringBuilder text = new StringBuilder();
            Field[] fields =
                    result.getMetaData()
                            .unwrap(com.mysql.cj.jdbc.result.ResultSetMetaData.class)
                            .getFields();
            Stream.of(fields).forEach(field -> text.append(description(field, asked.flags())));
            while (result.next()) {
                text.append(" (");
                for (int i = 1; i <= fields.length; i++) {
                    byte[] value = result.getBytes(i);
                    text.append(i == 1 ? "" : ", ")
                            .append(
                                    value == null
                                            ? "NULL"
                                            : new String(value, StandardCharsets.UTF_8));
                }
                text.append(")");
            }
            return text.toString();
        } catch (SQLException e) {
            return "error " + e.getErrorCode();
        }
    }

    private static String description(Field field, boolean flags) {
        int shown = field.getFlags() & (flags ? 0xFF & ~0x04 & ~0x08 & ~0x02 : 1 | 32 | 64);
        boolean text = field.getMysqlTypeId() >= 245;
        return "[%s type %d length %d decimals %d flags %d set %d]"
                .formatted(
                        field.getName(),
                        field.getMysqlTypeId(),
                        field.getLength(),
                        !flags && text && field.getMysqlTypeId() != 246 ? 0 : field.getDecimals(),
                        shown,
                        field.getCollationIndex());
    }
}
