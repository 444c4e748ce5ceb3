package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.quiredb.scheduler.characters.CharacterSet;

/// Clients of other character sets than UTF-8 send and get the bytes that they would of a MariaDB.
@ExtendWith(BothSides.class)
@Tag("slow")
final class CharacterSetsTest {
    private static final int UTF8 = 45;
    private static final int LATIN1 = 8;
    private static final List<String> TABLES =
            List.of(
                    "DROP DATABASE IF EXISTS letters",
                    "CREATE DATABASE letters",
                    "CREATE TABLE letters.t (id INT PRIMARY KEY,"
                            + " u VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci,"
                            + " l CHAR(20) CHARACTER SET latin1, m TEXT CHARACTER SET utf8mb4,"
                            + " KEY (u))",
                    "CREATE TABLE letters.b (id INT PRIMARY KEY, v VARBINARY(20), w BLOB,"
                            + " u VARCHAR(20) CHARACTER SET utf8mb4)");

    private static final List<String> ROWS =
            List.of(
                    "DELETE FROM letters.t",
                    "DELETE FROM letters.b",
                    "INSERT INTO letters.t VALUES (1, 'Zoë €', 'é', 'Ж λ 漢字'), (2, 'plain', 'plain', NULL),"
                            + " (3, '😀', 'ÿ', 'ə')",
                    "INSERT INTO letters.b VALUES (1, x'e9ff00', x'c3a9', 'é')");

    private final BothSides.Ports ports;
    private final List<PacketClient> sides = new ArrayList<>();
    private final List<String> differences = new ArrayList<>();

    CharacterSetsTest(BothSides.Ports ports) {
        this.ports = ports;
    }

    @BeforeAll
    static void makeTables(BothSides.Ports ports) throws IOException {
        runOnBoth(TABLES, ports);
    }

    @BeforeEach
    void fillTables() throws IOException {
        runOnBoth(ROWS, ports);
    }

    private static void runOnBoth(List<String> statements, BothSides.Ports ports)
            throws IOException {
        for (int port : List.of(ports.quire(), ports.mariaDb())) {
            try (PacketClient client = new PacketClient(port, UTF8)) {
                for (String sql : statements) {
                    assertThat(client.query(utf8(sql)).getFirst()).startsWith("ok");
                }
            }
        }
    }

    private void come(int collation) throws IOException {
        leave();
        sides.add(new PacketClient(ports.quire(), collation));
        sides.add(new PacketClient(ports.mariaDb(), collation));
    }

