package org.quiredb.node.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.hostile.Wire;

/// Plain reads of expressions over columns of every type: what memory answers is what MariaDB
/// answers, rows and every byte of the columns' descriptions.
///
/// `-Dquire.described.all=true` asks everything, `-Dquire.described.counts=true` tells how much of
/// each expression ran in memory.
///
/// Where a server goes through a temporary table, which is for its planner to choose, columns lose
/// the flag BINARY, texts their missing decimals and numbers that float some of their length: not
/// compared for groups.
@Tag("slow")
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

    /// Whose keys, defaults and collations descriptions tell of.
    private static final String KEYED =
            """
            CREATE TABLE keyed (id INT AUTO_INCREMENT, a INT, b BIGINT UNSIGNED NOT NULL, c VARCHAR(20) NOT NULL, d VARCHAR(20) DEFAULT 'x',
             e TEXT, f LONGTEXT, g JSON, h BLOB, i LONGBLOB, j DECIMAL(10,2) NOT NULL, k DATE, l DATETIME NOT NULL,
             m TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, n TINYINT(1), o ENUM('a','b') NOT NULL, p SET('a','b'), q YEAR NOT NULL,
             r TIME NOT NULL, s FLOAT, u DOUBLE NOT NULL, v BIT(3) NOT NULL, w VARBINARY(9) NOT NULL, x CHAR(5), y BINARY(4),
             z MEDIUMTEXT, aa TINYTEXT, ab MEDIUMBLOB, ac SMALLINT ZEROFILL, ad INT NOT NULL DEFAULT 3, ae INT NOT NULL,
             t1 TIMESTAMP NULL, t2 TIMESTAMP NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
             t3 TIMESTAMP(3) NOT NULL DEFAULT '2020-01-01 00:00:00', t4 TIMESTAMP NULL ON UPDATE CURRENT_TIMESTAMP,
             d1 DATETIME DEFAULT CURRENT_TIMESTAMP, d2 DATETIME ON UPDATE CURRENT_TIMESTAMP, s1 VARCHAR(5) COLLATE utf8mb4_bin NOT NULL,
             s2 CHAR(5) CHARACTER SET latin1, s3 TEXT COLLATE utf8mb4_bin, e1 ENUM('äb','c','dddd'), e2 SET('x','yyyy') NOT NULL DEFAULT 'x',
             uu UUID, g1 INT AS (a + 1) STORED, g2 INT AS (a + 2) VIRTUAL, dd DOUBLE(8,2) UNSIGNED, ff FLOAT(5,1) ZEROFILL,
             dc DECIMAL(5) UNSIGNED ZEROFILL, bi BIGINT UNSIGNED ZEROFILL, j2 JSON NOT NULL, va VARCHAR(3) NOT NULL DEFAULT '',
             ex INT NOT NULL DEFAULT (1 + 1), PRIMARY KEY (id, s1), UNIQUE (b), KEY (c, d), UNIQUE (ad, ae), KEY (a), KEY (e(5)), UNIQUE (l),
             KEY (w), KEY (t1), KEY (va, x))
            """;

    /// Of each kind of column, one after the other.
    private static final Map<String, List<String>> NUMBERS =
            Map.of(
                    "number", List.of("1", "2", "7", "0", "100", "3"),
                    "signed", List.of("1", "-7", "2", "0", "-100", "3"),
                    "decimal", List.of("1.50", "-2.35", "0.05", "7", "10.25", "0"),
                    "positive", List.of("1.5", "2.355", "0.005", "7", "10.25", "0"),
                    "text", List.of("'abc'", "'A b'", "'1'", "''", "'aé.bc'", "'x,y'"),
                    "ascii", List.of("'abc'", "'A b'", "'1'", "''", "'a.bc'", "'x,y'"),
                    "date",
                            List.of(
                                    "'2024-02-29'",
                                    "'1999-12-31'",
                                    "'2024-01-01'",
                                    "'2000-06-15'",
                                    "'2023-07-04'",
                                    "'2024-12-30'"),
                    "moment",
                            List.of(
                                    "'2024-02-29 23:59:59'", "'1999-12-31 00:00:00'",
                                    "'2024-01-01 12:30:01'", "'2000-06-15 01:02:03'",
                                    "'2023-07-04 13:00:00'", "'2024-12-30 00:00:01'"),
                    "time",
                            List.of(
                                    "'00:00:00'",
                                    "'10:20:30'",
                                    "'23:59:59'",
                                    "'-01:02:03'",
                                    "'100:00:01'",
                                    "'12:00:00'"),
                    "member", List.of("'a'", "'abc'", "'a'", "'abc'", "'a'", "'abc'"));

    private static final Map<String, List<String>> VALUES = values();

    private static Map<String, List<String>> values() {
        Map<String, List<String>> of = new TreeMap<>(NUMBERS);
        of.put("year", List.of("2024", "1999", "2000", "1970", "2155", "1901"));
        return of;
    }

    private static final int ROWS = 6;

    /// Of some ten thousand statements one in so many is asked: no divisor of how many columns
    /// there are, so that each expression meets others.
    private static final int STEP = 11;

    private static final int PREPARED_STEP = 101;
    private static final int SMALL = 2000;

    @TempDir private static Path data;
    private static EmbeddedBackend backend;
    private static LocalCluster tier;

    @BeforeAll
    static void start() throws Exception {
        backend = FreshBackend.start(data);
        try (Connection direct = connect(backend.port());
                Statement statement = direct.createStatement()) {
            statement.execute("CREATE DATABASE described");
            statement.execute("USE described");
            for (String sql : tables()) {
                statement.execute(sql);
            }
        }
        tier =
                LocalCluster.start(
                        new ClusterConfig(0, backend.port(), data, 1, 0, "quire", "quire"),
                        backend);
    }

    /// All in one, and in tables of their own what is not compared beside others.
    private static List<String> tables() {
        List<String> made = new ArrayList<>();
        made.add(KEYED);
        made.add("CREATE TABLE every " + TABLE);
        for (int row = 1; row <= ROWS; row++) {
            made.add("INSERT INTO every VALUES (" + row(row) + ")");
        }
        for (String column : COLUMNS) {
            made.add(
                    "CREATE TABLE every_%1$s (PRIMARY KEY (id)) AS SELECT id, n, n_, %2$s FROM every"
                            .formatted(
                                    column,
                                    column.equals("n") ? "i" : column + ", " + column + "_"));
            made.add("CREATE TABLE nothing_%1$s LIKE every_%1$s".formatted(column));
        }
        return made;
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

    private static Connection connect(int port) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + port + "/", "quire", "quire");
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

    @Test
    void whatMemoryAnswersIsWhatMariaDbAnswers() throws Exception {
        compare(all(), false);
    }

    @Test
    @Tag("long")
    void whatMemoryAnswersToPreparedStatementsIsWhatMariaDbAnswers() throws Exception {
        compare(all(), true);
    }

    private static List<Asked> all() throws IOException {
        List<Asked> all = new ArrayList<>();
        for (String line : expressions()) {
            boolean groups = line.startsWith("G ");
            String expression = groups ? line.substring(2) : line;
            for (String column : COLUMNS) {
                String of =
                        expression
                                .replace("{other}", column + "_")
                                .replace("{}", column)
                                .replace("FROM every", "FROM every_" + column);
                String every = "every_" + column;
                String about = groups ? line : expression;
                if (groups) {
                    all.add(new Asked(about, "SELECT " + of + " AS x FROM " + every, false));
                    all.add(
                            new Asked(
                                    about, "SELECT " + of + " AS x FROM nothing_" + column, false));
                    all.add(
                            new Asked(
                                    about,
                                    "SELECT id % 2 AS p, "
                                            + of
                                            + " AS x FROM "
                                            + every
                                            + " GROUP BY id % 2 ORDER BY p",
                                    false));
                } else {
                    all.add(
                            new Asked(
                                    about,
                                    "SELECT " + of + " FROM " + every + " ORDER BY id",
                                    true));
                    all.add(
                            new Asked(
                                    about,
                                    "SELECT id FROM " + every + " WHERE " + of + " ORDER BY id",
                                    true));
                }
            }
        }
        return all;
    }

    /// `-Dquire.random.seed=N` says where they begin.
    @Test
    @Tag("long")
    void expressionsOfExpressionsAreAnsweredAlike() throws Exception {
        long seed = Long.getLong("quire.random.seed", 20261125);
        Random random = new Random(seed);
        List<String> expressions =
                expressions().stream().filter(line -> !line.startsWith("G ")).toList();
        List<Asked> all = new ArrayList<>();
        for (int i = 0; i < Integer.getInteger("quire.random.count", 150); i++) {
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
                                "SELECT "
                                        + of
                                        + " AS x FROM (SELECT * FROM every WHERE id < 5) a ORDER BY a.id";
                    };
            all.add(new Asked("at random, seed " + seed, sql, false));
        }
        compare(all, false);
    }

    @Test
    void columnsOfATableAreDescribedWithTheirKeysAndDefaults() throws Exception {
        compare(
                List.of(
                        new Asked("keys", "SELECT * FROM keyed", true),
                        new Asked("keys", "SELECT b AS x, k.* FROM keyed AS k WHERE b > 1", true),
                        new Asked("keys", "SELECT o, p, c FROM keyed ORDER BY id + 1", true)),
                false);
        compare(List.of(new Asked("keys", "SELECT * FROM keyed WHERE id = 1", true)), true);
    }

    @Test
    void columnsThatTheBackendShowsAreDescribedAlike() throws Exception {
        long before = tier.fallbackStatements();
        List<Asked> all =
                List.of(
                        new Asked("keys", "SELECT * FROM keyed WHERE 1 XOR 0", true),
                        new Asked("keys", "SELECT n, v, w, z FROM keyed WHERE 1 XOR 0", true),
                        new Asked(
                                "keys",
                                "SELECT id, n, tu, si, mi, b, bu, d, dn, du, bt FROM every WHERE 1 XOR 0",
                                true));
        try (Wire ours = wire(tier.port());
                Wire theirs = wire(backend.port())) {
            for (Asked asked : all) {
                assertThat(answer(ours, asked, false))
                        .as(asked.sql())
                        .isEqualTo(answer(theirs, asked, false));
                assertThat(answer(ours, asked, true))
                        .as(asked.sql())
                        .isEqualTo(answer(theirs, asked, true));
            }
        }
        assertThat(tier.fallbackStatements() - before).isEqualTo(2L * all.size());
    }

    /// Also on a connection of the backend's that nobody has had yet.
    @Test
    void textsAreComparedAlikeOnAllConnections() throws Exception {
        Asked asked =
                new Asked(
                        "texts", "SELECT SLEEP(0.5), COLLATION('a'), 'a' = 'a ', 'ß' = 's'", true);
        Set<String> rows = new TreeSet<>();
        List<Future<String>> answers = new ArrayList<>();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 16; i++) {
                answers.add(clients.submit(() -> row(tier.port(), asked)));
            }
        }
        for (Future<String> answer : answers) {
            rows.add(answer.get());
        }
        assertThat(rows).containsExactly(row(backend.port(), asked));
    }

    /// Without the columns' descriptions.
    private static String row(int port, Asked asked) throws IOException {
        try (Wire wire = wire(port)) {
            String answer = answer(wire, asked, false);
            return answer.substring(answer.lastIndexOf(']'));
        }
    }

    private static String expression(Random random, List<String> expressions, int depth) {
        String column = COLUMNS.get(random.nextInt(COLUMNS.size()));
        String inner =
                depth > 0 && random.nextInt(3) > 0
                        ? "(" + expression(random, expressions, depth - 1) + ")"
                        : column;
        String expression = expressions.get(random.nextInt(expressions.size()));
        if (expression.contains("FROM every")) {
            return "(" + column + " IS NULL)";
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
        int step = Boolean.getBoolean("quire.described.all") ? 1 : prepared ? PREPARED_STEP : STEP;
        try (Wire ours = wire(tier.port());
                Wire theirs = wire(backend.port())) {
            for (int i = 0; i < all.size(); i += all.size() > SMALL ? step : 1) {
                Asked asked = all.get(i);
                long before = tier.fallbackStatements();
                String actual = answer(ours, asked, prepared);
                boolean ran = tier.fallbackStatements() == before;
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
                if (ran && !actual.equals(expected)) {
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

    private static Wire wire(int port) throws IOException {
        Wire wire = new Wire(port, InetAddress.getLoopbackAddress(), 60_000);
        assertThat(wire.login("quire", "quire")).isTrue();
        assertThat(packets(wire, 0x02, "described")).hasSize(1);
        return wire;
    }

    /// The packets of an answer, but for the two that end columns and rows.
    private static List<byte[]> packets(Wire wire, int command, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        byte[] payload = new byte[bytes.length + 1];
        payload[0] = (byte) command;
        System.arraycopy(bytes, 0, payload, 1, bytes.length);
        wire.send(0, payload);
        return answered(wire);
    }

    private static List<byte[]> answered(Wire wire) throws IOException {
        List<byte[]> packets = new ArrayList<>();
        int ends = 0;
        while (ends < 2) {
            byte[] packet = wire.read();
            int kind = packet[0] & 0xFF;
            if (packets.isEmpty() && (kind == 0 || kind == 0xFF)) {
                return List.of(packet);
            }
            if (kind == 0xFE && packet.length < 9) {
                ends++;
            } else if (kind == 0xFF) {
                return List.of(packet);
            } else {
                packets.add(packet);
            }
        }
        return packets;
    }

    private static String answer(Wire wire, Asked asked, boolean prepared) throws IOException {
        List<byte[]> packets =
                prepared ? executed(wire, asked.sql()) : packets(wire, 0x03, asked.sql());
        byte[] first = packets.getFirst();
        if ((first[0] & 0xFF) == 0xFF) {
            return "error " + ((first[1] & 0xFF) | (first[2] & 0xFF) << 8);
        }
        int columns = first[0] & 0xFF;
        StringBuilder text = new StringBuilder();
        for (byte[] column : packets.subList(1, 1 + columns)) {
            text.append(description(ColumnMetadata.read(column), asked.flags()));
        }
        for (byte[] row : packets.subList(1 + columns, packets.size())) {
            text.append(' ')
                    .append(
                            prepared
                                    ? HexFormat.of().formatHex(row)
                                    : new String(row, StandardCharsets.UTF_8));
        }
        return text.toString();
    }

    private static List<byte[]> executed(Wire wire, String sql) throws IOException {
        byte[] text = sql.getBytes(StandardCharsets.UTF_8);
        byte[] payload = new byte[text.length + 1];
        payload[0] = 0x16;
        System.arraycopy(text, 0, payload, 1, text.length);
        wire.send(0, payload);
        byte[] prepared = wire.read();
        if ((prepared[0] & 0xFF) == 0xFF) {
            return List.of(prepared);
        }
        int columns = (prepared[5] & 0xFF) | (prepared[6] & 0xFF) << 8;
        for (int i = 0; columns > 0 && i <= columns; i++) {
            byte[] _ = wire.read();
        }
        byte[] execute = new byte[10];
        execute[0] = 0x17;
        System.arraycopy(prepared, 1, execute, 1, 4);
        execute[6] = 1;
        wire.send(0, execute);
        return answered(wire);
    }

    private static String description(ColumnMetadata column, boolean flags) {
        boolean plain = flags && column.originalTable().isEmpty();
        boolean keyed = column.originalTable().equals("keyed");
        int shown = keyed ? column.flags() : column.flags() & (plain ? 1 | 32 | 64 | 128 : 1 | 32);
        boolean text = column.type() >= MySqlType.ENUM;
        boolean floats = column.type() == MySqlType.DOUBLE || column.type() == MySqlType.FLOAT;
        return "[%s type %d length %d decimals %d flags %d set %d]"
                .formatted(
                        column.name(),
                        column.type(),
                        floats && !flags ? 0 : column.length(),
                        text && !plain ? 0 : column.decimals(),
                        shown,
                        column.characterSet());
    }
}
