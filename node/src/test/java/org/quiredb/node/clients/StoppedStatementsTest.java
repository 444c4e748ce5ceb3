package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.quiredb.node.Await.await;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.node.hostile.Wire;

/// Statements that would run for hours, ended by KILL, a time limit and the end of their client's
/// connection, wherever they run; afterwards nothing of them is left.
@ExtendWith(BothSides.class)
@Tag("slow")
final class StoppedStatementsTest {
    private static final int ROWS = 2_000;
    private static final byte QUERY = 0x03;
    private static final byte PING = 0x0e;
    private static final String ENDLESS =
            "SELECT COUNT(*) FROM endless.item a, endless.item b, endless.item c WHERE a.v + b.v + c.v < 0";

    /// Where a statement runs that does not end by itself.
    enum Place {
        REPLICA("", ENDLESS),
        REPLICA_LIKE(
                "",
                "SELECT COUNT(*) FROM endless.item a, endless.item b, endless.item c WHERE c.t LIKE '%b%'"),
        REPLICA_DERIVED(
                "",
                "SELECT COUNT(*) FROM (SELECT DISTINCT v FROM endless.item) a, (SELECT DISTINCT v FROM endless.item) b,"
                        + " (SELECT DISTINCT v FROM endless.item) c WHERE a.v + b.v + c.v < 0"),
        REPLICA_PLAN("", planned(3)),
        READ_ONLY_TRANSACTION("START TRANSACTION READ ONLY", ENDLESS),
        MASTER(
                "BEGIN",
                "SELECT a.id FROM endless.item a, endless.item b, endless.item c"
                        + " WHERE a.id > 0 AND b.id > 0 AND c.id > 0 AND a.v + b.v + c.v < 0 FOR UPDATE"),
        MASTER_LOCK_WAIT("BEGIN", "UPDATE endless.item SET v = v + 1 WHERE id = -1"),
        MASTER_AUTOCOMMIT_LOCK_WAIT("", "UPDATE endless.item SET v = v + 1 WHERE id = -1"),
        BACKEND("", "SELECT SLEEP(1000), 'endless'"),
        BACKEND_SNAPSHOT(
                "START TRANSACTION READ ONLY",
                "SELECT SLEEP(1000), 'endless', COUNT(*) FROM endless.item");

        private final String before;
        private final String sql;

        Place(String before, String sql) {
            this.before = before;
            this.sql = sql;
        }
    }

    /// Joins of seven, each of which is one of seven, and so on: few rows in many orders.
    private static String planned(int depth) {
        String table = depth == 1 ? "endless.item" : "(" + planned(depth - 1) + ")";
        List<String> shown = new ArrayList<>();
        StringBuilder from = new StringBuilder();
        for (int i = 0; i < 7; i++) {
            String name = "t" + depth + i;
            String id = depth == 1 ? "id" : "c0";
            shown.add(name + "." + id + " AS c" + i);
            from.append(i == 0 ? " FROM " : " JOIN ").append(table).append(" ").append(name);
            for (int j = 0; j < i; j++) {
                String other = depth == 1 ? "v" : "c" + i;
                from.append(j == 0 ? " ON " : " AND ")
                        .append(name + "." + id + " = t" + depth + j + "." + other);
            }
        }
        return "SELECT " + String.join(", ", shown) + from;
    }

    @BeforeEach
    void create(BothSides.Ports ports) throws SQLException {
        try (Connection connection = connect(ports);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE IF NOT EXISTS endless");
            statement.execute("DROP TABLE IF EXISTS endless.item");
            statement.execute(
                    "CREATE TABLE endless.item(id INT PRIMARY KEY, v INT NOT NULL, t VARCHAR(20) NOT NULL)");
            List<String> rows = new ArrayList<>(List.of("(-1, 0, 'a')"));
            for (int id = 1; id <= ROWS; id++) {
                rows.add("(%d, %d, 'a')".formatted(id, id));
            }
            statement.execute("INSERT INTO endless.item VALUES " + String.join(",", rows));
        }
    }