    @AfterEach
    void leave() throws IOException {
        for (PacketClient side : sides) {
            side.close();
        }
        sides.clear();
        assertThat(differences).isEmpty();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private List<String> same(byte[] sql) throws IOException {
        return same(sql, sides.getFirst().query(sql), sides.getLast().query(sql));
    }

    private List<String> samePrepared(byte[] sql, byte[]... texts) throws IOException {
        List<byte[]> values = Arrays.asList(texts);
        return same(
                sql, sides.getFirst().prepared(sql, values), sides.getLast().prepared(sql, values));
    }

    /// All that differs is told at the end.
    private List<String> same(byte[] sql, List<String> ours, List<String> expected) {
        if (!ours.equals(expected)) {
            differences.add(
                    "%s%n  %s%n  and not%n  %s"
                            .formatted(
                                    new String(sql, StandardCharsets.ISO_8859_1),
                                    String.join("\n  ", ours),
                                    String.join("\n  ", expected)));
        }
        return expected;
    }

    static Stream<CharacterSet> sets() {
        return Arrays.stream(CharacterSet.values()).filter(set -> set != CharacterSet.UTF8);
    }

    /// Every character of the first plane, and every one or two bytes; three are a sample.
    @ParameterizedTest
    @MethodSource("sets")
    void aSetHasTheCharactersThatMariaDbKnows(CharacterSet set) throws SQLException {
        String url = "jdbc:mysql://127.0.0.1:%d/letters".formatted(ports.mariaDb());
        List<String> others = new ArrayList<>();
        try (Connection connection =
                        DriverManager.getConnection(url, BothSides.USER, BothSides.PASSWORD);
                Statement statement = connection.createStatement()) {
            try (ResultSet rows =
                    statement.executeQuery(
                            "SELECT seq, CONVERT(CONVERT(UNHEX(LPAD(HEX(seq), 8, '0')) USING utf32)"
                                    + " USING %s) AS c, 0 FROM seq_0_to_65533 WHERE seq NOT BETWEEN 0xD800 AND 0xF8FF"
                                            .formatted(set.shown()))) {
                while (rows.next()) {
                    int character = rows.getInt(1);
                    byte[] shown = rows.getBytes(2);
                    if (character != '?'
                            && !Arrays.equals(set.encode(Character.toString(character)), shown)
                            && !isOther(set, character)) {
                        others.add("U+%04X is %s".formatted(character, hex(shown)));
                    }
                }
            }
            for (String sequence : List.of("0_to_255", "32768_to_65535", "9412769_to_9436926")) {
                int bytes = sequence.length() / 6;
                if (bytes > set.bytes()) {
                    continue;
                }
                try (ResultSet rows =
                        statement.executeQuery(
                                "SELECT UNHEX(LPAD(HEX(seq), %d, '0')), HEX(CONVERT(CONVERT(UNHEX(LPAD(HEX(seq), %d, '0')) USING %s) USING utf16)) FROM seq_%s"
                                        .formatted(2 * bytes, 2 * bytes, set.shown(), sequence))) {
                    while (rows.next()) {
                        byte[] sent = rows.getBytes(1);
                        String shown = rows.getString(2);
                        String ours = set.decode(sent);
                        if (!shown.equals(utf16(ours)) && !isOther(set, sent, shown)) {
                            others.add("%s is %s".formatted(hex(sent), shown));
                        }
                    }
                }
            }
        }
        assertThat(others).isEmpty();
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static String utf16(String text) {
        return HexFormat.of().withUpperCase().formatHex(text.getBytes(StandardCharsets.UTF_16BE));
    }

    /// Backslashes of full width, whose character to MariaDB is a narrow one; and one that MariaDB
    /// writes as another.
    private static boolean isOther(CharacterSet set, int character) {
        return (set == CharacterSet.SJIS && (character == '\\' || character == 0xFF3C))
                || (set == CharacterSet.UJIS && character == 0xFF3C)
                || (set == CharacterSet.CP932 && character == 0x6661);
    }

    private static boolean isOther(CharacterSet set, byte[] sent, String shown) {
        boolean ofUsers = shown.compareTo("E000") >= 0 && shown.compareTo("F900") < 0;
        return (set == CharacterSet.UJIS && ofUsers)
                || set.decode(sent).equals("\uFF3C")
                || (sent.length > 1 && set.length(sent, 0) == 1); // no character but several
    }

    @Test
    void aClientSaysWhatItSpeaksWhenItComes() throws IOException {
        for (int collation : List.of(LATIN1, 48, 28, 51, 7)) {
            come(collation);
            same(
                    utf8(
                            "SELECT @@character_set_client, @@character_set_results,"
                                    + " @@character_set_connection, @@collation_connection"));
            same(utf8("SHOW VARIABLES LIKE 'character_set_client'"));
            same(utf8("SHOW SESSION VARIABLES WHERE variable_name = 'character_set_results'"));
            same(utf8("SHOW VARIABLES LIKE 'collation_connection'"));
            same(utf8("SELECT id, u, l, m FROM letters.t ORDER BY id"));
        }
    }

    /// Where a server takes its own defaults, which its clients do not know.
    @Test
    void aResetBringsBackTheSetThatAClientCameWith() throws IOException {
        try (PacketClient client = new PacketClient(ports.quire(), LATIN1)) {
            assertThat(client.query(utf8("SET NAMES gbk")).getFirst()).startsWith("ok");
            client.reset();
            assertThat(client.query(with("SELECT HEX('%s') AS h", new byte[] {(byte) 0xE9})))
                    .contains("h of 8 type 253 length 2")
                    .last()
                    .isEqualTo("024539 \u0002E9");
        }
    }

    @ParameterizedTest
    @CsvSource({"windows-1252, é ÿ €", "GBK, 誠 運 漢", "windows-31j, 表 ソ ①", "KOI8-R, Жук"})
    void connectorJMaySpeakThem(String encoding, String text) throws SQLException {
        String url = "jdbc:mysql://127.0.0.1:%d/letters".formatted(ports.quire());
        String spoken = url + "?useServerPrepStmts=%s&characterEncoding=" + encoding;
        for (boolean binary : List.of(true, false)) {
            try (Connection connection =
                            DriverManager.getConnection(
                                    spoken.formatted(binary), BothSides.USER, BothSides.PASSWORD);
                    Connection other =
                            DriverManager.getConnection(url, BothSides.USER, BothSides.PASSWORD);
                    PreparedStatement change =
                            connection.prepareStatement("UPDATE t SET u = ?, m = '" + text + "'");
                    PreparedStatement query =
                            connection.prepareStatement("SELECT u, m FROM t WHERE u = ?");
                    Statement plain = other.createStatement()) {
                change.setString(1, text);
                assertThat(change.executeUpdate()).isEqualTo(3);
                query.setString(1, text);
                for (ResultSet rows :
                        List.of(query.executeQuery(), plain.executeQuery("SELECT u, m FROM t"))) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getString(1)).isEqualTo(text);
                    assertThat(rows.getString(2)).isEqualTo(text);
                }
                plain.executeUpdate("UPDATE t SET u = ''");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "latin1, é ÿ €",
        "latin2, ž é",
        "cp1251, Ж ё",
        "koi8r, Жук",
        "greek, λόγος",
        "cp850, é",
        "gbk, 誠 運 漢",
        "big5, 許 功 蓋",
        "sjis, 表 能 ソ",
        "cp932, 表 ソ ①",
        "euckr, 한글",
        "ujis, 漢字",
        "gb2312, 汉字",
        "ascii, plain"
    })
    void statementsAreReadAndAnsweredInTheClientsSet(String name, String text) throws IOException {
        CharacterSet set = CharacterSet.of(name).orElseThrow();
        come(UTF8);
        same(utf8("SET NAMES " + name));
        same(utf8("USE letters"));
        byte[] letters = set.encode(text);
        for (String sql :
                List.of(
                        "SELECT id, u, l, m FROM t ORDER BY id",
                        "SELECT id, u FROM t WHERE id = 1",
                        "SELECT '%s'",
                        "SELECT '%s' AS `%s`",
                        "SELECT CHARSET('%s'), COLLATION('%s'), COERCIBILITY('%s'), LENGTH('%s'), HEX('%s')",
                        "INSERT INTO t VALUES (10, '%s', 'x', '%s')",
                        "SELECT u, m, LENGTH(u), HEX(u) FROM t WHERE u = '%s'",
                        "SELECT COUNT(*) FROM t WHERE u LIKE '%%%s%%'",
                        "UPDATE t SET m = CONCAT('<', '%s', '>') WHERE u = '%s'",
                        "SELECT HEX(m) FROM t WHERE id = 10",
                        "INSERT INTO b VALUES (10, '%s', '%s', '%s')",
                        "SELECT HEX(v), HEX(w), HEX(u) FROM b WHERE id = 10",
                        "SELECT id FROM b WHERE v = '%s'",
                        "SELECT v, w, u FROM b WHERE id = 10",
                        "UPDATE b SET v = 'a' WHERE v = '%s'",
                        "SELECT HEX(v) FROM b WHERE id = 10",
                        "BEGIN",
                        "UPDATE t SET u = '%s' WHERE id = 2",
                        "SELECT u FROM t WHERE u = '%s'",
                        "SELECT HEX(u), LENGTH('%s') FROM t WHERE id = 2",
                        "INSERT INTO b VALUES (11, '%s', '%s', '%s')",
                        "SELECT HEX(v), HEX(w), HEX(u) FROM b WHERE id = 11",
                        "COMMIT",
                        "SELECT HEX(u) FROM t WHERE id = 2",
                        "SELECT HEX(_binary'%s') AS b, HEX(_latin1'%s') AS l, HEX(_utf8mb4 x'c3a9') AS u",
                        "SET @x = '%s'",
                        "SELECT @x, CHARSET(@x), HEX(@x)",
                        "SELECT * FROM t WHERE u = @x",
                        "INSERT INTO t (id, u) VALUES (12, '%s\\'%s')",
                        "SELECT HEX(u) FROM t WHERE id = 12",
                        "SELECT * FROM `%s`",
                        "SELECT `%s` FROM t",
                        "INSERT INTO t (id) VALUES (1)",
                        "SELECT '%s",
                        "SET character_set_results = utf8mb4",
                        "SELECT u, '%s' FROM t WHERE id = 2",
                        "SET NAMES utf8mb4",
                        "SELECT id, u, l, m FROM t ORDER BY id",
                        "SELECT HEX(u), HEX(l), HEX(m) FROM t ORDER BY id")) {
            boolean errorOfText = sql.equals("SELECT '%s");
            byte[] sent = with(sql, letters);
            if (errorOfText) {
                sides.forEach(side -> startsWithError(side, sent));
            } else {
                same(sent);
            }
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    /// In UTF-8 the last byte of the character and a backslash are a character of some sets: then a
    /// string that shows a setting would end at the quote after them.
    @ParameterizedTest
    @CsvSource({"gbk, 你", "sjis, 能", "big5, 許", "latin1, é"})
    void whatShowsSettingsIsReadInTheClientsSetOnly(String name, String text) throws IOException {
        byte[] letters = CharacterSet.of(name).orElseThrow().encode(text);
        come(UTF8);
        same(utf8("SET NAMES " + name));
        for (String sql :
                List.of(
                        "SELECT @@net_read_timeout AS `%s`",
                        "SELECT @@net_read_timeout AS '%s\\', 1 AS '",
                        "SHOW VARIABLES WHERE variable_name = 'sql_mode' AND '%s\\' OR 1 = 1 OR ' = 'x'",
                        "SHOW VARIABLES LIKE '%s\\''",
                        "SELECT @@character_set_client, @@collation_connection")) {
            same(with(sql, letters));
        }
        String set = "SET character_set_results = IF('%s\\' = ', 'latin1', 'latin1')";
        assertThat(sides.getFirst().query(with(set, letters)).getFirst()).startsWith("ff");
    }

    @Test
    void aSetThatIsRefusedLeavesTheOneBefore() throws IOException {
        come(LATIN1);
        for (String sql :
                List.of(
                        "SET NAMES utf8mb4 COLLATE nonsense",
                        "SELECT '%s' AS c",
                        "SELECT @@character_set_client",
                        "SET NAMES utf8mb4 COLLATE latin1_bin",
                        "SET NAMES nonsense",
                        "SELECT '%s', @@collation_connection",
                        "SET NAMES utf8mb4 COLLATE utf8mb4_bin",
                        "SELECT 'a', @@character_set_client, @@collation_connection")) {
            same(with(sql, new byte[] {(byte) 0xE9}));
        }
    }

    private static void startsWithError(PacketClient side, byte[] sql) {
        try {
            assertThat(side.query(sql).getFirst()).startsWith("ff2804");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /// @param sql each `%s` of which is to be the letters
    private static byte[] with(String sql, byte[] letters) {
        ByteArrayOutputStream made = new ByteArrayOutputStream();
        String[] parts = sql.replace("%%", "%").split("%s", -1);
        for (int i = 0; i < parts.length; i++) {
            if (i > 0) {
                made.writeBytes(letters);
            }
            made.writeBytes(utf8(parts[i]));
        }
        return made.toByteArray();
    }

    @ParameterizedTest
    @CsvSource({"latin1, é ÿ €", "cp1251, Ж ё", "gbk, 誠 運 漢", "sjis, 表 能 ソ"})
    void preparedStatementsAreToo(String name, String text) throws IOException {
        CharacterSet set = CharacterSet.of(name).orElseThrow();
        byte[] letters = set.encode(text);
        come(UTF8);
        same(utf8("SET NAMES " + name.toUpperCase(Locale.ROOT)));
        same(utf8("USE letters"));
        samePrepared(utf8("INSERT INTO t VALUES (20, ?, 'x', ?)"), letters, letters);
        samePrepared(utf8("SELECT id, u, m, l FROM t WHERE u = ?"), letters);
        samePrepared(utf8("SELECT HEX(u) FROM t WHERE u = ?"), letters);
        samePrepared(with("SELECT id, u, '%s' FROM t WHERE u = '%s'", letters));
        samePrepared(utf8("INSERT INTO b VALUES (20, ?, ?, ?)"), letters, letters, letters);
        samePrepared(utf8("SELECT HEX(v), HEX(w), HEX(u), v, w, u FROM b WHERE id = 20"));
        samePrepared(utf8("SELECT id FROM b WHERE v = ?"), letters);
        samePrepared(utf8("INSERT INTO t VALUES (1, ?, '', ?)"), letters, letters);
    }

    /// What only this tier leaves out is said.
    @Test
    void whatIsNotKnownIsRefused() throws IOException {
        come(UTF8);
        same(utf8("SET NAMES nothing"));
        same(utf8("SET NAMES latin1 COLLATE utf8mb4_bin"));
        same(utf8("SET character_set_client = ucs2"));
        assertThat(sides.getFirst().query(utf8("SET NAMES tis620")).getFirst())
                .contains("Quire does not support character set tis620 (use utf8mb4)");
        same(utf8("SET collation_connection = cp1251_bin"));
        same(utf8("SELECT 'a', COLLATION('a')"));
        same(utf8("SET NAMES latin1 COLLATE latin1_german2_ci"));
        same(utf8("SELECT 'a', COLLATION('a')"));
        same(utf8("SET CHARACTER SET latin2"));
        same(utf8("SELECT @@character_set_client, @@character_set_results"));
        same(utf8("SET @before = @@character_set_client"));
        same(utf8("SET character_set_client = utf8mb4"));
        same(utf8("SET character_set_client = @before"));
        same(utf8("SELECT @@character_set_client, @@character_set_results"));
    }
}
