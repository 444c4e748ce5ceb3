package org.quiredb.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.SchedulerReply;
import org.quiredb.common.message.SchedulerRequest;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.scheduler.replay.ReplayLimits;

/// Connector/J against a scheduler with stand-in replicas and a real backend.
@Tag("slow")
class EndpointTest {
    private static final String ITEM = "SELECT * FROM item";

    private final StandInReplica.Tier tier = new StandInReplica.Tier();
    private final StandInReplica master = new StandInReplica("m", "master", tier);
    private final StandInReplica first = new StandInReplica("s1", "slave", tier);
    private final StandInReplica second = new StandInReplica("s2", "slave", tier);
    private final StandInReplica spare = new StandInReplica("w", "spare", tier);
    private final StandInLogger logger = new StandInLogger();
    private Scheduler scheduler = start(100);

    @BeforeEach
    void serve() throws Exception {
        TestServer.get()
                .execute(
                        "CREATE DATABASE IF NOT EXISTS shop",
                        "CREATE DATABASE IF NOT EXISTS bank",
                        "CREATE TABLE IF NOT EXISTS shop.item (i INT)");
        await(() -> reads().keySet().containsAll(Set.of("m", "s1", "s2", "w")));
    }

    private java.util.Map<String, Double> reads() {
        java.util.Map<String, Double> reads = new java.util.HashMap<>();
        scheduler.status().figures().stream()
                .filter(f -> f.name().startsWith("reads."))
                .forEach(f -> reads.put(f.name().substring("reads.".length()), f.value()));
        return reads;
    }

    private Scheduler start(int maximumConnections) {
        return start("scheduler", maximumConnections);
    }

    private Scheduler start(String name, int maximumConnections) {
        try {
            return start(name, maximumConnections, TestServer.get().url());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private Scheduler start(String name, int maximumConnections, String backend) {
        return OpenScheduler.start(
                new SchedulerConfig(
                        name,
                        "127.0.0.1",
                        0,
                        0,
                        "quire",
                        "secret",
                        "11.4.5-MariaDB",
                        List.of(
                                master.address(),
                                first.address(),
                                second.address(),
                                spare.address()),
                        List.of(logger.address()),
                        List.of(backend),
                        "quire",
                        "quire",
                        maximumConnections,
                        4,
                        SchedulerConfig.DEFAULT_MAXIMUM_TAG,
                        ReplayLimits.DEFAULT));
    }

    @Test
    void aSecondSchedulerOfALivingNameIsRefusedAtItsStart() {
        assertThatThrownBy(() -> start(10))
                .hasMessageContaining("a scheduler named scheduler is alive at 127.0.0.1:")
                .hasMessageContaining("scheduler.name");
        scheduler.close();
        scheduler = start(10);
    }

    @Test
    void aDatabaseIsNotSaidToBeUnknownWhereTheBackendDoesNotTell() throws Exception {
        try (Relay relay = new Relay(TestServer.get().url());
                Scheduler other = start("away", 10, relay.url());
                Connection connection =
                        DriverManager.getConnection(
                                "jdbc:mysql://127.0.0.1:" + other.port() + "/shop",
                                "quire",
                                "secret");
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute("USE nowhere"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1049));
            relay.cut();
            assertThatThrownBy(() -> statement.execute("USE nowhere"))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e ->
                                    assertThat(e.getErrorCode())
                                            .isEqualTo(ErrorCode.TIER_UNAVAILABLE.number()));
        }
    }

    @AfterEach
    void stop() {
        scheduler.close();
        List.of(master, first, second, spare).forEach(StandInReplica::close);
        logger.close();
    }

