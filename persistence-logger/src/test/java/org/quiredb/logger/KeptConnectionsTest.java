package org.quiredb.logger;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quiredb.common.lifecycle.Parts;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.SnapshotPart;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.logger.active.LeaderLock;
import org.quiredb.logger.backend.Backend;

/// Schema changes that follow each other share their connections, and nothing else.
@Tag("slow")
class KeptConnectionsTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");
    private static final long NOON_MICROS = 1_704_110_400_000_000L;

    private Parts parts = new Parts();
    private TestServer server;
    private LoggerClient logger;
    private long number;

    @BeforeEach
    void begin() throws Exception {
        server = TestServer.get();
        server.reset();
        startLogger();
    }

    private void startLogger() throws Exception {
        Backend home = new Backend(0, server.address());
        home.prepare();
        LeaderLock leader = parts.add(LeaderLock.open(home));
        logger =
                new LoggerClient(
                        parts.add(
                                PersistenceLogger.start(
                                        new LoggerConfiguration(
                                                "logger",
                                                List.of(server.address()),
                                                8,
                                                1000,
                                                20_000,
                                                100),
                                        leader.begin("a:1"))));
        Topology first = Topology.vacant(0).begunBy(new Member("m", "h", 1, false));
        logger.ask(new LoggerRequest.ChangeTopology(first, List.of()));
        logger.ask(new LoggerRequest.OpenClass(SHOP, 1));
    }

    @AfterEach
    void end() throws Exception {
        parts.close();
    }

    @Test
    void aChangeOpensNoConnectionWhereTheLastOnesAreReady() throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        long opened;
        do { // who comes too early does not wait
            assertThat(System.nanoTime() - deadline).isNegative();
            long before = connections();
            change("CREATE TABLE t" + number + " (id INT PRIMARY KEY)");
            opened = connections() - before - 1; // the one that asks
        } while (opened > 0);
    }

    @Test
    void nothingOfASessionIsLeftForTheNext() throws Exception {
        for (int i = 0; i < 5; i++) {
            change(
                    "CREATE TABLE odd%d (id INT PRIMARY KEY, \"quoted\" INT, z DATETIME DEFAULT 0)"
                            .formatted(i),
                    "SET sql_mode = 'ANSI_QUOTES'",
                    "SET time_zone = '+11:00'",
                    "SET collation_connection = utf16_bin",
                    "SET character_set_results = latin1",
                    "SET @mine = 5",
                    "SET foreign_key_checks = 0",
                    "SET default_storage_engine = MEMORY");
            change(
                    "CREATE TABLE plain%d AS SELECT @mine AS mine, @quire_applies AS applies,"
                                    .formatted(i)
                            + " @@foreign_key_checks AS checks, @@time_zone AS zone,"
                            + " @@collation_connection AS collation, @@autocommit AS autocommit,"
                            + " \"text\" AS quoted");
            assertThat(
                            server.query(
                                    ("SELECT CONCAT_WS('|', COALESCE(mine, 'none'), applies, checks, zone,"
                                                    + " collation, autocommit, quoted, ENGINE)"
                                                    + " FROM shop.plain%1$d, information_schema.TABLES"
                                                    + " WHERE TABLE_SCHEMA = 'shop' AND TABLE_NAME = 'plain%1$d'")
                                            .formatted(i)))
                    .containsExactly("none|1|1|+00:00|utf8mb4_general_ci|1|text|InnoDB");
        }
    }

    @Test
    void whatTheServerIsToldToBeLikeHoldsForTheNextChange() throws Exception {
        change("CREATE TABLE before_it (id INT PRIMARY KEY)");
        server.execute(
                "SET GLOBAL sql_mode = 'STRICT_ALL_TABLES,ANSI_QUOTES,NO_BACKSLASH_ESCAPES'",
                "SET GLOBAL time_zone = '-07:00'",
                "SET GLOBAL character_set_server = latin1",
                "SET GLOBAL autocommit = 0");
        try {
            change("CREATE TABLE \"after\" (id INT PRIMARY KEY, \"a\\\" INT)");
            change("CREATE TABLE mode AS SELECT @@sql_mode AS mode, @@time_zone AS zone");
            change("ALTER TABLE \"after\" ADD COLUMN more INT");
            assertThat(columnsOf("after")).containsExactly("id", "a\\", "more");
            assertThat(server.query("SELECT CONCAT_WS('|', mode, zone) FROM shop.mode"))
                    .containsExactly("ANSI_QUOTES,NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES|+00:00");
        } finally {
            server.execute(
                    "SET GLOBAL sql_mode = DEFAULT, GLOBAL time_zone = '+05:00',"
                            + " GLOBAL character_set_server = utf8mb4, GLOBAL autocommit = 1");
        }
    }

    @Test
    void aServerThatWasStartedAgainIsNoErrorOfTheNextChange() throws Exception {
        parts.close();
        parts = new Parts();
        server = TestServer.another();
        List<String> command = server.command();
        server.execute("CREATE DATABASE IF NOT EXISTS shop");
        startLogger();
        try {
            change("CREATE TABLE first (id INT PRIMARY KEY)");
            change("CREATE TABLE second (id INT PRIMARY KEY)");
            for (int death = 0; death < 3; death++) {
                server.kill();
                server.restart(command);
                awaitServer();
                change("ALTER TABLE second ADD COLUMN c" + death + " INT");
                assertThat(columnsOf("second")).hasSize(death + 2);
            }
            assertThat(server.query("SELECT commit_number FROM quire.applied"))
                    .containsExactly("5");
        } finally {
            parts.close();
            server.kill();
        }
    }

    /// A connection that is lost while nobody uses it.
    @Test
    void aConnectionThatTheServerHasEndedIsNoErrorOfTheNextChange() throws Exception {
        change("CREATE TABLE first (id INT PRIMARY KEY)");
        for (int i = 0; i < 5; i++) {
            for (String id :
                    server.query(
                            "SELECT id FROM information_schema.PROCESSLIST WHERE command = 'Sleep'"
                                    + " AND user = 'quire'")) {
                try {
                    server.execute("KILL CONNECTION " + id);
                } catch (SQLException e) {
                    assertThat(e.getErrorCode()).as("it has ended").isEqualTo(1094);
                }
            }
            change("ALTER TABLE first ADD COLUMN c" + i + " INT");
        }
        assertThat(columnsOf("first")).hasSize(6);
    }

    @Test
    void tableIdsAreTakenFromTheDatabaseNowAndThenOnly() throws Exception {
        change("CREATE TABLE first (id INT PRIMARY KEY)");
        change("CREATE TABLE second (id INT PRIMARY KEY)");
        int first = firstTableId();
        List<String> stored = server.query("SELECT next_id FROM quire.table_ids");
        change("CREATE TABLE third (id INT PRIMARY KEY)");
        assertThat(firstTableId()).isGreaterThan(first);
        int second = firstTableId();
        assertThat(server.query("SELECT next_id FROM quire.table_ids")).isEqualTo(stored);
        assertThat(logger.ask(new LoggerRequest.Snapshot())).isEqualTo(new LoggerReply.Done());
        int anew = firstTableId();
        assertThat(anew).isGreaterThan(second);
        change("CREATE TABLE fourth (id INT PRIMARY KEY)");
        assertThat(firstTableId()).isGreaterThanOrEqualTo(anew + 3);
        int fourth = firstTableId();
        for (int death = 0; death < 3; death++) { // whose master has been given them
            assertThat(
                            logger.ask(
                                    new LoggerRequest.FinishSchemaChange(
                                            SHOP, 1, number, List.of(), 1)))
                    .isInstanceOf(LoggerReply.SchemaChanged.class);
            assertThat(firstTableId()).isGreaterThan(fourth);
            fourth = firstTableId();
        }
        logger.ask(new LoggerRequest.OpenClass(SHOP, 9));
        assertThat(logger.ask(request("CREATE TABLE fifth (id INT PRIMARY KEY)")))
                .isEqualTo(new LoggerReply.OldEpoch(9));
    }

    @Test
    void tableIdsThatAreLeftAreGivenNextWhoeverAsked() throws Exception {
        change("CREATE TABLE first (id INT PRIMARY KEY)");
        int next = firstTableId() + 1;
        logger.ask(new LoggerRequest.OpenClass(SHOP, 1)); // as when classes take turns
        finish(List.of());
        assertThat(firstTableId()).isEqualTo(next);
    }

    @Test
    void tableIdsAreNotGivenAgainAfterAChangeThatNeedsNone() throws Exception {
        change("CREATE TABLE first (id INT PRIMARY KEY)");
        change("CREATE TABLE second (id INT PRIMARY KEY)");
        int next = firstTableId() + 2;
        List<TableDefinition> known =
                ((SnapshotPart.Schema) logger.snapshotParts().getFirst()).tables();
        logger.ask(new LoggerRequest.OpenClass(SHOP, 1));
        finish(known);
        change("CREATE TABLE third (id INT PRIMARY KEY)");
        assertThat(firstTableId()).isGreaterThanOrEqualTo(next);
    }

    private void finish(List<TableDefinition> known) {
        assertThat(logger.ask(new LoggerRequest.FinishSchemaChange(SHOP, 1, number, known, 1)))
                .isInstanceOf(LoggerReply.SchemaChanged.class);
    }

    private int firstTableId() {
        return ((SnapshotPart.Schema) logger.snapshotParts().getFirst()).firstTableId();
    }

    private void change(String sql, String... settings) {
        assertThat(logger.ask(request(sql, settings)))
                .isInstanceOfSatisfying(
                        LoggerReply.SchemaChanged.class,
                        changed -> assertThat(changed.message()).isEmpty());
        number++;
        assertThat(logger.snapshotParts()).isNotEmpty();
    }

    private LoggerRequest request(String sql, String... settings) {
        return new LoggerRequest.ChangeSchema(
                SHOP,
                1,
                Records.schemaChange(number + 1, sql, NOON_MICROS, settings),
                List.of(),
                1);
    }

    /// As the tier is told them.
    private List<String> columnsOf(String table) {
        return ((SnapshotPart.Schema) logger.snapshotParts().getFirst())
                .tables().stream()
                        .filter(t -> t.name().equals(table))
                        .flatMap(t -> t.columns().stream())
                        .map(column -> column.name())
                        .toList();
    }

    private long connections() throws SQLException {
        return Long.parseLong(
                server.query(
                                "SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS"
                                        + " WHERE VARIABLE_NAME = 'CONNECTIONS'")
                        .getFirst());
    }

    private void awaitServer() throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            try {
                server.query("SELECT 1");
                return;
            } catch (SQLException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw e;
                }
                Thread.sleep(50);
            }
        }
    }
}
