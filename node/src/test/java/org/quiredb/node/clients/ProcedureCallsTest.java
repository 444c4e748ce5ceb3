package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.node.Await.await;
import static org.quiredb.node.clients.Clients.ask;
import static org.quiredb.node.clients.Clients.connect;
import static org.quiredb.node.clients.Clients.error;
import static org.quiredb.node.clients.Clients.run;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.node.hostile.Wire;

/// Procedures that only read are called as on a server; what might change more than rows is not.
@ExtendWith(BothSides.class)
@Timeout(240)
@Tag("slow")
final class ProcedureCallsTest {
    private static final int PS_MULTI_RESULTS = 0x40000;
    private static final int MULTI_STATEMENTS = 0x10000;
    private static final int MULTI_RESULTS = 0x20000;

    /// Of the status: more results, OUT parameters, in a transaction, autocommit.
    private static final int COMPARED = 0x100B;

    @TempDir private Path folder;
    private final BothSides.Ports ports;

    ProcedureCallsTest(BothSides.Ports ports) {
        this.ports = ports;
    }

    @BeforeEach
    void prepare() throws SQLException {
        for (int port : new int[] {ports.quire(), ports.mariaDb()}) {
            try (Connection one = connect(port, "")) {
                run(one, "CREATE DATABASE IF NOT EXISTS called CHARACTER SET utf8mb4");
                run(one, "CREATE OR REPLACE TABLE called.t (id INT PRIMARY KEY, v VARCHAR(20))");
                run(one, "INSERT INTO called.t VALUES (1, 'a'), (2, 'b')");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"READ COMMITTED, false", "REPEATABLE READ, false", "REPEATABLE READ, true"})
    void everyStatementIsAnsweredAsByMariaDb(String level, boolean prepared) throws Exception {
        SameAnswersTest.requireSame("procedures.sql", level, prepared, ports);
    }

    /// Sessions of one account with the same settings share connections of the backend.
    @Test
    void whatAFunctionBehindAViewSetsIsNoVariableOfOthers() throws Exception {
        create(
                "CREATE OR REPLACE FUNCTION called.marks() RETURNS INT BEGIN SET @marked = 'by one'; RETURN 1; END");
        create(
                "CREATE OR REPLACE FUNCTION called.marked() RETURNS VARCHAR(20) CHARSET utf8mb4 RETURN COALESCE(@marked, 'none')");
        create("CREATE OR REPLACE VIEW called.marking AS SELECT id, marks() AS m FROM called.t");
        try (Connection one = connect(ports.quire(), "called");
                Connection other = connect(ports.quire(), "called")) {
            for (String read :
                    List.of(
                            "SELECT SUM(m) FROM marking",
                            "WITH w AS (SELECT * FROM marking) SELECT SUM(m) FROM w",
                            "SELECT marks() FROM t")) {
                for (boolean within : new boolean[] {false, true}) {
                    one.setAutoCommit(!within);
                    try (Statement statement = one.createStatement()) {
                        boolean _ = statement.execute(read);
                    }
                    one.setAutoCommit(true);
                    for (int times = 0; times < 3; times++) {
                        try (Statement statement = other.createStatement();
                                ResultSet row =
                                        statement.executeQuery("SELECT marked(), @marked")) {
                            row.next();
                            assertThat(row.getString(1)).as(read).isEqualTo("none");
                            assertThat(row.getString(2)).as(read).isNull();
                        }
                    }
                }
            }
        }
    }

    @Test
    void phpIsAnsweredAsByMariaDb() throws Exception {
        Path script = folder.resolve("procedures.php");
        try (InputStream in =
                Objects.requireNonNull(getClass().getResourceAsStream("procedures.php"))) {
            Files.copy(in, script);
        }
        List<String> expected = php(script, ports.mariaDb());
        assertThat(expected).hasSizeGreaterThan(30);
        assertThat(php(script, ports.quire())).containsExactlyElementsOf(expected);
    }

    private static List<String> php(Path script, int port) throws Exception {
        Process process =
                new ProcessBuilder(
                                "php",
                                "-d",
                                "display_errors=1",
                                script.toString(),
                                "127.0.0.1",
                                String.valueOf(port),
                                BothSides.USER,
                                BothSides.PASSWORD)
                        .redirectErrorStream(true)
                        .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(text).isZero();
        return text.lines().toList();
    }

    @Test
    void aCallableStatementGetsItsParameters() throws Exception {
        create(
                "CREATE OR REPLACE PROCEDURE called.gives(IN a INT, OUT b VARCHAR(20), INOUT c INT) BEGIN SELECT v INTO b FROM t WHERE id = a; SET c = c + a; SELECT id FROM t ORDER BY id; END");
        assertThat(gives(ports.quire())).isEqualTo(gives(ports.mariaDb())).isEqualTo("1,2 b 12");
    }

    private static String gives(int port) throws SQLException {
        try (Connection one = connect(port, "called");
                CallableStatement call = one.prepareCall("{CALL gives(?, ?, ?)}")) {
            call.setInt(1, 2);
            call.registerOutParameter(2, Types.VARCHAR);
            call.setInt(3, 10);
            call.registerOutParameter(3, Types.INTEGER);
            List<String> ids = new ArrayList<>();
            assertThat(call.execute()).isTrue();
            try (ResultSet rows = call.getResultSet()) {
                while (rows.next()) {
                    ids.add(rows.getString(1));
                }
            }
            return String.join(",", ids) + ' ' + call.getString(2) + ' ' + call.getInt(3);
        }
    }

    /// Byte by byte, but for what a server says of its plans.
    @ParameterizedTest
    @ValueSource(
            ints = {
                Wire.CAPABILITIES | PS_MULTI_RESULTS,
                Wire.CAPABILITIES,
                Wire.CAPABILITIES & ~MULTI_STATEMENTS & ~MULTI_RESULTS
            })
    void thePacketsAreThoseOfMariaDb(int capabilities) throws Exception {
        create(
                "CREATE OR REPLACE PROCEDURE called.types(IN a INT, OUT b VARCHAR(20), INOUT c DECIMAL(10,2), OUT d DATE, OUT e TINYINT UNSIGNED, OUT f DOUBLE, OUT g DATETIME(3), OUT h BIGINT, OUT i TEXT, OUT j BLOB, OUT k ENUM('a','b'), OUT l TIME, OUT n YEAR, OUT o FLOAT, OUT p CHAR(5) CHARSET latin1, OUT q INT) BEGIN SET b = 'xä', c = c + 1, d = '2020-01-02', e = 7, f = 1.5, g = '2020-01-02 03:04:05.678', h = a, i = 't', j = 'b', k = 'b', l = '-10:00:00', n = 1999, o = 1.25, p = 'y'; SELECT id FROM t ORDER BY id; SELECT v FROM t WHERE id = a; END");
        create(
                "CREATE OR REPLACE PROCEDURE called.counts(OUT n INT) BEGIN SELECT COUNT(*) INTO n FROM t; END");
        create(
                "CREATE OR REPLACE PROCEDURE called.fails(OUT n INT) BEGIN SELECT id FROM t ORDER BY id; SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no'; END");
        List<String> expected = packets(ports.mariaDb(), capabilities);
        assertThat(expected).hasSizeGreaterThan(10);
        assertThat(packets(ports.quire(), capabilities)).isEqualTo(expected);
    }

    private static List<String> packets(int port, int capabilities) throws Exception {
        List<String> packets = new ArrayList<>();
        try (Wire wire = new Wire(port, InetAddress.getLoopbackAddress(), 20_000)) {
            assertThat(wire.login(BothSides.USER, BothSides.PASSWORD, capabilities)).isTrue();
            answer(wire, "\3USE called".getBytes(StandardCharsets.UTF_8), packets);
            answer(wire, "\3CALL counts(@n)".getBytes(StandardCharsets.UTF_8), packets);
            answer(wire, "\3CALL fails(@n)".getBytes(StandardCharsets.UTF_8), packets);
            String all = "CALL types(?" + ", ?".repeat(15) + ")";
            execute(wire, all, 16, List.of("2", "", "1.25"), packets);
            String others = "CALL types(1" + ", ?".repeat(14) + ", @q)";
            execute(wire, others, 14, List.of("", "5"), packets);
            execute(wire, "CALL called.counts(?) -- the end", 1, List.of(), packets);
            execute(wire, "CALL `called` . `counts` (?);", 1, List.of(), packets);
            execute(wire, "CALL fails(?)", 1, List.of(), packets);
            execute(wire, "CALL counts(? + 1)", 1, List.of("1"), packets);
            execute(wire, "CALL nowhere(?)", 1, List.of(), packets);
            answer(wire, "\3SELECT ROW_COUNT()".getBytes(StandardCharsets.UTF_8), packets);
        }
        return packets;
    }

    /// @param values as texts, empty for NULL, as which those count that are left out
    private static void execute(
            Wire wire, String sql, int parameters, List<String> values, List<String> packets)
            throws Exception {
        wire.send(0, ("\26" + sql).getBytes(StandardCharsets.UTF_8));
        byte[] prepared = wire.read();
        assertThat(prepared[0]).as(new String(prepared, StandardCharsets.UTF_8)).isZero();
        assertThat(prepared[7]).isEqualTo((byte) parameters);
        for (int i = 0; i <= parameters; i++) {
            byte[] _ = wire.read();
        }
        ByteArrayOutputStream command = new ByteArrayOutputStream();
        command.write(0x17);
        command.write(prepared, 1, 4);
        command.writeBytes(new byte[] {0, 1, 0, 0, 0});
        byte[] nulls = new byte[(parameters + 7) / 8];
        ByteArrayOutputStream types = new ByteArrayOutputStream();
        ByteArrayOutputStream given = new ByteArrayOutputStream();
        for (int i = 0; i < parameters; i++) {
            types.writeBytes(new byte[] {(byte) 0xFD, 0});
            if (i >= values.size() || values.get(i).isEmpty()) {
                nulls[i / 8] |= (byte) (1 << i % 8);
            } else {
                given.write(values.get(i).length());
                given.writeBytes(values.get(i).getBytes(StandardCharsets.UTF_8));
            }
        }
        command.writeBytes(nulls);
        command.write(1);
        command.writeBytes(types.toByteArray());
        command.writeBytes(given.toByteArray());
        answer(wire, command.toByteArray(), packets);
    }

    private static void answer(Wire wire, byte[] command, List<String> packets) throws Exception {
        wire.send(0, command);
        int ends = 0;
        while (true) {
            byte[] packet = wire.read();
            int kind = packet[0] & 0xFF;
            boolean begins = ends % 2 == 0;
            boolean okay = kind == 0 && begins;
            boolean end = kind == 0xFE && packet.length == 5;
            int at = okay ? 3 : end ? 3 : -1;
            int status = 0;
            if (at > 0) {
                status = ((packet[at] & 0xFF) | (packet[at + 1] & 0xFF) << 8) & COMPARED;
                packet[at] = (byte) status;
                packet[at + 1] = (byte) (status >> 8);
            }
            if (kind == 3 && packet.length > 20 && packet[1] == 'd') {
                Arrays.fill(packet, packet.length - 10, packet.length - 6, (byte) 0); // its length
            }
            int length = okay ? at + 4 : packet.length; // some say that they have nothing to say
            packets.add(HexFormat.of().formatHex(packet, 0, length));
            ends += end ? 1 : 0;
            boolean last = okay || (end && ends % 2 == 0);
            if (kind == 0xFF || (last && (status & 8) == 0)) {
                return;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET GLOBAL max_connections = 499",
                "SELECT * FROM t INTO OUTFILE '/tmp/quire-out'",
                "BEGIN CALL of_many.changes(); END",
                "BEGIN CALL called.of_many.changes(); END",
                "SELECT of_many.locks()",
                "SELECT called.of_many.locks()",
                "SELECT locking()",
                "BEGIN DECLARE r ROW (a INT); COMMIT; END"
            })
    void whatMayChangeSomethingIsRefused(String body) throws Exception {
        try (Connection one = connect(ports.quire(), "called");
                Connection behind = connect(ports.behind(), "called")) {
            run(one, "CREATE OR REPLACE PROCEDURE changing() DELETE FROM t");
            run(behind, "CREATE OR REPLACE FUNCTION locking() RETURNS INT RETURN GET_LOCK('a', 0)");
            run(
                    behind,
                    "CREATE OR REPLACE PACKAGE of_many PROCEDURE changes(); FUNCTION locks() RETURNS INT; END");
            run(
                    behind,
                    "CREATE OR REPLACE PACKAGE BODY of_many PROCEDURE changes() BEGIN COMMIT; START TRANSACTION READ WRITE; DELETE FROM t; COMMIT; END; FUNCTION locks() RETURNS INT RETURN GET_LOCK('a', 0); END");
            run(behind, "CREATE OR REPLACE PROCEDURE p() " + body);
            for (String begin : List.of("", "BEGIN", "START TRANSACTION READ ONLY")) {
                if (!begin.isEmpty()) {
                    run(one, begin);
                }
                assertThat(error(one, "CALL p()")).as(begin).isEqualTo(1235);
                run(one, "ROLLBACK");
            }
            assertThat(ask(behind, "SELECT GROUP_CONCAT(v ORDER BY id) FROM t")).isEqualTo("a,b");
            run(behind, "DROP FUNCTION locking");
            run(behind, "DROP PACKAGE of_many");
        }
    }

    /// To MariaDB it is the package's, whatever else is called so.
    @Test
    void whatBearsThePackagesNameIsRefused() throws Exception {
        try (Connection one = connect(ports.quire(), "called");
                Connection behind = connect(ports.behind(), "called")) {
            run(one, "CREATE DATABASE of_all");
            run(one, "CREATE PROCEDURE of_all.one() SELECT 1");
            run(one, "CREATE OR REPLACE PROCEDURE p() CALL of_all.one()");
            assertThat(ask(one, "CALL of_all.one()")).isEqualTo("1");
            assertThat(ask(one, "CALL p()")).isEqualTo("1");
            run(behind, "CREATE PACKAGE of_all PROCEDURE one(); END");
            run(
                    behind,
                    "CREATE PACKAGE BODY of_all PROCEDURE one() BEGIN SELECT GET_LOCK('a', 0); END; END");
            assertThat(error(one, "CALL of_all.one()")).isEqualTo(1235);
            assertThat(error(one, "CALL p()")).isEqualTo(1235);
            run(behind, "DROP PACKAGE of_all");
            assertThat(ask(one, "CALL p()")).isEqualTo("1");
            run(one, "DROP DATABASE of_all");
            for (String sql :
                    List.of(
                            "CREATE PACKAGE x PROCEDURE y(); END",
                            "CREATE OR REPLACE PACKAGE BODY x PROCEDURE y() BEGIN END; END",
                            "DROP PACKAGE x")) {
                assertThat(error(one, sql)).as(sql).isEqualTo(1235);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "BEGIN", "START TRANSACTION READ ONLY"})
    void aLockThatItTakesByWayOfAViewIsGoneAfterwards(String begin) throws Exception {
        try (Connection one = connect(ports.quire(), "called");
                Connection behind = connect(ports.behind(), "called")) {
            run(behind, "CREATE OR REPLACE VIEW locks AS SELECT GET_LOCK('by a view', 0)");
            run(behind, "CREATE OR REPLACE PROCEDURE p() SELECT * FROM locks");
            if (!begin.isEmpty()) {
                run(one, begin);
            }
            assertThat(ask(one, "CALL p()")).isEqualTo("1");
            run(one, "COMMIT");
            assertThat(ask(behind, "SELECT IS_FREE_LOCK('by a view')")).isEqualTo("1");
            run(behind, "DROP VIEW locks");
            assertThat(error(one, "CREATE VIEW locks AS SELECT GET_LOCK('by a view', 0)"))
                    .isEqualTo(1235);
            assertThat(error(one, "CREATE VIEW nexts AS SELECT NEXTVAL(s)")).isEqualTo(1235);
        }
    }

    /// Whatever it has become since it was looked at: it is another each time, and what nobody runs
    /// step by step, either.
    @ParameterizedTest
    @ValueSource(strings = {"", "START TRANSACTION READ ONLY"})
    void whatIsReplacedMeanwhileChangesNothing(String begin) throws Exception {
        String changes = "BEGIN DECLARE r ROW (a INT); INSERT INTO t VALUES (9, 'x'); COMMIT; END";
        String ends =
                "BEGIN DECLARE r ROW (a INT); COMMIT; START TRANSACTION READ WRITE; DELETE FROM t; COMMIT; END";
        String drops =
                "BEGIN DECLARE r ROW (a INT); START TRANSACTION; DELETE FROM t; COMMIT; DROP TABLE t; END";
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(4);
        CompletableFuture<Void> replacing =
                CompletableFuture.runAsync(() -> {
                    try (Connection behind = connect(ports.behind(), "called")) {
                        while (System.nanoTime() < end) {
                            for (String body :
                                    List.of(
                                            "SELECT 1",
                                            changes,
                                            "SELECT 1",
                                            ends,
                                            "SELECT 1",
                                            drops)) {
                                run(behind, "CREATE OR REPLACE PROCEDURE p() " + body);
                            }
                        }
                    } catch (SQLException e) {
                        throw new AssertionError(e);
                    }
                });
        try (Connection one = connect(ports.quire(), "called")) {
            while (System.nanoTime() < end) {
                if (!begin.isEmpty()) {
                    run(one, begin);
                }
                try {
                    run(one, "CALL p()");
                } catch (SQLException e) {
                    assertThat(e.getErrorCode()).as(e.getMessage()).isIn(1235, 1305, 1399, 1792);
                }
                run(one, "ROLLBACK");
            }
        }
        replacing.get(60, TimeUnit.SECONDS);
        assertThat(ports.tier().verify().differences()).isEmpty();
        try (Connection behind = connect(ports.behind(), "called")) {
            assertThat(ask(behind, "SELECT GROUP_CONCAT(v ORDER BY id) FROM t")).isEqualTo("a,b");
        }
    }

    @Test
    void itSeesWhatEverybodyHasCommitted() throws Exception {
        create("CREATE OR REPLACE PROCEDURE called.counts() SELECT COUNT(*) FROM t");
        try (Connection one = connect(ports.quire(), "called");
                Connection other = connect(ports.quire(), "called")) {
            for (int i = 10; i < 40; i++) {
                run(other, "INSERT INTO t VALUES (" + i + ", 'n')");
                assertThat(ask(one, "CALL counts()")).isEqualTo(String.valueOf(i - 7));
            }
            run(one, "START TRANSACTION READ ONLY");
            assertThat(ask(one, "CALL counts()")).isEqualTo("32");
            run(other, "INSERT INTO t VALUES (50, 'n')");
            assertThat(ask(one, "CALL counts()")).isEqualTo("32");
            assertThat(ask(one, "SELECT COUNT(*) FROM t")).isEqualTo("32");
            run(one, "COMMIT");
            assertThat(ask(one, "CALL counts()")).isEqualTo("33");
        }
    }

    /// Of MySQL, and of a prefix that servers use for their own.
    @Test
    void aStoredFunctionThatIsNamedLikeAServersSeesWhatIsCommittedAndItsTransaction()
            throws Exception {
        create(
                "CREATE OR REPLACE FUNCTION called.st_total() RETURNS INT READS SQL DATA RETURN (SELECT COUNT(*) FROM t)");
        create(
                "CREATE OR REPLACE FUNCTION called.any_value(x INT) RETURNS INT READS SQL DATA RETURN (SELECT COUNT(*) FROM t) + x");
        try (Connection one = connect(ports.quire(), "called")) {
            for (int i = 3; i < 30; i++) {
                run(one, "REPLACE INTO t VALUES (" + i + ", 'n')");
                assertThat(ask(one, "SELECT st_total()")).isEqualTo(String.valueOf(i));
                assertThat(ask(one, "SELECT any_value(0)")).isEqualTo(String.valueOf(i));
            }
            run(one, "BEGIN");
            run(one, "DELETE FROM t WHERE id > 2");
            assertThat(ask(one, "SELECT st_total()")).isEqualTo("2");
            assertThat(ask(one, "SELECT any_value(1)")).isEqualTo("3");
            run(one, "ROLLBACK");
        } finally {
            create("DROP FUNCTION called.st_total");
            create("DROP FUNCTION called.any_value");
        }
    }

    @Test
    void itSeesWhatItsTransactionHasChanged() throws Exception {
        create("CREATE OR REPLACE PROCEDURE called.counts() SELECT COUNT(*) FROM t");
        try (Connection one = connect(ports.quire(), "called")) {
            run(one, "BEGIN");
            run(one, "INSERT INTO t VALUES (3, 'c')");
            assertThat(ask(one, "CALL counts()")).isEqualTo("3");
            assertThat(ask(one, "SELECT COUNT(*) FROM t")).isEqualTo("3");
            run(one, "ROLLBACK");
            assertThat(ask(one, "CALL counts()")).isEqualTo("2");
            run(one, "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE");
            run(one, "BEGIN");
            assertThat(ask(one, "CALL counts()")).isEqualTo("2");
            run(one, "COMMIT");
            run(one, "CREATE TEMPORARY TABLE own (a INT)");
            assertThat(ask(one, "CALL counts()")).isEqualTo("2");
            run(one, "DROP TEMPORARY TABLE own");
            run(one, "LOCK TABLES t READ");
            assertThat(error(one, "CALL counts()")).isEqualTo(1235);
            run(one, "UNLOCK TABLES");
            assertThat(ask(one, "CALL counts()")).isEqualTo("2");
        }
    }

    @Test
    void itTakesTheRightToExecute() throws Exception {
        create("CREATE OR REPLACE PROCEDURE called.owned() SELECT v FROM t WHERE id = 1");
        create(
                "CREATE OR REPLACE PROCEDURE called.theirs() SQL SECURITY INVOKER SELECT v FROM t WHERE id = 1");
        create("CREATE OR REPLACE PROCEDURE called.changes() DELETE FROM t");
        create("CREATE OR REPLACE PROCEDURE called.others() SELECT v FROM t WHERE id = 1");
        try (Connection behind = connect(ports.behind(), "called")) {
            run(behind, "CREATE USER caller@'%' IDENTIFIED BY 'caller'");
            run(behind, "GRANT EXECUTE ON PROCEDURE called.owned TO caller@'%'");
            run(behind, "GRANT EXECUTE ON PROCEDURE called.theirs TO caller@'%'");
        }
        await("the account is known", () -> loginError(ports.quire()) == 0);
        try (Connection one =
                DriverManager.getConnection(
                        "jdbc:mysql://127.0.0.1:" + ports.quire() + "/", "caller", "caller")) {
            assertThat(error(one, "SELECT v FROM called.t")).isEqualTo(1142);
            assertThat(ask(one, "CALL called.owned()")).isEqualTo("a");
            assertThat(error(one, "CALL called.theirs()")).isEqualTo(1142);
            assertThat(error(one, "CALL called.others()")).isEqualTo(1370);
            assertThat(error(one, "CALL called.changes()")).isEqualTo(1370);
            assertThat(error(one, "CALL called.nowhere()")).isEqualTo(1370);
            run(one, "START TRANSACTION READ ONLY");
            assertThat(error(one, "CALL called.changes()")).isEqualTo(1235);
            run(one, "COMMIT");
            try (Connection behind = connect(ports.behind(), "called")) {
                run(behind, "GRANT SELECT ON called.t TO caller@'%'");
            }
            run(one, "USE called");
            run(one, "START TRANSACTION READ ONLY");
            assertThat(ask(one, "CALL owned()")).isEqualTo("a");
            try (Connection other = connect(ports.quire(), "called")) {
                run(other, "UPDATE t SET v = 'z' WHERE id = 1");
            }
            assertThat(ask(one, "CALL owned()")).isEqualTo("a");
            assertThat(error(one, "CALL called.changes()")).isEqualTo(1370);
            run(one, "COMMIT");
            assertThat(ask(one, "CALL called.owned()")).isEqualTo("z");
        } finally {
            try (Connection behind = connect(ports.behind(), "called")) {
                run(behind, "DROP USER caller@'%'");
            }
        }
    }

    private static int loginError(int port) {
        try (Connection _ =
                DriverManager.getConnection(
                        "jdbc:mysql://127.0.0.1:" + port + "/", "caller", "caller")) {
            return 0;
        } catch (SQLException e) {
            return e.getErrorCode();
        }
    }

    @Test
    void oneThatTakesLongIsEnded() throws Exception {
        create(
                "CREATE OR REPLACE PROCEDURE called.sleeps() BEGIN SELECT 1; SELECT SLEEP(600); END");
        try (Connection one = connect(ports.quire(), "called");
                Connection other = connect(ports.quire(), "called")) {
            run(one, "SET max_statement_time = 0.5");
            assertThat(whole(one, "CALL sleeps()")).isEqualTo("error 1969");
            run(one, "SET max_statement_time = 0");
            String id = ask(one, "SELECT CONNECTION_ID()");
            CompletableFuture<String> called =
                    CompletableFuture.supplyAsync(() -> whole(one, "CALL sleeps()"));
            await(
                    "it runs",
                    () ->
                            runs(
                                    ports.behind(),
                                    "SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE '%SLEEP(600)%' AND info NOT LIKE '%processlist%'"));
            run(other, "KILL QUERY " + id);
            assertThat(called.get(20, TimeUnit.SECONDS)).isEqualTo("error 1317");
            assertThat(ask(one, "SELECT 7")).isEqualTo("7");
        }
    }

    private static boolean runs(int port, String sql) {
        try (Connection one = connect(port, "")) {
            return !ask(one, sql).equals("0");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /// The first column of all results, and how they end.
    private static String whole(Connection connection, String sql) {
        List<String> all = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            boolean rows = statement.execute(sql);
            while (rows) {
                ResultSet result = statement.getResultSet();
                while (result.next()) {
                    all.add(result.getString(1));
                }
                rows = statement.getMoreResults();
            }
        } catch (SQLException e) {
            all.add("error " + e.getErrorCode());
        }
        return String.join(" ", all);
    }

    private void create(String sql) throws SQLException {
        for (int port : new int[] {ports.quire(), ports.mariaDb()}) {
            try (Connection one = connect(port, "called")) {
                run(one, sql);
            }
        }
    }
}
