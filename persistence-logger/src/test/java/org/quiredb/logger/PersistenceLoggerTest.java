package org.quiredb.logger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.LoggerRequest.Append;
import org.quiredb.common.message.LoggerRequest.Applied;
import org.quiredb.common.message.LoggerRequest.AwaitApplied;
import org.quiredb.common.message.LoggerRequest.ChangeSchema;
import org.quiredb.common.message.LoggerRequest.Digests;
import org.quiredb.common.message.LoggerRequest.FindTransaction;
import org.quiredb.common.message.LoggerRequest.FinishSchemaChange;
import org.quiredb.common.message.LoggerRequest.OpenClass;
import org.quiredb.common.message.LoggerRequest.OpenComparison;
import org.quiredb.common.message.LoggerRequest.RowDigests;
import org.quiredb.common.message.LoggerRequest.Snapshot;
import org.quiredb.common.message.LoggerRequest.Status;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.RowDigest;
import org.quiredb.common.message.SnapshotPart;
import org.quiredb.common.message.TableDigest;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.RowChange;

@Tag("slow")
class PersistenceLoggerTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");
    private static final long NOON_MICROS =
            1_767_268_800_123_456L; // 2026-01-01 12:00:00.123456 UTC

    private static final SqlValue NOON =
            new SqlValue.DateTimeValue(LocalDateTime.of(2026, 1, 1, 12, 0, 0, 123_456_000));

    private static final String SHAPE =
            """
            SELECT CONCAT_WS('.', TABLE_SCHEMA, t.TABLE_NAME, INDEX_NAME, COLUMN_NAME, TABLE_ROWS)
            FROM information_schema.TABLES t LEFT JOIN information_schema.STATISTICS
            USING (TABLE_SCHEMA, TABLE_NAME) WHERE TABLE_SCHEMA IN ('shop', 'more')
            UNION SELECT SCHEMA_NAME FROM information_schema.SCHEMATA\
            """;

    private static final long BACKEND_WAIT_MILLIS = 10_000;

    private TestServer server;
    private PersistenceLogger logger;
    private LoggerClient client;

    @BeforeEach
    void startOnAnEmptyServer() throws Exception {
        server = TestServer.get();
        server.reset();
        server.execute(
                "CREATE TABLE shop.orders (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, note VARCHAR(40),"
                        + " placed DATETIME(6), stamped TIMESTAMP(6) NULL)",
                "CREATE TABLE shop.total (id INT PRIMARY KEY, amount BIGINT NOT NULL)",
                "INSERT INTO shop.total VALUES (1, 0)");
        start(BACKEND_WAIT_MILLIS);
    }

    @AfterEach
    void close() {
        logger.close();
    }

    private void start(long backendWaitMillis) {
        logger =
                PersistenceLogger.start(
                        new LoggerConfiguration(
                                "logger",
                                List.of(server.address()),
                                8,
                                1000,
                                backendWaitMillis,
                                100));
        client = new LoggerClient(logger);
    }

    @Test
    void valuesArriveAsTheyAreOnTheMaster() throws Exception {
        open(1);
        append(
                1,
                2,
                Records.of(1, 1001, order(41, "{d a}", NOON)),
                Records.of(2, 1002, order(57, "{d a}", NOON)));
        assertThat(client.ask(new AwaitApplied(SHOP, 2))).isEqualTo(new LoggerReply.Position(2));
        assertThat(
                        server.query(
                                "SELECT CONCAT_WS('|', id, note, placed, stamped) FROM shop.orders"))
                .containsExactly(
                        "41|{d a}|2026-01-01 12:00:00.123456|2026-01-01 12:00:00.123456",
                        "57|{d a}|2026-01-01 12:00:00.123456|2026-01-01 12:00:00.123456");
        assertThat(client.ask(new Applied()))
                .isEqualTo(new LoggerReply.Positions(List.of(new ClassPosition(SHOP, 2))));
    }

    @Test
    void aBackendThatRefusesDatesOfZeroesByDefaultTakesThem() throws Exception {
        String before = server.query("SELECT @@GLOBAL.sql_mode").getFirst();
        server.execute(
                "SET GLOBAL sql_mode = CONCAT(@@GLOBAL.sql_mode, ',NO_ZERO_IN_DATE,NO_ZERO_DATE')");
        try {
            logger.close();
            start(BACKEND_WAIT_MILLIS); // the applier's connections begin with the mode
            open(1);
            append(1, 1, Records.of(1, 1001, order(1, "zero", SqlValue.of("2024-00-00"))));
            client.ask(new AwaitApplied(SHOP, 1));
            assertThat(server.query("SELECT placed FROM shop.orders"))
                    .containsExactly("2024-00-00 00:00:00");
        } finally {
            server.execute("SET GLOBAL sql_mode = '" + before + "'");
        }
    }

    @Test
    void onlyStableCommitsAreApplied() throws Exception {
        open(1);
        append(1, 1, add(1), add(2), add(3));
        client.ask(new AwaitApplied(SHOP, 1));
        assertThat(total()).isEqualTo(1);
        append(1, 3);
        client.ask(new AwaitApplied(SHOP, 3));
        assertThat(total()).isEqualTo(3);
    }

    @Test
    void anOlderMasterIsRefusedAndARepetitionIsNot() {
        open(4);
        assertThat(client.ask(new OpenClass(SHOP, 3))).isEqualTo(new LoggerReply.OldEpoch(4));
        assertThat(client.ask(new OpenClass(SHOP, 4))).isEqualTo(new LoggerReply.Position(0));
        assertThat(client.ask(new Append(SHOP, 3, 0, List.of(add(1)))))
                .isEqualTo(new LoggerReply.OldEpoch(4));
        assertThat(append(4, 0, add(1))).isEqualTo(new LoggerReply.Position(1));
        assertThat(client.ask(new OpenClass(SHOP, 5))).isEqualTo(new LoggerReply.Position(1));
        assertThat(append(4, 0, add(2))).isEqualTo(new LoggerReply.OldEpoch(5));
    }

    @Test
    void aGapIsRefusedAndARepetitionIsNot() throws Exception {
        open(1);
        assertThat(append(1, 0, add(2))).isInstanceOf(LoggerReply.Failed.class);
        assertThat(append(1, 0, add(1))).isEqualTo(new LoggerReply.Position(1));
        assertThat(append(1, 2, add(1), add(2))).isEqualTo(new LoggerReply.Position(2));
        client.ask(new AwaitApplied(SHOP, 2));
        assertThat(total()).isEqualTo(2);
    }

    @Test
    void aLoggerThatIsReplacedAgainAndAgainAppliesEverythingOnce() throws Exception {
        for (int round = 0; round < 5; round++) {
            open(round + 1);
            long first = round * 100L + 1;
            append(
                    round + 1,
                    first + 99,
                    LongStream.range(first, first + 100)
                            .mapToObj(
                                    n -> Records.of(n, n, order(n, "once", NOON), Records.total(n)))
                            .toArray(CommitRecord[]::new));
            PersistenceLogger old = logger;
            start(BACKEND_WAIT_MILLIS); // while the old one still applies
            old.close();
        }
        open(6);
        assertThat(client.ask(new AwaitApplied(SHOP, 500)))
                .isEqualTo(new LoggerReply.Position(500));
        assertThat(total()).isEqualTo(500);
        assertThat(server.query("SELECT COUNT(*) FROM shop.orders")).containsExactly("500");
    }

    /// Which a replica would tell of.
    @Test
    void aRowThatIsMissingOnTheBackendIsOwedAndWhatComesAfterIsApplied() throws Exception {
        open(1);
        append(
                1,
                3,
                add(1),
                Records.of(2, 1002, Records.update("total", 99, Map.of("amount", SqlValue.of(2)))),
                add(3));
        assertThat(client.ask(new AwaitApplied(SHOP, 3))).isEqualTo(new LoggerReply.Position(3));
        assertThat(total()).isEqualTo(3);
        assertThat(((LoggerReply.StatusReply) client.ask(new Status())).status().troubles())
                .singleElement()
                .asString()
                .contains("differs from the tier in 1 rows");
    }

    @Test
    void aRowThatIsThereAlreadyIsReplaced() throws Exception {
        open(1);
        append(
                1,
                3,
                add(1),
                Records.of(
                        2,
                        1002,
                        Records.insert(
                                "total", Map.of("id", SqlValue.of(1), "amount", SqlValue.of(5)))),
                Records.of(3, 1003, Records.delete("orders", 4)));
        assertThat(client.ask(new AwaitApplied(SHOP, 3))).isEqualTo(new LoggerReply.Position(3));
        assertThat(total()).isEqualTo(5);
        NodeStatus status = ((LoggerReply.StatusReply) client.ask(new Status())).status();
        assertThat(status.troubles()).isEmpty();
        assertThat(status.figures().stream().filter(f -> f.name().startsWith("backend.repaired.")))
                .singleElement()
                .matches(f -> f.value() == 2);
    }

    @Test
    void rowsFoundCountNotRowsChanged() throws Exception {
        open(1);
        append(1, 1, Records.total(1, 1001, 0));
        assertThat(client.ask(new AwaitApplied(SHOP, 1))).isEqualTo(new LoggerReply.Position(1));
    }

    @Test
    void aSnapshotIsTheStateAfterItsPositionsWhileCommitsGoOn() throws Exception {
        open(1);
        try (Writer writer = new Writer()) {
            for (int i = 0; i < 5; i++) {
                LoggerClient reader = new LoggerClient(logger);
                assertThat(reader.ask(new Snapshot())).isEqualTo(new LoggerReply.Done());
                List<SnapshotPart> parts = reader.snapshotParts();
                SnapshotPart.Schema schema = (SnapshotPart.Schema) parts.getFirst();
                assertThat(schema.schemas()).containsExactly("shop");
                assertThat(schema.tables())
                        .extracting(TableDefinition::name)
                        .containsExactly("orders", "total");
                SnapshotPart.Rows total = (SnapshotPart.Rows) parts.getLast();
                assertThat(new String(total.rows().getFirst().get(1), UTF_8))
                        .isEqualTo(Long.toString(schema.positions().getFirst().commitNumber()));
            }
            assertThat(writer.written()).isPositive();
        }
    }

    @Test
    void aComparisonShowsOneCommitHoweverOftenItIsReadWhileUpdatesGoOn() throws Exception {
        open(1);
        try (Writer writer = new Writer()) {
            for (long least = 10; least <= 50; least += 20) {
                LoggerClient reader = new LoggerClient(logger);
                LoggerReply.Positions shown =
                        (LoggerReply.Positions)
                                reader.ask(
                                        new OpenComparison(
                                                List.of(new ClassPosition(SHOP, least))));
                long at = shown.positions().getFirst().commitNumber();
                assertThat(at).isGreaterThanOrEqualTo(least);
                long expected = RowDigest.of(List.of(bytes("1"), bytes(Long.toString(at))));
                for (int pass = 0; pass < 2; pass++) {
                    assertThat(reader.ask(new Digests())).isEqualTo(new LoggerReply.Done());
                    assertThat(digests(reader))
                            .contains(new TableDigest(0, "shop", "total", 1, expected, false));
                    client.ask(new AwaitApplied(SHOP, at + 5));
                }
                logger.disconnected(reader.peer());
            }
            assertThat(writer.written()).isPositive();
        }
    }

    @Test
    void aComparisonEndsWithItsConnectionAndOnlySoManyAreOpen() throws Exception {
        open(1);
        List<LoggerClient> askers = new ArrayList<>();
        LoggerReply last;
        do {
            askers.add(new LoggerClient(logger));
            last = askers.getLast().ask(new OpenComparison(List.of()));
        } while (last instanceof LoggerReply.Positions);
        assertThat(last.toString()).contains("comparisons are under way");
        LoggerClient first = askers.getFirst();
        logger.disconnected(first.peer());
        assertThat(first.ask(new Digests()).toString()).contains("has opened no comparison");
        assertThat(askers.getLast().ask(new OpenComparison(List.of())))
                .isInstanceOf(LoggerReply.Positions.class);
        askers.forEach(asker -> logger.disconnected(asker.peer()));
    }

    /// It would show the table as the backend has it already, and replicas not yet.
    @Test
    @Timeout(60)
    void aComparisonLeavesOutATableWhoseSchemaChangeTakesLong() throws Exception {
        logger.close();
        start(200);
        open(1);
        LoggerClient changing = new LoggerClient(logger);
        try (Connection other = server.connect();
                Statement holding = other.createStatement()) {
            other.setAutoCommit(false);
            holding.executeQuery("SELECT * FROM shop.total").close();
            CompletableFuture<LoggerReply> change =
                    CompletableFuture.supplyAsync(
                            () ->
                                    changing.ask(
                                            schemaChange(
                                                    1, 1, "ALTER TABLE total ADD x INT DEFAULT 7")),
                            Thread::startVirtualThread);
            while (server.query(
                            "SELECT 1 FROM information_schema.PROCESSLIST WHERE INFO LIKE 'ALTER TABLE total%'")
                    .isEmpty()) {
                assertThat(change).isNotDone();
            }
            assertThat(client.ask(new OpenComparison(List.of())))
                    .isInstanceOf(LoggerReply.Positions.class);
            assertThat(client.ask(new Digests())).isEqualTo(new LoggerReply.Done());
            assertThat(digests(client)).contains(TableDigest.changed(0, "shop", "total"));
            other.rollback();
            assertThat(change.get()).isInstanceOf(LoggerReply.SchemaChanged.class);
        }
        assertThat(client.ask(new OpenComparison(List.of())))
                .isInstanceOf(LoggerReply.Positions.class);
        assertThat(client.ask(new Digests())).isEqualTo(new LoggerReply.Done());
        assertThat(digests(client)).noneMatch(TableDigest::changed);
    }

    @Test
    void rowDigestsNameEachRow() throws Exception {
        server.execute("INSERT INTO shop.total VALUES (2, 7), (3, 8)");
        open(1);
        client.ask(new OpenComparison(List.of()));
        assertThat(client.ask(new RowDigests(0, "shop", "total")))
                .isEqualTo(new LoggerReply.Done());
        assertThat(
                        client.parts().stream()
                                .flatMap(p -> new ByteReader(p).list(RowDigest::decode).stream()))
                .contains(new RowDigest("3", RowDigest.of(List.of(bytes("3"), bytes("8")))))
                .hasSize(3);
    }

    @Test
    void aSchemaChangeIsABarrierInTheCommitOrder() throws Exception {
        open(1);
        append(1, 1, add(1));
        LoggerReply created =
                client.ask(
                        schemaChange(
                                1, 2, "CREATE TABLE extra (id INT PRIMARY KEY, s VARCHAR(9))"));
        assertThat(created).isEqualTo(new LoggerReply.SchemaChanged(0, "", List.of(), 0, "", ""));
        assertThat(((SnapshotPart.Schema) client.snapshotParts().getFirst()).positions())
                .containsExactly(new ClassPosition(SHOP, 2));
        assertThat(client.snapshotParts())
                .contains(new SnapshotPart.Rows("shop", "extra", List.of()));
        append(
                1,
                3,
                Records.of(
                        3,
                        1003,
                        Records.insert(
                                "extra", Map.of("id", SqlValue.of(1), "s", SqlValue.of("a")))));
        assertThat(client.ask(schemaChange(1, 4, "ALTER TABLE extra ADD COLUMN n INT DEFAULT 5")))
                .isEqualTo(
                        new LoggerReply.SchemaChanged(
                                0, "Records: 0  Duplicates: 0  Warnings: 0", List.of(), 0, "", ""));
        SnapshotPart.Rows rows =
                client.snapshotParts().stream()
                        .filter(p -> p instanceof SnapshotPart.Rows r && r.table().equals("extra"))
                        .map(SnapshotPart.Rows.class::cast)
                        .findFirst()
                        .orElseThrow();
        assertThat(rows.rows().getFirst()).containsExactly(bytes("1"), bytes("a"), bytes("5"));
        assertThat(server.query("SELECT commit_number FROM quire.applied")).containsExactly("4");
    }

    @Test
    void tableIdsAreGivenOnceWhateverTheMasterKnows() throws Exception {
        open(1);
        int first = firstTableId(schemaChange(1, 1, "CREATE TABLE extra (id INT PRIMARY KEY)"));
        int second = firstTableId(schemaChange(1, 2, "CREATE TABLE more (id INT PRIMARY KEY)"));
        // Nothing is known to the asker, so that every table is sent, and may need an id.
        long tables =
                client.snapshotParts().stream().filter(SnapshotPart.Rows.class::isInstance).count();
        assertThat(second).isEqualTo(first + (int) tables - 1);
        int finished = firstTableId(new FinishSchemaChange(SHOP, 1, 2, List.of(), 1));
        assertThat(finished).isEqualTo(second + (int) tables);
        int asTheMasterKnows = firstTableId(new FinishSchemaChange(SHOP, 1, 2, List.of(), 1_000));
        assertThat(asTheMasterKnows).isEqualTo(1_000);
    }

    @Test
    void whatIsLoadedAnewGetsIdsThatNoTableHad() throws Exception {
        open(1);
        int first = firstOfSnapshot();
        int second = firstOfSnapshot();
        assertThat(second).isEqualTo(first + 2); // orders and total
        int changed = firstTableId(schemaChange(1, 1, "CREATE TABLE extra (id INT PRIMARY KEY)"));
        assertThat(changed).isGreaterThanOrEqualTo(second + 2);
        assertThat(firstOfSnapshot()).isGreaterThan(changed);

        int afterManyMore = 1 << 16;
        firstTableId(new FinishSchemaChange(SHOP, 1, 1, List.of(), afterManyMore));
        assertThat(firstOfSnapshot()).isGreaterThan(afterManyMore);
    }

    private int firstOfSnapshot() throws Exception {
        LoggerClient reader = new LoggerClient(logger);
        assertThat(reader.ask(new Snapshot())).isEqualTo(new LoggerReply.Done());
        return ((SnapshotPart.Schema) reader.snapshotParts().getFirst()).firstTableId();
    }

    private int firstTableId(LoggerRequest request) throws Exception {
        assertThat(client.ask(request))
                .isEqualTo(new LoggerReply.SchemaChanged(0, "", List.of(), 0, "", ""));
        return ((SnapshotPart.Schema) client.snapshotParts().getFirst()).firstTableId();
    }

    @Test
    void aSchemaChangeThatTheBackendRefusesLeavesNoTrace() throws Exception {
        open(1);
        LoggerReply reply = client.ask(schemaChange(1, 1, "CREATE TABLE total (id INT)"));
        assertThat(((LoggerReply.Failed) reply).number()).isEqualTo(1050);
        assertThat(append(1, 1, add(1))).isEqualTo(new LoggerReply.Position(1));
        assertThat(client.ask(new AwaitApplied(SHOP, 1))).isEqualTo(new LoggerReply.Position(1));
    }

    @Test
    void anExchangeOfAPartitionDoesNotWaitForItself() throws Exception {
        open(1);
        server.execute(
                "CREATE TABLE shop.parts (id INT PRIMARY KEY)"
                        + " PARTITION BY RANGE (id) (PARTITION p VALUES LESS THAN (10))");
        server.execute("CREATE TABLE shop.part (id INT PRIMARY KEY)");
        server.execute("INSERT INTO shop.part VALUES (7)");
        String sql = "ALTER TABLE parts EXCHANGE PARTITION p WITH TABLE part";
        assertThat(client.ask(schemaChange(1, 1, sql)))
                .isInstanceOf(LoggerReply.SchemaChanged.class);
        assertThat(server.query("SELECT id FROM shop.parts")).containsExactly("7");
    }

    /// As the tier's, whatever the server's is.
    @Test
    void aSchemaChangeIsOfTheTimeZoneOfTheTier() throws Exception {
        logger.close();
        server.execute("SET GLOBAL time_zone = '+05:00'");
        try {
            start(BACKEND_WAIT_MILLIS); // connections begin with it
            open(1);
            client.ask(
                    schemaChange(
                            1,
                            1,
                            "ALTER TABLE total ADD at TIMESTAMP DEFAULT '1970-01-02 00:00:00'"));
            assertThat(server.query("SELECT UNIX_TIMESTAMP(at) FROM shop.total"))
                    .containsExactly("86400");
        } finally {
            server.execute("SET GLOBAL time_zone = '+00:00'");
        }
    }

    @Test
    void aTableThatCannotBeReadKeepsNobodyFromTheOthers() throws Exception {
        open(1);
        List<String> tables = List.of("shop.orders");
        assertThat(client.ask(schemaChange(1, 1, "ALTER TABLE total DISCARD TABLESPACE")))
                .isInstanceOf(LoggerReply.SchemaChanged.class);
        assertThat(tablesOf(client)).isEqualTo(tables);
        LoggerClient reader = new LoggerClient(logger);
        assertThat(reader.ask(new Snapshot())).isEqualTo(new LoggerReply.Done());
        assertThat(tablesOf(reader)).isEqualTo(tables);
    }

    private static List<String> tablesOf(LoggerClient client) {
        return ((SnapshotPart.Schema) client.snapshotParts().getFirst())
                .tables().stream().map(t -> t.schema() + "." + t.name()).toList();
    }

    /// Everything has died after the record was logged, and before it was taken back.
    @Test
    void aSchemaChangeThatIsRefusedAfterEverythingDiedKeepsNobodyFromLoading() throws Exception {
        open(1);
        append(1, 0, add(1), schemaChange(1, 2, "CREATE TABLE total (id INT)").record());
        logger.close();
        start(BACKEND_WAIT_MILLIS);
        firstOfSnapshot();
        open(2);
        assertThat(append(2, 1, add(2))).isEqualTo(new LoggerReply.Position(2));
        append(2, 2, schemaChange(2, 3, "CREATE TABLE extra (id INT)").record());
        logger.close();
        start(BACKEND_WAIT_MILLIS);
        firstOfSnapshot();
        assertThat(server.query("SELECT * FROM shop.extra")).isEmpty();
        open(3);
        assertThat(append(3, 3, add(4))).isEqualTo(new LoggerReply.Position(4));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE extra (id INT)",
                "ALTER TABLE total ADD INDEX (amount)",
                "ALTER TABLE total CHANGE amount sum BIGINT NOT NULL",
                "RENAME TABLE total TO spare, twin TO total, spare TO twin",
                "RENAME TABLE total TO renamed",
                "TRUNCATE TABLE total",
                "DROP TABLE total, twin",
                "DROP TABLE total, missing",
                "CREATE DATABASE more",
            })
    void aSchemaChangeIsCarriedOutOnceHoweverOftenItIsBegun(String sql) throws Exception {
        server.execute("DROP TABLE IF EXISTS shop.twin, shop.extra, shop.renamed");
        server.execute("DROP DATABASE IF EXISTS more");
        server.execute("CREATE TABLE shop.twin LIKE shop.total");
        server.execute("INSERT INTO shop.twin VALUES (5, 5)");
        open(1);
        LoggerReply first = client.ask(schemaChange(1, 1, sql));
        List<String> after = server.query(SHAPE);
        if (first instanceof LoggerReply.SchemaChanged changed && changed.errorNumber() != 0) {
            assertThat(changed.errorNumber()).isEqualTo(1051);
        }
        for (int death = 0; death < 3; death++) {
            server.execute("UPDATE quire.applied SET commit_number = 0");
            LoggerReply again = client.ask(new FinishSchemaChange(SHOP, 1, 1, List.of(), 1));
            assertThat(again).isInstanceOf(LoggerReply.SchemaChanged.class);
            assertThat(server.query(SHAPE)).isEqualTo(after);
        }
        assertThat(server.query("SELECT commit_number FROM quire.applied")).containsExactly("1");
    }

    /// All updates wait for a schema change that is neither done nor refused.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET collation_connection = ucs2_general_ci",
                "SET collation_connection = utf16_bin",
                "SET character_set_client = latin1, character_set_results = NULL",
                "SET collation_connection = 9999",
                "SET sql_mode = 'ANSI,NO_BACKSLASH_ESCAPES,HIGH_NOT_PRECEDENCE'"
            })
    void whateverTheSessionsSettingsAreASchemaChangeEnds(String setting) throws Exception {
        open(1);
        LoggerReply refused = client.ask(schemaChange(1, 1, "CREATE TABLEu (id INT)", setting));
        assertThat(refused).isInstanceOf(LoggerReply.Failed.class);
        LoggerReply next = client.ask(schemaChange(1, 1, "CREATE TABLE u (id INT)", setting));
        assertThat(next)
                .isInstanceOf(
                        setting.contains("9999")
                                ? LoggerReply.Failed.class
                                : LoggerReply.SchemaChanged.class);
    }

    /// Its record is in the log: a failure told to the master would let the next commit have its
    /// number.
    @Test
    void aSchemaChangeThatLosesItsBackendIsAskedForAgain() throws Exception {
        logger.close();
        start(500);
        open(1);
        ChangeSchema change = schemaChange(1, 1, "ALTER TABLE total ADD COLUMN more INT");
        CompletableFuture<LoggerReply> answer;
        try (Connection reader = server.connect();
                Statement holder = reader.createStatement()) {
            reader.setAutoCommit(false);
            holder.executeQuery("SELECT * FROM shop.total").close();
            answer =
                    CompletableFuture.supplyAsync(
                            () -> client.ask(change), Thread::startVirtualThread);
            while (!answer.isDone()) {
                for (String id :
                        server.query(
                                "SELECT id FROM information_schema.PROCESSLIST WHERE info LIKE 'ALTER%'")) {
                    try {
                        server.execute("KILL CONNECTION " + id);
                    } catch (SQLException e) {
                        assertThat(e.getErrorCode()).as("it has ended").isEqualTo(1094);
                    }
                }
            }
            reader.rollback();
        }
        assertThat(answer.join()).isInstanceOf(LoggerReply.Away.class);
        assertThat(client.ask(change)).isInstanceOf(LoggerReply.SchemaChanged.class);
        assertThat(append(1, 1, add(2))).isEqualTo(new LoggerReply.Position(2));
        append(1, 2);
        client.ask(new AwaitApplied(SHOP, 2));
        assertThat(server.query("SELECT CONCAT_WS('|', amount, more IS NULL) FROM shop.total"))
                .containsExactly("2|1");
    }

    /// Were it told as refused, the backend would have a table that the tier has not.
    @Test
    void aSchemaChangeThatIsDoneAndCannotBeMarkedIsAskedForAgain() throws Exception {
        logger.close();
        start(500);
        open(1);
        ChangeSchema change = schemaChange(1, 1, "ALTER TABLE total ADD COLUMN more INT");
        String mark = "SELECT * FROM quire.applied WHERE class_name = 'shop' FOR UPDATE";
        server.execute("SET GLOBAL innodb_lock_wait_timeout = 1");
        try (Connection reader = server.connect();
                Statement holder = reader.createStatement();
                Connection other = server.connect();
                Statement marks = other.createStatement()) {
            reader.setAutoCommit(false);
            other.setAutoCommit(false);
            holder.executeQuery("SELECT * FROM shop.total").close();
            CompletableFuture<LoggerReply> answer =
                    CompletableFuture.supplyAsync(
                            () -> client.ask(change), Thread::startVirtualThread);
            while (server.query(
                            "SELECT id FROM information_schema.PROCESSLIST WHERE info LIKE 'ALTER%'")
                    .isEmpty()) {
                assertThat(answer).isNotDone();
            }
            marks.executeQuery(mark).close();
            reader.rollback(); // the ALTER goes on, what marks it does not
            assertThat(answer.join()).isInstanceOf(LoggerReply.Away.class);
            assertThat(server.query("SELECT COUNT(more) FROM shop.total")).containsExactly("0");
            assertThat(client.ask(change)).isInstanceOf(LoggerReply.Away.class);
            other.rollback();
        } finally {
            server.execute("SET GLOBAL innodb_lock_wait_timeout = DEFAULT");
        }
        assertThat(client.ask(change)).isInstanceOf(LoggerReply.SchemaChanged.class);
        append(1, 1, add(2));
        append(1, 2);
        assertThat(client.ask(new AwaitApplied(SHOP, 2))).isEqualTo(new LoggerReply.Position(2));
    }

    @Test
    void manyMastersShareATransactionOfTheLog() throws Exception {
        List<CompletableFuture<LoggerReply>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ConflictClass own = new ConflictClass("class" + i);
            client.ask(new OpenClass(own, 1));
        }
        double before = transactions();
        for (int i = 0; i < 20; i++) {
            ConflictClass own = new ConflictClass("class" + i);
            answers.add(
                    CompletableFuture.supplyAsync(
                            () ->
                                    new LoggerClient(logger)
                                            .ask(new Append(own, 1, 0, List.of(add(1)))),
                            Thread::startVirtualThread));
        }
        answers.forEach(answer -> assertThat(answer.join()).isEqualTo(new LoggerReply.Position(1)));
        assertThat(transactions() - before).isLessThan(20);
    }

    /// There may be as many as a shop has customers.
    @Test
    void classesOfWhichNothingIsHeardKeepNoConnections() throws Exception {
        int before = connections();
        List<ConflictClass> classes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ConflictClass own = new ConflictClass("quiet" + i);
            classes.add(own);
            client.ask(new OpenClass(own, 1));
            applies(own, 1);
        }
        assertThat(connections()).isGreaterThanOrEqualTo(before + classes.size());
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (connections() > before + 2) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.sleep(200);
        }
        for (ConflictClass own : classes) {
            applies(own, 2);
        }
    }

    private void applies(ConflictClass own, long number) {
        client.ask(new Append(own, 1, number, List.of(add(number))));
        assertThat(client.ask(new AwaitApplied(own, number)))
                .isEqualTo(new LoggerReply.Position(number));
    }

    private int connections() throws Exception {
        return server.query("SELECT id FROM information_schema.PROCESSLIST").size();
    }

    @Test
    void onlyWhatIsAddedToTheLogIsCounted() {
        open(1);
        double transactions = transactions();
        double commits = figure("appended_commits");
        append(1, 0, add(1));
        append(1, 1); // what is stable
        append(1, 1, add(2));
        append(1, 2);
        assertThat(transactions() - transactions).isEqualTo(2);
        assertThat(figure("appended_commits") - commits).isEqualTo(2);
        client.ask(schemaChange(1, 3, "CREATE TABLE extra (id INT)"));
        assertThat(figure("appended_commits") - commits).isEqualTo(3);
    }

    @Test
    void anOutcomeAskedForAfterManyMoreCommitsIsNotSaidToBeUncommitted() {
        open(1);
        for (int last = 0; last < 1_050; last += 50) {
            int from = last + 1;
            append(
                    1,
                    last,
                    IntStream.range(from, from + 50)
                            .mapToObj(PersistenceLoggerTest::add)
                            .toArray(CommitRecord[]::new));
            client.ask(new AwaitApplied(SHOP, last));
        }
        assertThat(client.ask(new FindTransaction(SHOP, 1001, 0)))
                .isNotEqualTo(new LoggerReply.Found(List.of()));
    }

    private static ChangeSchema schemaChange(
            long epoch, long commitNumber, String sql, String... settings) {
        return new ChangeSchema(
                SHOP,
                epoch,
                Records.schemaChange(commitNumber, sql, NOON_MICROS, settings),
                List.of(),
                1);
    }

    private double transactions() {
        return figure("log_transactions");
    }

    private double figure(String name) {
        return ((LoggerReply.StatusReply) client.ask(new Status())).status().figure(name);
    }

    private void open(long epoch) {
        assertThat(client.ask(new OpenClass(SHOP, epoch))).isInstanceOf(LoggerReply.Position.class);
    }

    private LoggerReply append(long epoch, long stable, CommitRecord... records) {
        return client.ask(new Append(SHOP, epoch, stable, List.of(records)));
    }

    private static CommitRecord add(long commitNumber) {
        return Records.total(commitNumber, 1000 + commitNumber, commitNumber);
    }

    private static RowChange order(long id, String note, SqlValue placed) {
        return Records.insert(
                "orders",
                Map.of(
                        "id",
                        SqlValue.of(id),
                        "note",
                        SqlValue.of(note),
                        "placed",
                        placed,
                        "stamped",
                        NOON));
    }

    private long total() throws Exception {
        return Long.parseLong(
                server.query("SELECT amount FROM shop.total WHERE id = 1").getFirst());
    }

    private static List<TableDigest> digests(LoggerClient reader) {
        return reader.parts().stream()
                .flatMap(part -> new ByteReader(part).list(TableDigest::decode).stream())
                .toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    /// A master of epoch 1 that commits until it is closed, each commit adding 1 to the total.
    private final class Writer implements AutoCloseable {
        private final AtomicBoolean closed = new AtomicBoolean();
        private final CompletableFuture<Void> done;
        private final LoggerClient master = new LoggerClient(logger);
        private volatile long written;

        Writer() {
            done = CompletableFuture.runAsync(this::write, Thread::startVirtualThread);
        }

        private void write() {
            while (!closed.get()) {
                CommitRecord record = add(written + 1);
                LoggerReply reply = master.ask(new Append(SHOP, 1, written, List.of(record)));
                assertThat(reply).isEqualTo(new LoggerReply.Position(written + 1));
                written =
                        reply instanceof LoggerReply.Position position
                                ? position.commitNumber()
                                : written;
            }
        }

        long written() {
            return written;
        }

        @Override
        public void close() {
            closed.set(true);
            done.join();
        }
    }
}
