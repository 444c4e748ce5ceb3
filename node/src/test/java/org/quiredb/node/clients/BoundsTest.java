package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.quiredb.node.Await.await;

import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.Socket;
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
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What one client may take, and what it is told beyond that; afterwards the tier serves as before.
@ExtendWith(BothSides.class)
@Tag("slow")
final class BoundsTest {
    private static final int ROWS = 2_000;

    @BeforeEach
    void create(BothSides.Ports ports) throws SQLException {
        try (Connection connection = connect(ports, "")) {
            execute(connection, "CREATE DATABASE IF NOT EXISTS bounds");
            execute(connection, "DROP TABLE IF EXISTS bounds.item");
            execute(
                    connection,
                    "CREATE TABLE bounds.item(id INT PRIMARY KEY AUTO_INCREMENT, v INT NOT NULL, t VARCHAR(20) NOT NULL)");
            List<String> rows = new ArrayList<>();
            for (int id = 1; id <= ROWS; id++) {
                rows.add("(%d, %d, 'text %d')".formatted(id, id, id));
            }
            execute(connection, "INSERT INTO bounds.item VALUES " + String.join(",", rows));
        }
    }

    @AfterEach
    void serves(BothSides.Ports ports) throws SQLException {
        try (Connection connection = connect(ports, "")) {
            execute(connection, "UPDATE bounds.item SET v = -5 WHERE id = 5");
            assertThat(one(connection, "SELECT v FROM bounds.item WHERE id = 5")).isEqualTo("-5");
            assertThat(
                            one(
                                    connection,
                                    "SELECT CONCAT(v, UUID() IS NULL) FROM bounds.item WHERE id = 5"))
                    .isEqualTo("-50");
        }
        assertThat(ports.tier().failures()).isEmpty();
        assertThat(ports.tier().replicas().values())
                .allSatisfy(replica -> assertThat(replica.state()).isEqualTo("serving"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a.id, b.id, c.t FROM bounds.item a, bounds.item b, bounds.item c ORDER BY c.t, b.v, a.v",
                "SELECT a.id + 1, b.id, c.t FROM bounds.item a, bounds.item b, bounds.item c ORDER BY a.v + b.v LIMIT 10",
                "SELECT DISTINCT a.id, b.id, c.t FROM bounds.item a, bounds.item b, bounds.item c",
                "SELECT a.id, b.id, c.id, COUNT(*) FROM bounds.item a, bounds.item b, bounds.item c GROUP BY a.id, b.id, c.id",
                "SELECT COUNT(*) FROM (SELECT a.id AS x, b.id AS y, c.t FROM bounds.item a, bounds.item b, bounds.item c ORDER BY c.t, b.v, a.v) d",
                "SELECT a.id, b.id, c.t FROM bounds.item a, bounds.item b, bounds.item c UNION SELECT 1, 2, 'x' FROM bounds.item",
                "SELECT COUNT(DISTINCT a.id * 1000000 + b.id * 1000 + c.id) FROM bounds.item a, bounds.item b, bounds.item c",
            })
    void whatOneStatementKeepsIsBounded(String sql, BothSides.Ports ports) throws SQLException {
        try (Connection connection = connect(ports, "useCursorFetch=false")) {
            assertThat(error(connection, sql)).isEqualTo(1038);
            execute(connection, "SET max_statement_time = 5"); // of what the master leaves alone
            execute(connection, "BEGIN");
            execute(connection, "UPDATE bounds.item SET v = 1 WHERE id = 1");
            assertThat(error(connection, sql)).isIn(1038, 1969);
            execute(connection, "COMMIT");
            assertThat(one(connection, "SELECT v FROM bounds.item WHERE id = 1")).isEqualTo("1");
        }
    }

    @Test
    void groupsCountNotTheRowsInThem(BothSides.Ports ports) throws SQLException {
        try (Connection connection = connect(ports, "")) {
            String sql =
                    "SELECT COUNT(*), SUM(n) FROM (SELECT a.id, COUNT(*) AS n FROM bounds.item a, bounds.item b GROUP BY a.id) d";
            assertThat(one(connection, sql)).isEqualTo("" + ROWS);
            assertThat(
                            one(
                                    connection,
                                    "SELECT COUNT(*) FROM (SELECT DISTINCT a.v % 50 AS x FROM bounds.item a, bounds.item b) d"))
                    .isEqualTo("50");
        }
    }

    /// A server keeps no more of it than a MiB, and warns.
    @Test
    void whatIsJoinedOfMoreThanThatIsTheBackends(BothSides.Ports ports) throws SQLException {
        try (Connection connection = connect(ports, "")) {
            assertThat(
                            one(
                                    connection,
                                    "SELECT LENGTH(GROUP_CONCAT(a.t, REPEAT('x', 3000))) FROM bounds.item a, bounds.item b WHERE b.id < 150"))
                    .isEqualTo("1048576");
        }
    }

    @Test
    void aTransactionsChangesAreBoundedWhileItRuns(BothSides.Ports ports) throws SQLException {
        try (Connection connection = connect(ports, "")) {
            connection.setAutoCommit(false);
            int number = 0;
            for (int i = 0; i < 16 && number == 0; i++) { // 131 million rows
                number =
                        error(
                                connection,
                                "INSERT INTO bounds.item(v, t) SELECT v, t FROM bounds.item");
            }
            assertThat(number).isIn(1197, 1038);
            execute(connection, "DELETE FROM bounds.item WHERE id = 7"); // it goes on
            connection.rollback();
            connection.setAutoCommit(true);
            assertThat(one(connection, "SELECT COUNT(*) FROM bounds.item")).isEqualTo("" + ROWS);
        }
    }

    @Test
    void silentConnectionsKeepNobodyOut(BothSides.Ports ports) throws Exception {
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 1_001; i++) {
                silent.add(new Socket(InetAddress.getLoopbackAddress(), ports.quire()));
            }
            try (Connection connection = connect(ports, "")) {
                assertThat(one(connection, "SELECT 1")).isEqualTo("1");
            }
            for (Socket socket : silent) { // all are closed in time
                socket.setSoTimeout(30_000);
                assertThat(socket.getInputStream().readAllBytes()).isNotNull();
            }
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void whoIsIdleForTooLongIsEnded(BothSides.Ports ports) throws Exception {
        try (Connection idle = connect(ports, "");
                Connection other = connect(ports, "")) {
            String id = one(idle, "SELECT CONNECTION_ID()");
            execute(idle, "SET SESSION wait_timeout = 1");
            await("it is gone", () -> error(other, "KILL QUERY " + id) == 1094);
            assertThat(error(idle, "SELECT 1")).isNotZero();
            assertThat(one(other, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void statementsAreBoundedInDepth(BothSides.Ports ports) throws SQLException {
        try (Connection connection = connect(ports, "")) {
            for (String from : List.of("", " FROM bounds.item WHERE id = 1")) {
                assertThat(error(connection, nested("SELECT ", "(", 100_000, "1", ")", from)))
                        .isEqualTo(1436);
                assertThat(error(connection, nested("SELECT ", "(", 201, "1", ")", from)))
                        .isEqualTo(1436);
                assertThat(one(connection, nested("SELECT ", "(", 100, "1", ")", from)))
                        .isEqualTo("1");
                assertThat(error(connection, nested("SELECT ", "-", 100_000, "1", "", from)))
                        .isIn(1436, 1064);
                assertThat(error(connection, nested("SELECT ", "1+", 10_000, "1", "", from)))
                        .isEqualTo(1436);
                assertThat(one(connection, nested("SELECT ", "1+", 200, "1", "", from)))
                        .isEqualTo("201");
            }
            assertThat(one(connection, "SELECT '" + "(".repeat(1_000) + "'")).hasSize(1_000);
            execute(
                    connection,
                    nested("UPDATE bounds.item SET v = ", "1+", 150, "1", "", " WHERE id = 2"));
            assertThat(one(connection, "SELECT v FROM bounds.item WHERE id = 2")).isEqualTo("151");
        }
    }

    private static String nested(
            String before, String open, int times, String inner, String close, String after) {
        return before + open.repeat(times) + inner + close.repeat(times) + after;
    }

    /// The backend takes more.
    @Test
    void packetsAreToldToBeAsLargeAsTheyMayBe(BothSides.Ports ports) throws Exception {
        try (Connection connection = connect(ports, "");
                Statement statement = connection.createStatement();
                Connection behind =
                        DriverManager.getConnection(
                                "jdbc:mysql://127.0.0.1:" + ports.behind() + "/",
                                BothSides.USER,
                                BothSides.PASSWORD)) {
            execute(behind, "SET GLOBAL max_allowed_packet = 134217728");
            statement.execute("SET @largest = @@global.max_allowed_packet");
            for (String asked :
                    List.of(
                            "@@max_allowed_packet",
                            "@@SESSION . max_allowed_packet",
                            "@@global.`max_allowed_packet` + 0",
                            "@largest",
                            "@@max_allowed_packet FROM bounds.item LIMIT 1")) {
                try (ResultSet row = statement.executeQuery("SELECT " + asked)) {
                    assertThat(row.next()).isTrue();
                    assertThat(row.getLong(1)).as(asked).isEqualTo(64 << 20);
                    assertThat(asked).startsWith(row.getMetaData().getColumnLabel(1));
                }
            }
            execute(behind, "SET GLOBAL max_allowed_packet = 67108864");
        }
    }

    /// A payload of 16 MiB less one byte has another, empty packet; a row has what lies around its
    /// value.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void valuesAroundTheEndOfAPacketAreTheSame(boolean prepared, BothSides.Ports ports)
            throws Exception {
        try (Connection connection =
                        connect(ports, "maxAllowedPacket=67108864&useServerPrepStmts=" + prepared);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE bounds.ends (id INT PRIMARY KEY, n INT, v LONGBLOB, t LONGTEXT)");
            int part = 0xFF_FFFF; // 4 bytes of a row say the length of its value, then 9
            List<Integer> lengths = List.of(part - 4, part, part + 1);
            try (PreparedStatement insert =
                            connection.prepareStatement(
                                    "INSERT INTO bounds.ends VALUES (?, 1, ?, 'longer than that: ?')");
                    PreparedStatement select =
                            connection.prepareStatement("SELECT v FROM bounds.ends WHERE id = ?")) {
                for (int length : lengths) {
                    byte[] value = new byte[length];
                    new Random(length).nextBytes(value);
                    insert.setInt(1, length);
                    if (prepared) {
                        insert.setBytes(2, value);
                    } else { // the driver would take seconds to write bytes as digits
                        letters(value);
                        insert.setString(2, new String(value, StandardCharsets.US_ASCII));
                    }
                    assertThat(insert.executeUpdate()).isEqualTo(1);
                    select.setInt(1, length);
                    try (ResultSet row = select.executeQuery()) {
                        assertThat(row.next()).isTrue();
                        assertThat(Arrays.equals(row.getBytes(1), value)).as("" + length).isTrue();
                    }
                    assertThat(statement.executeUpdate("DELETE FROM bounds.ends")).isEqualTo(1);
                }
            }
            assertThat(ports.tier().verify().differences()).isEmpty();
            statement.execute("DROP TABLE bounds.ends");
        }
    }

    private static void letters(byte[] value) {
        for (int i = 0; i < value.length; i++) {
            value[i] = (byte) ('a' + (value[i] & 15));
        }
    }

    @Test
    void aRowIsAsLargeAsATransaction(BothSides.Ports ports) throws Exception {
        int length = 23 << 20;
        try (Connection connection = connect(ports, "maxAllowedPacket=67108864");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE bounds.large (id INT PRIMARY KEY, n INT, v LONGTEXT)");
            statement.execute(
                    "INSERT INTO bounds.large VALUES (1, 1, '" + "v".repeat(length) + "')");
            statement.execute("UPDATE bounds.large SET n = 2");
            assertThat(one(connection, "SELECT v FROM bounds.large WHERE n = 2")).hasSize(length);
            assertThat(ports.tier().verify().differences()).isEmpty();
            statement.execute("DROP TABLE bounds.large");
        }
    }

    @Test
    void packetsLongDataAndPreparedStatementsAreBounded(BothSides.Ports ports) throws Exception {
        try (Connection connection = connect(ports, "maxAllowedPacket=67108864")) {
            assertThatThrownBy(() -> one(connection, "SELECT '" + "x".repeat(65 << 20) + "'"))
                    .isInstanceOf(SQLException.class);
        }
        try (Connection connection =
                        connect(
                                ports,
                                "useServerPrepStmts=true&emulateUnsupportedPstmts=false&useAffectedRows=true&maxAllowedPacket=67108864");
                PreparedStatement insert =
                        connection.prepareStatement("UPDATE bounds.item SET t = ? WHERE id = 1")) {
            insert.setBinaryStream(1, new ByteArrayInputStream(new byte[65 << 20]));
            assertThatThrownBy(insert::execute)
                    .isInstanceOf(SQLException.class)
                    .extracting(e -> ((SQLException) e).getErrorCode())
                    .isEqualTo(1153);
            insert.setString(1, "short");
            assertThat(insert.executeUpdate()).isEqualTo(1);
            List<PreparedStatement> all = new ArrayList<>();
            assertThatThrownBy(
                            () -> {
                                for (int i = 0; i < 1_001; i++) {
                                    all.add(
                                            connection.prepareStatement(
                                                    "SELECT ? FROM bounds.item"));
                                }
                            })
                    .isInstanceOf(SQLException.class)
                    .extracting(e -> ((SQLException) e).getErrorCode())
                    .isEqualTo(1461);
            for (PreparedStatement statement : all) {
                statement.close();
            }
            assertThat(insert.executeUpdate()).isZero(); // it has that text already
        }
    }

    @Test
    void sleepersStarveNobody(BothSides.Ports ports) throws Exception {
        List<Connection> sleepers = new ArrayList<>();
        List<CompletableFuture<Integer>> ends = new ArrayList<>();
        try {
            for (int i = 0; i < 60; i++) { // 16 + 32 may stay
                Connection sleeper = connect(ports, "");
                sleepers.add(sleeper);
                ends.add(
                        CompletableFuture.supplyAsync(
                                () -> error(sleeper, "SELECT SLEEP(1000), 'bounds'"),
                                Thread::startVirtualThread));
            }
            for (int i = 0; i < 5; i++) {
                try (Connection connection = connect(ports, "")) {
                    long beganNanos = System.nanoTime();
                    assertThat(one(connection, "SELECT UUID() IS NOT NULL")).isEqualTo("1");
                    assertThat(System.nanoTime() - beganNanos)
                            .isLessThan(TimeUnit.SECONDS.toNanos(20));
                }
            }
            await(
                    "some are ended",
                    () -> ends.stream().anyMatch(end -> end.isDone() && end.join() == 1290));
        } finally {
            for (Connection sleeper : sleepers) {
                sleeper.abort(Runnable::run);
            }
        }
        for (CompletableFuture<Integer> end : ends) {
            assertThat(end.get(30, TimeUnit.SECONDS)).isNotNull();
        }
    }

    /// Part D of what was found, row 8.
    @Test
    void aSchemaChangeWaitsNotLongForIdleSnapshots(BothSides.Ports ports) throws Exception {
        try (Connection reader = connect(ports, "");
                Connection changer = connect(ports, "")) {
            execute(reader, "START TRANSACTION READ ONLY");
            one(reader, "SELECT COUNT(*), UUID() FROM bounds.item");
            execute(changer, "ALTER TABLE bounds.item ADD COLUMN extra INT");
            execute(changer, "UPDATE bounds.item SET extra = 4 WHERE id = 4");

            assertThat(error(reader, "SELECT COUNT(*), UUID() FROM bounds.item")).isEqualTo(1412);
            execute(reader, "ROLLBACK");
            assertThat(
                            one(
                                    reader,
                                    "SELECT CONCAT(extra, UUID() IS NULL) FROM bounds.item WHERE id = 4"))
                    .isEqualTo("40");
        }
    }

    /// While it waits on the backend no update may be open: they would give up after ten seconds.
    @Test
    void aSchemaChangeThatWaitsLetsUpdatesThrough(BothSides.Ports ports) throws Exception {
        try (Connection reader =
                        DriverManager.getConnection(
                                "jdbc:mysql://127.0.0.1:" + ports.behind() + "/",
                                BothSides.USER,
                                BothSides.PASSWORD);
                Connection changer = connect(ports, "");
                Connection writer = connect(ports, "")) {
            reader.setAutoCommit(false);
            one(reader, "SELECT COUNT(*) FROM bounds.item");
            CompletableFuture<Integer> changed =
                    CompletableFuture.supplyAsync(
                            () -> error(changer, "ALTER TABLE bounds.item ADD COLUMN extra INT"),
                            Thread::startVirtualThread);
            while (!changed.isDone()) {
                requireUpdateWithin(5, writer);
            }
            assertThat(changed.get()).isEqualTo(1205);
            reader.rollback();
            execute(changer, "ALTER TABLE bounds.item ADD COLUMN extra INT");
        }
    }

    /// As many as there are processors, and more, by a plan and by H2.
    @Test
    void statementsThatComputeKeepNobodyFromWorking(BothSides.Ports ports) throws Exception {
        List<String> endless =
                List.of(
                        "SELECT COUNT(*) FROM bounds.item a, bounds.item b, bounds.item c",
                        "SELECT COUNT(*) FROM bounds.item a, bounds.item b, bounds.item c WHERE a.v * b.v + c.v < 0");
        List<Connection> computing = new ArrayList<>();
        List<CompletableFuture<Integer>> ends = new ArrayList<>();
        try (Connection writer = connect(ports, "")) {
            for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors() + 2; i++) {
                Connection client = connect(ports, "");
                String sql = endless.get(i % endless.size());
                computing.add(client);
                ends.add(
                        CompletableFuture.supplyAsync(
                                () -> error(client, sql), Thread::startVirtualThread));
            }
            long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
            while (System.nanoTime() < endNanos) {
                requireUpdateWithin(5, writer);
            }
            assertThat(ends).as("they compute still").noneMatch(CompletableFuture::isDone);
        } finally {
            for (Connection client : computing) {
                client.abort(Runnable::run);
            }
        }
        for (CompletableFuture<Integer> end : ends) {
            assertThat(end.get(30, TimeUnit.SECONDS)).isNotNull();
        }
    }

    private static void requireUpdateWithin(int seconds, Connection writer) throws SQLException {
        long beganNanos = System.nanoTime();
        execute(writer, "UPDATE bounds.item SET v = v + 1 WHERE id = 9");
        assertThat(System.nanoTime() - beganNanos).isLessThan(TimeUnit.SECONDS.toNanos(seconds));
    }

    /// Part D of what was found, row 7.
    @Test
    void aStatementThatFailsLeavesNoSnapshotBehind(BothSides.Ports ports) throws Exception {
        String fails =
                "SELECT EXTRACTVALUE('<a', UUID()), v, (SELECT v FROM bounds.item) FROM bounds.item";
        String reads = "SELECT CONCAT(v, UUID() IS NULL) FROM bounds.item WHERE id = 3";
        try (Connection reader = connect(ports, "");
                Connection writer = connect(ports, "")) {
            execute(reader, "SET autocommit = 0");
            assertThat(error(reader, fails)).isNotZero();
            execute(reader, "ROLLBACK");
            execute(writer, "UPDATE bounds.item SET v = 33 WHERE id = 3");
            assertThat(one(reader, reads)).isEqualTo("330");
        }
    }

    /// What a client sets reaches no connection that another one uses.
    @Test
    void settingsStayWithWhoMakesThem(BothSides.Ports ports) throws Exception {
        for (int i = 0; i < 8; i++) {
            try (Connection setter = connect(ports, "");
                    Connection other = connect(ports, "")) {
                execute(setter, "SET group_concat_max_len = 5");
                assertThat(one(other, "SELECT @@group_concat_max_len")).isNotEqualTo("5");
                assertThat(one(setter, "SELECT @@group_concat_max_len")).isEqualTo("5");
            }
        }
    }

    private static Connection connect(BothSides.Ports ports, String options) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + ports.quire() + "/?" + options,
                BothSides.USER,
                BothSides.PASSWORD);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /// 0 for none.
    private static int error(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(Integer.MIN_VALUE);
            if (statement.execute(sql)) {
                try (ResultSet rows = statement.getResultSet()) {
                    while (rows.next()) {}
                }
            }
            return 0;
        } catch (SQLException e) {
            return e.getErrorCode() == 0 ? -1 : e.getErrorCode();
        }
    }

    private static String one(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }
}