    private static long inTenSeconds() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long deadline = inTenSeconds();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
            Thread.sleep(5);
        }
    }

    private Connection connect(String options) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + scheduler.port() + "/shop?" + options,
                "quire",
                "secret");
    }

    private static String one(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }

    private static int number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getInt(2);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "useServerPrepStmts=false",
                "useServerPrepStmts=true",
                "defaultAuthenticationPlugin=caching_sha2_password",
                "allowMultiQueries=true"
            })
    void aDriverConnectsReadsAndBinds(String options) throws SQLException {
        try (Connection connection = connect(options);
                PreparedStatement statement =
                        connection.prepareStatement(ITEM + " WHERE i = ? AND j = ?")) {
            assertThat(one(connection, ITEM)).isIn("s1", "s2");
            statement.setInt(1, 7);
            statement.setString(2, "it's");
            try (ResultSet rows = statement.executeQuery()) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString(3) + rows.getString(4)).contains("7").contains("it");
            }
        }
    }

    private static final String SHORT = ITEM + " WHERE i = ?";

    private void readShort(Predicate<ReplicaRequest.Read> shortReads) {
        List.of(master, first, second, spare).forEach(r -> r.shortReads = shortReads);
    }

    private List<String> readers() {
        return Stream.of(master, first, second, spare).flatMap(r -> r.readers.stream()).toList();
    }

    private long readOnLoops() {
        return readers().stream().filter(name -> name.startsWith("mysql")).count();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "useServerPrepStmts=false&sslMode=DISABLED",
                "useServerPrepStmts=true&sslMode=DISABLED"
            })
    void aShortReadIsAnsweredByTheEventLoopThatReadIt(String options) throws SQLException {
        readShort(read -> read.call().sql().startsWith(SHORT));
        try (Connection connection = connect(options);
                PreparedStatement statement = connection.prepareStatement(SHORT)) {
            int reads = 0;
            // The session's thread classifies the first, and it may not be back when the next
            // comes.
            for (long end = inTenSeconds(); readOnLoops() < 10 || reads < 50; reads++) {
                assertThat(System.nanoTime()).as("deadline").isLessThan(end);
                statement.setInt(1, reads);
                try (ResultSet rows = statement.executeQuery()) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getString(4)).contains(String.valueOf(reads));
                    assertThat(rows.next()).isFalse();
                }
                assertThat(one(connection, "SELECT many FROM item")).isNotEmpty();
            }
            assertThat(readOnLoops()).isLessThanOrEqualTo(reads);
        }
    }

    @Test
    void whatIsPreparedNamesTablesOfTheDatabaseThatWasTheCurrentOneThen() throws SQLException {
        readShort(read -> true);
        try (Connection connection = connect("useServerPrepStmts=true&sslMode=DISABLED");
                Statement statement = connection.createStatement();
                PreparedStatement read = connection.prepareStatement(SHORT);
                PreparedStatement update =
                        connection.prepareStatement("UPDATE item SET a = ? WHERE i = 1")) {
            statement.execute("PREPARE named FROM 'SELECT * FROM item WHERE i = 2'");
            statement.execute("USE bank");
            read.setInt(1, 7);
            update.setInt(1, 7);
            for (int i = 0; i < 20; i++) {
                read.executeQuery().close();
                update.executeUpdate();
                statement.execute("EXECUTE named");
            }
            assertThat(one(connection, "SELECT * FROM account")).isNotEmpty();
        }
        List<StatementCall> calls =
                Stream.of(master, first, second, spare)
                        .flatMap(r -> r.requests.stream())
                        .flatMap(request ->
                                switch (request) {
                                    case ReplicaRequest.Read asked -> Stream.of(asked.call());
                                    case ReplicaRequest.Update asked -> Stream.of(asked.call());
                                    default -> Stream.empty();
                                })
                        .toList();
        assertThat(calls).hasSize(61);
        assertThat(calls)
                .allMatch(call ->
                        call.database().equals(call.sql().contains("item") ? "shop" : "bank"));
    }

    @Test
    void aClientThatAsksWhetherTheServerIsThereIsNotSilent() throws Exception {
        try (Connection connection = connect("sslMode=DISABLED");
                Statement statement = connection.createStatement()) {
            statement.execute("SET wait_timeout = 1");
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(3)) {
                assertThat(connection.isValid(10)).isTrue();
                Thread.sleep(100);
            }
        }
    }

    @Test
    void whatIsRefusedOnTheEventLoopIsAskedForAsEver() throws SQLException {
        readShort(read -> true);
        List.of(master, first, second, spare)
                .forEach(r ->
                        r.instead =
                                request ->
                                        request instanceof ReplicaRequest.Read
                                                        && Thread.currentThread()
                                                                .getName()
                                                                .startsWith("mysql")
                                                ? Optional.of(
                                                        new ReplicaReply.Failed(
                                                                1690, "22003", "no", false, 0))
                                                : Optional.empty());
        try (Connection connection = connect("sslMode=DISABLED")) {
            // Each is answered by the session's thread, which may not be back when the next comes.
            for (long end = inTenSeconds(); readOnLoops() == 0; ) {
                assertThat(System.nanoTime()).as("deadline").isLessThan(end);
                assertThat(one(connection, ITEM)).isIn("s1", "s2", "w");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"BEGIN", "START TRANSACTION READ ONLY"})
    void shortReadsOfATransactionAreOfOneStateOnTheEventLoopToo(String begin) throws Exception {
        readShort(read -> true);
        try (Connection connection = connect("sslMode=DISABLED");
                Connection other = connect("sslMode=DISABLED");
                Statement statement = connection.createStatement()) {
            long end = inTenSeconds();
            for (int rounds = 0; readOnLoops() < 20; rounds++) {
                assertThat(System.nanoTime()).as("deadline").isLessThan(end);
                statement.execute(begin);
                int tag = number(connection, ITEM);
                assertThat(tag).isEqualTo(rounds);
                String replica = one(connection, ITEM);
                other.createStatement().executeUpdate("UPDATE item SET a = 1");
                for (int i = 0; i < 3; i++) {
                    assertThat(one(connection, ITEM)).isEqualTo(replica);
                    assertThat(number(connection, ITEM)).isEqualTo(tag);
                }
                statement.execute(rounds % 2 == 0 ? "COMMIT" : "ROLLBACK");
                assertThat(number(connection, ITEM)).isEqualTo(tag + 1);
            }
        }
        await(() -> scheduler.status().figure("tags.used") == 0);
    }

    /// Of an account of the backend's, as whose rights are on tables by their names there.
    @Test
    void noEventLoopWaitsForACatalogueThatIsOutdated() throws Exception {
        TestServer.get()
                .execute(
                        "CREATE OR REPLACE USER reader@'%' IDENTIFIED BY 'secret'",
                        "GRANT SELECT ON shop.* TO reader@'%'");
        readShort(read -> true);
        int loops = Math.max(2, Runtime.getRuntime().availableProcessors());
        List<Connection> connections = new ArrayList<>();
        try {
            for (int i = 0; i < 2 * loops; i++) { // the loops take them by turns
                Connection connection =
                        DriverManager.getConnection(
                                "jdbc:mysql://127.0.0.1:"
                                        + scheduler.port()
                                        + "/shop?sslMode=DISABLED",
                                "reader",
                                "secret");
                connections.add(connection);
                assertThat(one(connection, ITEM)).isNotEmpty();
            }
            CountDownLatch asked = new CountDownLatch(1);
            List.of(master, first, second, spare)
                    .forEach(r ->
                            r.instead =
                                    request ->
                                            switch (request) {
                                                case ReplicaRequest.Catalogue _ -> {
                                                    asked.countDown();
                                                    awaitOpen(r);
                                                    yield Optional.empty();
                                                }
                                                default -> Optional.empty();
                                            });
            master.catalogueVersion = 2;
            assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
            List<CompletableFuture<String>> reads =
                    connections.subList(0, loops).stream()
                            .map(connection ->
                                    CompletableFuture.supplyAsync(
                                            () -> {
                                                try {
                                                    return one(connection, ITEM);
                                                } catch (SQLException e) {
                                                    throw new IllegalStateException(e);
                                                }
                                            },
                                            Thread::startVirtualThread))
                            .toList();
            for (Connection other : connections.subList(loops, 2 * loops)) {
                assertThat(other.isValid(5)).isTrue();
            }
            assertThat(reads).noneMatch(CompletableFuture::isDone);
            goOn.countDown();
            for (CompletableFuture<String> read : reads) {
                assertThat(read.get(10, TimeUnit.SECONDS)).isNotEmpty();
            }
        } finally {
            goOn.countDown();
            for (Connection connection : connections) {
                connection.close();
            }
            TestServer.get().execute("DROP USER reader@'%'");
        }
    }

    @Test
    void aReadThatWaitsHoldsUpNoShortOneOfAnotherClient() throws Exception {
        readShort(read -> read.call().sql().startsWith(SHORT));
        CountDownLatch release = new CountDownLatch(1);
        List.of(first, second, spare)
                .forEach(r ->
                        r.instead =
                                request -> {
                                    if (request instanceof ReplicaRequest.Read read
                                            && read.call().sql().contains("slow")) {
                                        release.countDown();
                                        awaitOpen(r);
                                    }
                                    return Optional.empty();
                                });
        try (Connection slow = connect("sslMode=DISABLED");
                Connection other = connect("sslMode=DISABLED")) {
            CompletableFuture<String> waiting =
                    CompletableFuture.supplyAsync(() -> {
                        try {
                            return one(slow, "SELECT slow FROM item");
                        } catch (SQLException e) {
                            throw new IllegalStateException(e);
                        }
                    });
            assertThat(release.await(10, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 50; i++) {
                assertThat(one(other, ITEM + " WHERE i = " + i)).isIn("s1", "s2", "w");
            }
            assertThat(waiting).isNotDone();
            goOn.countDown();
            assertThat(waiting.get(10, TimeUnit.SECONDS)).isNotEmpty();
        }
    }

    @Test
    void aReplicaThatEndsUnderAReadOfItsOwnProcessIsAsGoneAsAnyOther() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<StandInReplica> asked = new CompletableFuture<>();
        List.of(first, second)
                .forEach(r ->
                        r.instead =
                                request -> {
                                    if (request instanceof ReplicaRequest.Read
                                            && asked.complete(r)) {
                                        begun.countDown();
                                        awaitOpen(r);
                                    }
                                    return Optional.empty();
                                });
        try (Connection connection = connect("sslMode=DISABLED")) {
            CompletableFuture<String> read =
                    CompletableFuture.supplyAsync(() -> {
                        try {
                            return one(connection, ITEM);
                        } catch (SQLException e) {
                            throw new IllegalStateException(e);
                        }
                    });
            assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
            asked.join().die();
            assertThat(read.get(10, TimeUnit.SECONDS))
                    .isEqualTo(asked.join() == first ? "s2" : "s1");
        } finally {
            goOn.countDown();
        }
    }

    private final CountDownLatch goOn = new CountDownLatch(1);

    /// As a replica waits: until nobody wants its answer any more.
    private void awaitOpen(StandInReplica who) {
        try {
            boolean opened =
                    StopSignal.current().whileWaiting(() -> goOn.await(10, TimeUnit.SECONDS));
            assertThat(opened).as(who.address().toString()).isTrue();
        } catch (QuireException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void largeResultsArriveWhole() throws SQLException {
        try (Connection connection = connect("");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT many FROM item")) {
            int count = 0;
            while (rows.next()) {
                count++;
            }
            assertThat(count).isEqualTo(5_000);
        }
    }

    @Test
    void readsGoToSlavesOnlyAndTakeTurns() throws SQLException {
        Set<String> seen = new HashSet<>();
        try (Connection connection = connect("")) {
            for (int i = 0; i < 20; i++) {
                seen.add(one(connection, ITEM));
            }
        }
        assertThat(seen).containsExactlyInAnyOrder("s1", "s2");
    }

    @Test
    void aReadSeesEveryCommitThatWasAnsweredBefore() throws SQLException {
        try (Connection connection = connect("");
                Connection other = connect("");
                Statement statement = connection.createStatement()) {
            for (int i = 1; i <= 20; i++) {
                assertThat(
                                statement.executeUpdate(
                                        "INSERT INTO item VALUES (1)",
                                        Statement.RETURN_GENERATED_KEYS))
                        .isEqualTo(1);
                assertThat(number(other, ITEM)).isEqualTo(i);
            }
            try (ResultSet keys = statement.getGeneratedKeys()) {
                keys.next();
                assertThat(keys.getLong(1)).isEqualTo(42);
            }
            assertThat(one(connection, "SELECT LAST_INSERT_ID()")).isEqualTo("42");
        }
    }

    @Test
    void aReadOnlyTransactionKeepsItsTagAndReplica() throws SQLException {
        try (Connection connection = connect("");
                Connection other = connect("")) {
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            String replica = one(connection, ITEM);
            int tag = number(connection, ITEM);
            other.createStatement().executeUpdate("UPDATE item SET a = 1");
            for (int i = 0; i < 6; i++) {
                assertThat(one(connection, ITEM)).isEqualTo(replica);
                assertThat(number(connection, ITEM)).isEqualTo(tag);
            }
            connection.commit();
            assertThat(number(connection, ITEM)).isEqualTo(tag + 1);
            connection.rollback();
        }
    }

    @Test
    void anUpdateTransactionStaysOnTheMasterUntilItEnds() throws Exception {
        try (Connection connection = connect("")) {
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            connection.setAutoCommit(false);
            assertThat(one(connection, ITEM)).isEqualTo("m");
            connection.createStatement().executeUpdate("UPDATE item SET a = 1");
            assertThat(master.openTransactions()).isEqualTo(1);
            connection.commit();
            assertThat(master.openTransactions()).isZero();
            connection.createStatement().executeUpdate("UPDATE item SET a = 2");
        }
        await(() -> master.openTransactions() == 0);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ})
    void anUpdateTransactionReadsOnSlavesUntilItHasChangedSomething(int level) throws Exception {
        try (Connection connection = connect("")) {
            connection.setTransactionIsolation(level);
            connection.setAutoCommit(false);
            assertThat(one(connection, ITEM)).isIn("s1", "s2");
            assertThat(master.openTransactions()).isZero();
            connection.createStatement().executeUpdate("UPDATE item SET a = 1");
            assertThat(one(connection, ITEM)).isEqualTo("m");
            assertThat(one(connection, ITEM + " FOR UPDATE")).isEqualTo("m");
            connection.commit();
            assertThat(one(connection, ITEM)).isIn("s1", "s2");
        }
    }

    @Test
    void errorsKeepTheirNumbers() throws SQLException {
        try (Connection connection = connect("");
                Statement statement = connection.createStatement()) {
            assertError(
                    () -> statement.executeUpdate("INSERT INTO item VALUES ('duplicate')"), 1062);
            assertError(() -> statement.executeQuery("SELECT * FROM nothing"), 1146);
            assertError(() -> statement.execute("SELEC 1"), 1064);
            assertError(() -> statement.executeQuery("SELECT * FORM x"), 1064);
            assertError(() -> statement.execute("USE nowhere"), 1049);
            assertError(() -> statement.execute("SET no_such_variable = 1"), 1193);
            assertError(
                    () -> statement.executeUpdate("UPDATE item, bank.account SET item.a = 1"),
                    1235);
            statement.execute("START TRANSACTION READ ONLY");
            assertError(() -> statement.executeUpdate("UPDATE item SET a = 1"), 1792);
            assertError(() -> statement.executeQuery(ITEM + " FOR UPDATE"), 1792);
            statement.execute("ROLLBACK");
            assertThat(one(connection, ITEM)).isIn("s1", "s2");
        }
    }

    @Test
    void whatIsSetForTheNextTransactionIsUsedUpByAStatementOfItsOwn() throws SQLException {
        readShort(read -> true);
        try (Connection connection = connect("sslMode=DISABLED");
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < 5; i++) { // at first no read is known to be short
                statement.execute("SET TRANSACTION READ ONLY");
                assertThat(one(connection, ITEM)).isNotEmpty();
                statement.executeUpdate("UPDATE item SET a = 1");
                statement.execute("SET TRANSACTION READ ONLY");
                assertThat(one(connection, ITEM + " LOCK IN SHARE MODE")).isNotEmpty();
                statement.executeUpdate("UPDATE item SET a = 1");
                statement.execute("BEGIN");
                assertError(() -> statement.execute("SET TRANSACTION READ ONLY"), 1568);
                statement.execute("COMMIT");
                statement.executeUpdate("UPDATE item SET a = 1");
            }
        }
    }

    private static void assertError(
            org.assertj.core.api.ThrowableAssert.ThrowingCallable action, Integer... numbers) {
        assertThatThrownBy(action)
                .isInstanceOfSatisfying(
                        SQLException.class,
                        e ->
                                assertThat(e.getErrorCode())
                                        .as(e.getMessage())
                                        .isIn((Object[]) numbers));
    }

    @Test
    void aWrongPasswordOrDatabaseOrTooManyConnectionsAreRefused() throws Exception {
        String url = "jdbc:mysql://127.0.0.1:" + scheduler.port() + "/";
        assertError(() -> DriverManager.getConnection(url, "quire", "wrong"), 1045);
        assertError(() -> DriverManager.getConnection(url, "other", "secret"), 1045);
        assertError(() -> DriverManager.getConnection(url + "nowhere", "quire", "secret"), 1049);
        try (Scheduler small = start("another", 1);
                Connection only =
                        DriverManager.getConnection(
                                "jdbc:mysql://127.0.0.1:" + small.port() + "/shop",
                                "quire",
                                "secret")) {
            assertThat(only.isValid(1)).isTrue();
            assertError(
                    () ->
                            DriverManager.getConnection(
                                    "jdbc:mysql://127.0.0.1:" + small.port() + "/shop",
                                    "quire",
                                    "secret"),
                    1040);
        }
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '^',
            textBlock =
                    """
                    '+00:00', +00:00
                    '-00:00', +00:00
                    SYSTEM, SYSTEM
                    DEFAULT, SYSTEM
                    @OLD_TIME_ZONE, SYSTEM
                    """)
    void theTimeZoneOfASessionIsTheBackends(String zone, String shown) throws SQLException {
        try (Connection connection = connect("");
                Statement statement = connection.createStatement()) {
            statement.execute("SET @OLD_TIME_ZONE = @@time_zone");
            statement.execute("SET SESSION time_zone = " + zone);
            assertThat(one(connection, "SELECT @@session.time_zone")).isEqualTo(shown);
        }
    }

    @Test
    void aSessionThatSetsNoneHasTheTimeZoneOfTheBackend() throws Exception {
        TestServer.get().execute("SET GLOBAL time_zone = '+05:00'");
        try (Scheduler other = start("zoned", 10);
                Connection connection =
                        DriverManager.getConnection(
                                "jdbc:mysql://127.0.0.1:" + other.port() + "/shop",
                                "quire",
                                "secret");
                Statement statement = connection.createStatement()) {
            String now = "SELECT YEAR(NOW()) FROM item";
            double before = other.status().figure("fallback.statements");
            statement.executeQuery(now).close();
            assertThat(other.status().figure("fallback.statements")).isEqualTo(before + 1);
            statement.execute("SET time_zone = '+00:00'");
            statement.executeQuery(now).close();
            statement.executeQuery("SELECT i FROM item").close();
            assertThat(other.status().figure("fallback.statements")).isEqualTo(before + 1);
        } finally {
            TestServer.get().execute("SET GLOBAL time_zone = SYSTEM");
        }
    }

    @Test
    void anotherTimeZoneIsTheBackends() throws SQLException {
        try (Connection connection = connect("");
                Statement statement = connection.createStatement()) {
            statement.execute("SET time_zone = '+03:00'");
            assertThat(one(connection, "SELECT @@time_zone")).isEqualTo("+03:00");
            assertThat(one(connection, "SELECT TIMESTAMPDIFF(HOUR, UTC_TIMESTAMP(), NOW())"))
                    .isEqualTo("3");
            assertError(() -> statement.execute("SET @@time_zone = 'Nowhere'"), 1298);
            assertThat(one(connection, "SELECT @@time_zone")).isEqualTo("+03:00");
        }
    }

    @Test
    void killEndsAClientOfAnotherScheduler() throws Exception {
        try (Scheduler other = start("beside", 10);
                Connection killer = connect("");
                Statement kill = killer.createStatement()) {
            await(other::open);
            try (Connection killed =
                            DriverManager.getConnection(
                                    "jdbc:mysql://127.0.0.1:" + other.port() + "/shop",
                                    "quire",
                                    "secret");
                    Statement statement = killed.createStatement()) {
                String id = one(killed, "SELECT CONNECTION_ID()");
                CompletableFuture<SQLException> error = new CompletableFuture<>();
                Thread sleeper =
                        Thread.ofVirtual()
                                .start(() -> {
                                    try {
                                        statement.execute("SELECT SLEEP(100)");
                                    } catch (SQLException e) {
                                        error.complete(e);
                                    }
                                });
                await(() -> sleeps(killer));
                kill.execute("KILL QUERY " + id);
                assertThat(error.get(10, TimeUnit.SECONDS).getErrorCode()).isEqualTo(1317);
                sleeper.join();

                kill.execute("KILL " + id);
                await(() -> !isAlive(killed));
                // its socket is closed before it leaves the other scheduler's list
                await(() -> error(kill, "KILL " + id) == 1094);
            }
            assertError(() -> kill.execute("KILL 4000000000"), 1094);
        }
    }

    private static int error(Statement statement, String sql) {
        try {
            statement.execute(sql);
            return 0;
        } catch (SQLException e) {
            return e.getErrorCode();
        }
    }

    private static boolean isAlive(Connection connection) {
        try {
            return connection.isValid(5);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean sleeps(Connection connection) {
        try {
            return !one(
                            connection,
                            "SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE"
                                    + " 'SELECT SLEEP(100%'")
                    .equals("0");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatOneConnectionHasAskedOfSettingsTheNextIsToldWithoutTheBackend() throws Exception {
        try (Relay relay = new Relay(TestServer.get().url());
                Scheduler other = start("page", 10, relay.url())) {
            List<String> told = page(other);
            relay.cut();

            assertThat(page(other)).isEqualTo(told);
            assertThat(told)
                    .contains("NO_AUTO_VALUE_ON_ZERO,STRICT_ALL_TABLES", "4711", "shop")
                    .doesNotContain("4712");
        }
    }

    /// What applications ask for before they begin, the driver's own questions beside it.
    private static List<String> page(Scheduler scheduler) throws SQLException {
        List<String> told = new ArrayList<>();
        try (Connection connection =
                        DriverManager.getConnection(
                                "jdbc:mysql://127.0.0.1:"
                                        + scheduler.port()
                                        + "/shop?useServerPrepStmts=true",
                                "quire",
                                "secret");
                Statement statement = connection.createStatement()) {
            statement.execute("SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci");
            statement.execute("SET SESSION sql_mode = 'STRICT_ALL_TABLES'");
            statement.execute("SET sql_mode = CONCAT(@@sql_mode, ',NO_AUTO_VALUE_ON_ZERO')");
            statement.execute("SET group_concat_max_len = 4711, innodb_lock_wait_timeout = 7");
            for (String asked :
                    List.of(
                            "SELECT @@SESSION.sql_mode",
                            "SELECT @@group_concat_max_len",
                            "SELECT VERSION()",
                            "SELECT DATABASE()",
                            "SELECT @@collation_connection c")) {
                told.add(one(connection, asked));
                try (var prepared = connection.prepareStatement(asked + " LIMIT 1");
                        ResultSet row = prepared.executeQuery()) {
                    row.next();
                    told.add(row.getString(1));
                }
            }
        }
        return told;
    }

    @Test
    void whatTheSessionHasSetHoldsOnTheBackend() throws SQLException {
        try (Connection connection = connect("");
                Statement statement = connection.createStatement()) {
            statement.execute("SET @mine = 5, lc_time_names = 'de_DE'");
            assertThat(one(connection, "SELECT @mine + 1")).isEqualTo("6");
            assertThat(one(connection, "SELECT @@session.lc_time_names")).isEqualTo("de_DE");
            connection.setAutoCommit(false);
            assertThat(one(connection, "SELECT @@session.autocommit")).isEqualTo("0");
            connection.setAutoCommit(true);
            connection.setReadOnly(true);
            assertThat(one(connection, "SELECT @@session.transaction_read_only")).isEqualTo("1");
            connection.setReadOnly(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            assertThat(one(connection, "SELECT DATABASE()")).isEqualTo("shop");
            assertThat(one(connection, "SHOW TABLES")).isEqualTo("item");
            assertThat(scheduler.status().figure("fallback.statements")).isPositive();
        }
    }

    @Test
    void functionsThatDifferRunOnTheBackendInTextAndBinary() throws SQLException {
        try (Connection connection = connect("useServerPrepStmts=true");
                PreparedStatement statement =
                        connection.prepareStatement(
                                "SELECT CAST(? AS DATETIME), 7 / 2, CAST('1:02:03' AS TIME), NULL,"
                                        + " 'é'")) {
            statement.setString(1, "2024-02-29 12:34:56");
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                assertThat(rows.getString(1)).isEqualTo("2024-02-29 12:34:56");
                assertThat(rows.getBigDecimal(2)).isEqualByComparingTo("3.5");
                assertThat(rows.getString(3)).isEqualTo("01:02:03");
                assertThat(rows.getString(4)).isNull();
                assertThat(rows.getString(5)).isEqualTo("é");
            }
        }
    }

    @Test
    void readsGoOnWhenAReplicaDiesAndComesBack() throws Exception {
        try (Connection connection = connect("")) {
            InetSocketAddress address = first.address();
            first.die();
            for (int i = 0; i < 10; i++) {
                assertThat(one(connection, ITEM)).isEqualTo("s2");
            }
            first.comeBack(address);
            second.die(); // else it may be preferred for ever
            await(() -> {
                try {
                    return one(connection, ITEM).equals("s1");
                } catch (SQLException e) {
                    return false; // it is not there yet
                }
            });
        }
    }

    @Test
    void aReadWaitsForAReplicaWhereNoneServes() throws Exception {
        try (Connection connection = connect("");
                ExecutorService client = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(one(connection, ITEM)).isIn("s1", "s2");
            InetSocketAddress address = first.address();
            for (StandInReplica replica : List.of(master, first, second, spare)) {
                replica.die();
            }
            Future<String> read = client.submit(() -> one(connection, ITEM));
            assertThatThrownBy(() -> read.get(1, TimeUnit.SECONDS))
                    .isInstanceOf(TimeoutException.class);
            first.comeBack(address);
            assertThat(read.get(10, TimeUnit.SECONDS)).isEqualTo("s1");
        }
    }

    /// A short result is all there when the first of it is, but for the word that it is.
    @Test
    void aReadWhoseReplicaFailsBeforeTheEndOfAShortResultGoesOnElsewhere() throws Exception {
        first.rowsSent =
                () -> {
                    throw new IllegalStateException("it ends");
                };
        try (Connection connection = connect("")) {
            for (int i = 0; i < 10; i++) {
                assertThat(one(connection, ITEM)).isEqualTo("s2");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"NOT_RECEIVED", "VERSION_RECLAIMED", "NOT_SERVING"})
    void aReadThatIsRefusedRunsElsewhere(String reason) throws SQLException {
        first.refusal = Reason.valueOf(reason);
        try (Connection connection = connect("")) {
            for (int i = 0; i < 6; i++) {
                assertThat(one(connection, ITEM)).isEqualTo("s2");
            }
        }
        assertThat(scheduler.status().figure("version.conflicts")).isZero();
    }

    @Test
    void aPinHoldsTheLowWatermark() throws Exception {
        try (RpcClient operator =
                        RpcClient.connect(
                                new InetSocketAddress(
                                        InetAddress.getLoopbackAddress(), scheduler.statusPort()),
                                Duration.ofSeconds(5));
                Connection connection = connect("");
                Statement statement = connection.createStatement()) {
            SchedulerReply.Pinned pin =
                    (SchedulerReply.Pinned)
                            SchedulerReply.decode(
                                    operator.callForEnd(
                                            new SchedulerRequest.Pin().encode(),
                                            Duration.ofSeconds(30)));
            statement.executeUpdate("UPDATE item SET a = 1");
            statement.executeUpdate("UPDATE item SET a = 1");
            ReplicaRequest last = master.requests.getLast();
            assertThat(pin.tag().covers(((ReplicaRequest.Update) last).lowWatermark())).isTrue();
            assertThat(scheduler.status().vector().get(1)).isEqualTo(pin.tag().get(1) + 2);
        }
    }

    @Test
    void severalStatementsInOneCommandAnswerInOrder() throws SQLException {
        try (Connection connection = connect("allowMultiQueries=true");
                Statement statement = connection.createStatement()) {
            assertThat(
                            statement.execute(
                                    "SELECT 1; INSERT INTO item VALUES (';'); SELECT * FROM item;"))
                    .isTrue();
            assertThat(statement.getMoreResults()).isFalse();
            assertThat(statement.getUpdateCount()).isEqualTo(1);
            assertThat(statement.getMoreResults()).isTrue();
            assertThat(statement.getResultSet().next()).isTrue();
        }
    }
}