    @ParameterizedTest
    @EnumSource
    void killQueryEndsIt(Place place, BothSides.Ports ports) throws Exception {
        try (Connection holder = holder(ports);
                Connection killer = connect(ports);
                Connection killed = connect(ports)) {
            CompletableFuture<SQLException> error = start(killed, place);
            awaitRunning(place, ports);
            execute(killer, "KILL QUERY " + id(killed, error));
            assertThat(error.get(10, TimeUnit.SECONDS).getErrorCode()).isEqualTo(1317);

            holder.rollback();
            endReadOnly(killed, place);
            execute(
                    killed,
                    "UPDATE endless.item SET v = 7 WHERE id = 5"); // the transaction goes on
            execute(killed, "COMMIT");
            assertThat(one(killed, "SELECT v FROM endless.item WHERE id = 5")).isEqualTo("7");
        }
        awaitQuiet(ports);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "character_set_connection = latin1",
                "character_set_client = sjis, character_set_connection = sjis",
                "sql_mode = 'NO_BACKSLASH_ESCAPES,ANSI_QUOTES'"
            })
    void theProcessListShowsWhatOthersSendWhateverTheSessionIs(
            String setting, BothSides.Ports ports) throws Exception {
        String sent = "SELECT SLEEP(1000), 'endless', 'ソ\\\\', 'it''s', '— 😀'";
        try (Connection asking = connect(ports);
                Connection other = connect(ports)) {
            execute(asking, "SET " + setting);
            CompletableFuture<SQLException> error = start(other.createStatement(), sent);
            await("the backend runs it", () -> onBackend(ports) > 0);
            long id = id(other, error);
            try {
                assertThat(
                                one(
                                        asking,
                                        "SELECT HEX(INFO), @@sql_mode FROM (information_schema.PROCESSLIST) WHERE ID = "
                                                + id))
                        .isEqualToIgnoringCase(
                                HexFormat.of().formatHex(sent.getBytes(StandardCharsets.UTF_8)));
            } finally {
                execute(asking, "KILL QUERY " + id);
                assertThat(error.get(10, TimeUnit.SECONDS).getErrorCode()).isEqualTo(1317);
            }
        }
        awaitQuiet(ports);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SHOW COLUMNS FROM information_schema.PROCESSLIST LIKE 'I%'",
                "DESCRIBE information_schema.PROCESSLIST"
            })
    void theProcessListIsATable(String shown, BothSides.Ports ports) throws Exception {
        try (Connection asking = connect(ports)) {
            assertThat(one(asking, shown)).isEqualTo("ID");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SHOW FULL PROCESSLIST",
                "SELECT p.id, USER, host, db, command, time, state, INFO FROM information_schema.processlist AS p",
                "SELECT * FROM information_schema.PROCESSLIST WHERE PROCESSLIST.COMMAND = 'Query'"
            })
    void theProcessListHasTheIdThatKillTakes(String list, BothSides.Ports ports) throws Exception {
        try (Connection killer = connect(ports);
                Connection killed = connect(ports)) {
            killed.setCatalog("endless");
            CompletableFuture<SQLException> error = start(killed, Place.REPLICA);
            awaitRunning(Place.REPLICA, ports);
            long id = -1;
            try (Statement statement = killer.createStatement();
                    ResultSet rows = statement.executeQuery(list)) {
                while (rows.next()) {
                    if (ENDLESS.equals(rows.getString(8))) {
                        id = rows.getLong(1);
                        assertThat(rows.getString(2)).isEqualTo(BothSides.USER);
                        assertThat(rows.getString(3)).startsWith("127.0.0.1:");
                        assertThat(rows.getString(4)).isEqualTo("endless");
                        assertThat(rows.getString(5)).isEqualTo("Query");
                    }
                }
            }
            try {
                execute(killer, "KILL QUERY " + id);
                assertThat(error.get(10, TimeUnit.SECONDS).getErrorCode()).isEqualTo(1317);
            } finally {
                killed.abort(Runnable::run);
            }
        }
        awaitQuiet(ports);
    }

    @ParameterizedTest
    @EnumSource
    void theEndOfTheConnectionEndsIt(Place place, BothSides.Ports ports) throws Exception {
        try (Connection holder = holder(ports);
                Connection gone = connect(ports)) {
            CompletableFuture<SQLException> error = start(gone, place);
            awaitRunning(place, ports);
            gone.abort(Runnable::run);
            assertThat(error.get(10, TimeUnit.SECONDS).getSQLState()).startsWith("08");
            holder.rollback();
        }
        awaitQuiet(ports);
        try (Connection other = connect(ports)) {
            execute(other, "UPDATE endless.item SET v = 8 WHERE id = -1"); // the lock is free
            assertThat(one(other, "SELECT v FROM endless.item WHERE id = -1")).isEqualTo("8");
        }
    }

    /// What it has sent on does not hide it.
    @Test
    void theEndOfAClientThatHasSentMoreEndsItToo(BothSides.Ports ports) throws Exception {
        try (Wire gone = new Wire(ports.quire(), InetAddress.getLoopbackAddress(), 10_000)) {
            assertThat(gone.login(BothSides.USER, BothSides.PASSWORD)).isTrue();
            String sql = (char) QUERY + Place.BACKEND.sql;
            gone.send(0, sql.getBytes(StandardCharsets.UTF_8));
            for (int i = 0; i < 100; i++) {
                gone.send(0, new byte[] {PING});
            }
            awaitRunning(Place.BACKEND, ports);
        }
        awaitQuiet(ports);
    }

    @ParameterizedTest
    @EnumSource
    void itsTimeIsUp(Place place, BothSides.Ports ports) throws Exception {
        try (Connection holder = holder(ports);
                Connection limited = connect(ports)) {
            execute(limited, "SET SESSION max_statement_time = 0.3");
            CompletableFuture<SQLException> error = start(limited, place);
            assertThat(error.get(10, TimeUnit.SECONDS).getErrorCode()).isEqualTo(1969);

            execute(limited, "SET max_statement_time = 0");
            holder.rollback();
            endReadOnly(limited, place);
            execute(limited, "UPDATE endless.item SET v = 9 WHERE id = 6");
            execute(limited, "COMMIT");
        }
        awaitQuiet(ports);
    }

    @Test
    void mySqlsLimitIsForReadsOnly(BothSides.Ports ports) throws Exception {
        try (Connection holder = holder(ports);
                Connection limited = connect(ports)) {
            execute(limited, "SET max_execution_time = 100 + 100");
            assertThat(start(limited, Place.REPLICA).get(10, TimeUnit.SECONDS).getErrorCode())
                    .isEqualTo(1969);
            CompletableFuture<SQLException> update =
                    start(limited, Place.MASTER_AUTOCOMMIT_LOCK_WAIT);
            Thread.sleep(Duration.ofMillis(500)); // past the limit
            assertThat(update).isNotDone();
            holder.rollback();
            assertThatThrownBy(() -> update.get(10, TimeUnit.SECONDS))
                    .hasRootCauseMessage("it ended by itself");
        }
        awaitQuiet(ports);
    }

    @Test
    void killEndsTheConnectionToo(BothSides.Ports ports) throws Exception {
        try (Connection killer = connect(ports);
                Connection busy = connect(ports);
                Connection idle = connect(ports)) {
            String idleId = one(idle, "SELECT CONNECTION_ID()");
            CompletableFuture<SQLException> error = start(busy, Place.REPLICA);
            awaitRunning(Place.REPLICA, ports);
            execute(killer, "KILL " + id(busy, error));
            execute(killer, "KILL CONNECTION " + idleId);

            assertThat(error.get(10, TimeUnit.SECONDS).getSQLState()).startsWith("08");
            assertThatThrownBy(() -> one(idle, "SELECT 1"))
                    .isInstanceOf(SQLException.class)
                    .extracting(e -> ((SQLException) e).getSQLState())
                    .asString()
                    .startsWith("08");
            await(
                    "the idle one is forgotten",
                    () -> {
                        try {
                            execute(killer, "KILL QUERY " + idleId);
                            return false;
                        } catch (SQLException e) {
                            return e.getErrorCode() == 1094;
                        }
                    });
        }
        awaitQuiet(ports);
    }

    @Test
    void driversCancelByTheIdThatTheyWereGreetedWith(BothSides.Ports ports) throws Exception {
        try (Connection connection = connect(ports);
                Statement statement = connection.createStatement()) {
            CompletableFuture<SQLException> error = start(statement, ENDLESS);
            awaitRunning(Place.REPLICA, ports);
            statement.cancel();
            // The driver's own words, unless the server's were quicker.
            assertThat(error.get(10, TimeUnit.SECONDS).getMessage())
                    .containsPattern("(?i)cancel|interrupted");
        }
        awaitQuiet(ports);
    }

    @ParameterizedTest
    @org.junit.jupiter.params.provider.CsvSource({
        "KILL 4000000000, 1094",
        "KILL QUERY 0, 1094",
        "KILL, 1064",
        "KILL QUERY one, 1064",
        "KILL 1 2, 1064",
        "KILL QUERY CONNECTION_ID(), 1317"
    })
    void errorsAreMySqls(String sql, int number, BothSides.Ports ports) throws SQLException {
        try (Connection connection = connect(ports)) {
            assertThatThrownBy(() -> execute(connection, sql))
                    .isInstanceOf(SQLException.class)
                    .extracting(e -> ((SQLException) e).getErrorCode())
                    .isEqualTo(number);
            assertThat(one(connection, "SELECT 1")).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @org.junit.jupiter.params.provider.ValueSource(
            strings = {"KILL CONNECTION_ID()", "KILL HARD CONNECTION %s"})
    void whoEndsHisOwnConnectionIsToldSo(String sql, BothSides.Ports ports) throws SQLException {
        try (Connection connection = connect(ports)) {
            String kill = sql.formatted(one(connection, "SELECT CONNECTION_ID()"));
            assertThatThrownBy(() -> execute(connection, kill))
                    .isInstanceOf(SQLException.class)
                    .hasMessage("Connection was killed")
                    .extracting(e -> ((SQLException) e).getErrorCode())
                    .isEqualTo(1927);
            assertThatThrownBy(() -> one(connection, "SELECT 1"))
                    .isInstanceOf(SQLException.class)
                    .extracting(e -> ((SQLException) e).getSQLState())
                    .isEqualTo("08S01");
        }
    }

    /// A client that takes nothing of its result.
    @Test
    void aStalledResultIsKilledToo(BothSides.Ports ports) throws Exception {
        for (String sql :
                List.of(
                        "SELECT a.id, a.t, b.t, c.t FROM endless.item a, endless.item b, endless.item c",
                        "SELECT a.id, a.t, b.t, UUID(), c.t FROM endless.item a, endless.item b, endless.item c")) {
            try (Connection killer = connect(ports);
                    Connection stalled = connect(ports);
                    Statement statement = stalled.createStatement()) {
                String id = one(stalled, "SELECT CONNECTION_ID()");
                statement.setFetchSize(Integer.MIN_VALUE);
                try (ResultSet rows = statement.executeQuery(sql)) {
                    assertThat(rows.next()).isTrue();
                    awaitRunning(sql.contains("UUID") ? Place.BACKEND : Place.REPLICA, ports);
                    execute(killer, "KILL QUERY " + id);
                    assertThatThrownBy(
                                    () -> {
                                        while (rows.next()) {}
                                    })
                            .isInstanceOf(SQLException.class)
                            .extracting(e -> ((SQLException) e).getErrorCode())
                            .isEqualTo(1317);
                }
                assertThat(one(stalled, "SELECT 1")).isEqualTo("1");
            }
            awaitQuiet(ports);
        }
    }

    /// Holds the row with the id -1.
    private static Connection holder(BothSides.Ports ports) throws SQLException {
        Connection connection = connect(ports);
        connection.setAutoCommit(false);
        execute(connection, "UPDATE endless.item SET v = 100 WHERE id = -1");
        return connection;
    }

    private static void endReadOnly(Connection connection, Place place) throws SQLException {
        if (place.before.contains("READ ONLY")) {
            execute(connection, "COMMIT");
        }
    }

    private static Connection connect(BothSides.Ports ports) throws SQLException {
        return connect(ports.quire());
    }

    private static Connection connect(int port) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + port + "/", BothSides.USER, BothSides.PASSWORD);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String one(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }

    /// Runs it on a thread of its own; done with the error that ends it.
    private static CompletableFuture<SQLException> start(Connection connection, Place place)
            throws SQLException {
        if (!place.before.isEmpty()) {
            execute(connection, place.before);
        }
        return start(connection.createStatement(), place.sql);
    }

    private static CompletableFuture<SQLException> start(Statement statement, String sql) {
        CompletableFuture<SQLException> error = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                statement.execute(sql);
                error.completeExceptionally(new AssertionError("it ended by itself"));
            } catch (SQLException e) {
                error.complete(e);
            }
        });
        return error;
    }

    /// The id that the handshake told; asking for it would wait for the statement.
    private static long id(Connection connection, CompletableFuture<SQLException> running)
            throws SQLException {
        assertThat(running).isNotDone();
        return connection.unwrap(com.mysql.cj.MysqlConnection.class).getId();
    }

    private static void awaitRunning(Place place, BothSides.Ports ports) {
        switch (place) {
            case REPLICA, REPLICA_LIKE, REPLICA_DERIVED, REPLICA_PLAN, READ_ONLY_TRANSACTION ->
                    await("it runs on a replica", () -> figure(ports, "reads.running") > 0);
            case MASTER ->
                    await("it runs on the master", () -> figure(ports, "transactions.open") > 1);
            case MASTER_LOCK_WAIT, MASTER_AUTOCOMMIT_LOCK_WAIT ->
                    await("it waits for a lock", () -> figure(ports, "lock.waiting") > 0);
            case BACKEND, BACKEND_SNAPSHOT ->
                    await("it runs on the backend", () -> onBackend(ports) > 0);
        }
    }

    private static void awaitQuiet(BothSides.Ports ports) {
        await("no read runs", () -> figure(ports, "reads.running") == 0);
        await("no transaction is open", () -> figure(ports, "transactions.open") == 0);
        await("nobody waits", () -> figure(ports, "lock.waiting") == 0);
        await("the backend runs nothing", () -> onBackend(ports) == 0);
    }

    private static double figure(BothSides.Ports ports, String name) {
        return ports.tier().replicas().values().stream()
                .mapToDouble((NodeStatus status) -> status.figure(name))
                .sum();
    }

    private static long onBackend(BothSides.Ports ports) {
        try (Connection connection = connect(ports.behind())) {
            return Long.parseLong(
                    one(
                            connection,
                            "SELECT COUNT(*) FROM information_schema.processlist"
                                    + " WHERE info LIKE 'SELECT%endless%' AND info NOT LIKE '%processlist%'"));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
