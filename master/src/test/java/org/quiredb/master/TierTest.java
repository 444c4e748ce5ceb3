package org.quiredb.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.quiredb.master.Await.await;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.rpc.RpcCall;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.rpc.RpcReceiver;
import org.quiredb.common.topology.Member;
import org.quiredb.common.version.ClassPatterns;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.NodeConfiguration;
import org.quiredb.replica.VersionSettings;
import org.quiredb.replica.warm.Warmup;
import org.quiredb.sql.KeptReadings;
import org.quiredb.sql.command.SchemaStatement;
import org.quiredb.sql.text.Tokens;

/// A master and two slaves over real sockets and a real group; only SQL and the persistence logger
/// are stand-ins.
@Tag("slow")
final class TierTest {
    private static final int DROPPED_TABLES = 40;
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final long KEYS = 200;

    private final MemoryLogger logger = new MemoryLogger();
    private final TestGroup groups = new TestGroup();
    private final List<TierNode> slaves = new ArrayList<>();
    private final List<RpcClient> clients = new ArrayList<>();
    private @Nullable TierNode master;

    @BeforeEach
    void start() {
        List<List<byte @Nullable []>> rows = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) {
            rows.add(List.of(text(key), text(100)));
        }
        logger.createTable("bank", "account", rows);
        logger.createTable("shop", "item", List.of());
        master =
                TierNode.start(
                        configuration("m1", NodeConfiguration.Role.MASTER, BankTier.CLASSES),
                        KeyValueEngine::new,
                        groups::join,
                        MasterService.Settings.DEFAULT);
        connect(master().rpcPort());
    }

    @AfterEach
    void stop() {
        clients.forEach(RpcClient::close);
        slaves.forEach(TierNode::close);
        if (master != null) {
            master.close();
        }
        logger.close();
    }

    @Test
    void aCommitOnTheMasterIsSeenOnEverySlaveAtItsTag() {
        startSlave("s1");
        startSlave("s2");
        for (int i = 1; i <= 20; i++) {
            VersionVector tag = committed(autocommit("add bank.account 7 1"));
            assertThat(sum(0, tag)).isEqualTo(KEYS * 100 + i);
            assertThat(sum(1, tag)).isEqualTo(KEYS * 100 + i);
        }
        assertThat(logger.records("bank")).hasSize(20);
        await(() -> logger.stable("bank") == 20);
        assertThat(status(master().rpcPort()).figure("replicas.insync")).isEqualTo(2);
    }

    @Test
    void aTagStaysWhatItWasWhileUpdatesGoOn() {
        startSlave("s1");
        VersionVector before = committed(autocommit("add bank.account 1 5"));
        VersionVector after = committed(autocommit("add bank.account 1 5"));
        assertThat(sum(0, after)).isEqualTo(KEYS * 100 + 10);
        assertThat(sum(0, before)).isEqualTo(KEYS * 100 + 5);
    }

    @Test
    void aTransactionIsSeenWholeOrNotAtAllAndRollbackLeavesNothing() {
        startSlave("s1");
        run(1, "add bank.account 1 -10");
        run(1, "add bank.account 2 10");
        run(2, "add bank.account 150 1000");
        assertThat(call(new ReplicaRequest.Rollback(2, ConflictClass.NONE, true)))
                .isInstanceOf(ReplicaReply.RolledBack.class);
        VersionVector tag = committed(call(new ReplicaRequest.Commit(ConflictClass.NONE, 1, 1, 1)));
        assertThat(sum(0, tag)).isEqualTo(KEYS * 100);
    }

    /// Each writer learns of its own commit when its thread wakes up; a reader must not have to
    /// wait for that.
    @Test
    void whatATransactionHasSeenIsAtTheTagOfItsEndWhateverThatIs() {
        startSlave("s1");
        List<Thread> writers = new ArrayList<>();
        AtomicReference<Boolean> over = new AtomicReference<>(false);
        for (int writer = 0; writer < 3; writer++) {
            RpcClient own = connect(master().rpcPort());
            ReplicaRequest add = update(1, "add bank.account 7 1", true);
            writers.add(
                    Thread.startVirtualThread(() -> {
                        while (!over.get()) {
                            committed(call(own, add, new ArrayList<>()));
                        }
                    }));
        }
        for (int round = 0; round < 300; round++) {
            List<byte[]> parts = new ArrayList<>();
            call(clients.getFirst(), update(2, "sum bank.account", false), parts);
            long seen = KeyValueEngine.answer(parts);
            VersionVector tag =
                    round % 2 == 0
                            ? committed(
                                    call(new ReplicaRequest.Commit(ConflictClass.NONE, 1, 2, 1)))
                            : seenBy(
                                    call(new ReplicaRequest.Rollback(2, ConflictClass.NONE, true)));
            assertThat(sum(0, tag)).isGreaterThanOrEqualTo(seen);
        }
        over.set(true);
        writers.forEach(TierTest::join);
        VersionVector last = committed(autocommit("add bank.account 7 1"));
        assertThat(seenBy(autocommit("fail bank.account 7")).covers(last)).isTrue();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static VersionVector seenBy(ReplicaReply reply) {
        return switch (reply) {
            case ReplicaReply.RolledBack(VersionVector seen) -> seen;
            case ReplicaReply.Failed failed when failed.transactionOver() -> failed.seen();
            default -> throw new AssertionError("not over: " + reply);
        };
    }

    @Test
    void whatTheLogHasForgottenIsNotSaidToBeRolledBack() {
        VersionVector began = committed(autocommit("add bank.account 7 1"));
        committed(autocommit("add bank.account 7 1"));
        assertThat(call(outcome(99, began))).isInstanceOf(ReplicaReply.RolledBack.class);
        logger.forgetUpTo(1);
        assertThat(call(outcome(99, began))).isInstanceOf(ReplicaReply.RolledBack.class);
        assertThat(call(outcome(99, VersionVector.EMPTY)))
                .isInstanceOf(ReplicaReply.Forgotten.class);
        assertThat(call(outcome(1, VersionVector.EMPTY))).isInstanceOf(ReplicaReply.Updated.class);
        logger.forgetUpTo(2);
        assertThat(call(outcome(1, began))).isInstanceOf(ReplicaReply.Forgotten.class);
    }

    private static ReplicaRequest outcome(long transactionId, VersionVector began) {
        return new ReplicaRequest.Outcome(new ConflictClass("bank"), 1, transactionId, began);
    }

    @Test
    void aStatementThatFailsIsUndoneAndItsTransactionGoesOn() {
        startSlave("s1");
        run(1, "add bank.account 1 5");
        assertThat(run(1, "fail bank.account 2"))
                .isInstanceOfSatisfying(
                        ReplicaReply.Failed.class,
                        failed -> {
                            assertThat(failed.number()).isEqualTo(1062);
                            assertThat(failed.transactionOver()).isFalse();
                        });
        VersionVector tag = committed(call(new ReplicaRequest.Commit(ConflictClass.NONE, 1, 1, 1)));
        assertThat(sum(0, tag)).isEqualTo(KEYS * 100 + 5);
        assertThat(logger.records("bank").getFirst().rows().list()).hasSize(1);
    }

    @Test
    void aTransactionOverTwoClassesIsRefusedWithTheirNames() {
        run(1, "add bank.account 1 5");
        assertThat(run(1, "put shop.item 1 5"))
                .isInstanceOfSatisfying(
                        ReplicaReply.Failed.class,
                        failed -> {
                            assertThat(failed.number()).isEqualTo(1235);
                            assertThat(failed.message()).contains("bank.account", "shop.item");
                        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStatementAloneOrAtFirstThatLosesADeadlockIsRunAgainUnseen(boolean autocommit) {
        startSlave("s1");
        run(1, "add bank.account 1 1");
        run(3, "add bank.account 3 1");
        CompletableFuture<ReplicaReply> victim =
                CompletableFuture.supplyAsync(
                        () -> call(update(2, "touch bank.account 2 3 1", autocommit)),
                        Thread::startVirtualThread);
        await(() -> figure("lock.waiting") == 1);
        CompletableFuture<ReplicaReply> other =
                CompletableFuture.supplyAsync(
                        () -> run(1, "add bank.account 2 1"), Thread::startVirtualThread);
        await(() -> figure("lock.waiting") == 2);
        committed(call(new ReplicaRequest.Commit(ConflictClass.NONE, 1, 3, 1)));
        assertThat(other.join()).isInstanceOf(ReplicaReply.Updated.class);
        await(() -> figure("statements.retried") == 1);
        committed(call(new ReplicaRequest.Commit(ConflictClass.NONE, 1, 1, 1)));
        ReplicaReply done = victim.join();
        VersionVector tag =
                committed(
                        autocommit
                                ? done
                                : call(new ReplicaRequest.Commit(ConflictClass.NONE, 1, 2, 1)));
        assertThat(sum(0, tag)).isEqualTo(KEYS * 100 + 6);
        assertThat(figure("lock.deadlocks")).isEqualTo(1);
    }

    private double figure(String name) {
        ReplicaReply reply = call(new ReplicaRequest.Status(VersionVector.EMPTY));
        return ((ReplicaReply.StatusReply) reply).status().figure(name);
    }

    @Test
    void aSchedulersConnectionThatIsLostTakesItsTransactionsWithIt() {
        RpcClient other = connect(master().rpcPort());
        call(other, update(1, "add bank.account 1 5", false), new ArrayList<>());
        other.close();
        VersionVector tag = committed(autocommit("add bank.account 1 1"));
        startSlave("s1");
        assertThat(sum(0, tag)).isEqualTo(KEYS * 100 + 1);
    }

    /// Its statement and its end may be handled in any order.
    @Test
    void aStatementThatComesWithTheEndOfItsConnectionLeavesNothing() {
        RpcReceiver nobody =
                new RpcReceiver() {
                    @Override
                    public void part(byte[] bytes) {}

                    @Override
                    public void end(byte[] message) {}

                    @Override
                    public void failed(RpcException reason) {}
                };
        for (int round = 0; round < 5 * KEYS; round++) {
            try (RpcClient dying = RpcClient.connect(loopback(master().rpcPort()), LIMIT)) {
                ReplicaRequest first =
                        update(round, "add bank.account " + round % KEYS + " 1", false);
                RpcCall _ = dying.call(first.encode(), nobody);
            }
        }
        for (int key = 0; key < KEYS; key++) {
            committed(autocommit("add bank.account " + key + " 1"));
        }
    }

    @Test
    void transfersBetweenAccountsNeverShowInASumWhileASlaveJoins() throws InterruptedException {
        startSlave("s1");
        AtomicReference<VersionVector> newest = new AtomicReference<>(VersionVector.EMPTY);
        ConcurrentLinkedQueue<Throwable> errors = new ConcurrentLinkedQueue<>();
        List<Thread> tellers = new ArrayList<>();
        for (int teller = 0; teller < 4; teller++) {
            long session = 100L + teller;
            tellers.add(Thread.startVirtualThread(() -> transfers(session, newest, errors)));
        }
        startSlave("s2");
        while (tellers.stream().anyMatch(Thread::isAlive)) {
            VersionVector tag = newest.get();
            assertThat(sum(0, tag)).isEqualTo(KEYS * 100);
            assertThat(sum(1, tag)).isEqualTo(KEYS * 100);
        }
        for (Thread teller : tellers) {
            teller.join();
        }
        assertThat(errors).isEmpty();
        assertThat(sum(1, newest.get())).isEqualTo(KEYS * 100);
        assertThat(logger.records("bank")).hasSizeGreaterThanOrEqualTo(1);
    }

    @Test
    void aDatabaseAndATableThatAreCreatedAreThereOnTheSlave() {
        startSlave("s1");
        committed(call(changeSchema(1, "", "CREATE DATABASE fresh")));
        committed(call(changeSchema(2, "fresh", "CREATE TABLE t")));
        VersionVector tag = committed(autocommit("put fresh.t 1 11"));
        assertThat(read(0, "sum fresh.t", tag)).isEqualTo(11);
        assertThat(call(changeSchema(3, "fresh", "CREATE nonsense")))
                .isInstanceOfSatisfying(
                        ReplicaReply.Failed.class,
                        failed -> assertThat(failed.number()).isEqualTo(1064));
        committed(autocommit("put fresh.t 2 1"));
    }

    /// Each has an id of its own, for ever.
    @Test
    void tablesThatWereDroppedCostTagsNothing() {
        startSlave("s1");
        committed(call(changeSchema(1, "", "CREATE DATABASE fresh")));
        committed(call(changeSchema(2, "fresh", "CREATE TABLE other")));
        for (int round = 0; round < DROPPED_TABLES; round++) {
            committed(call(changeSchema(3, "fresh", "CREATE TABLE t")));
            committed(call(changeSchema(4, "fresh", "DROP TABLE t")));
        }
        committed(call(changeSchema(5, "fresh", "CREATE TABLE t")));
        startSlave("joined");
        VersionVector tag = committed(autocommit("put fresh.t 1 11"));

        assertThat(tag.toString()).contains("dropped*" + DROPPED_TABLES);
        assertThat(read(0, "sum fresh.t", tag)).isEqualTo(11);
        assertThat(read(1, "sum fresh.t", tag)).isEqualTo(11);
    }

    /// Else no tag would reach the class's position, and the backend would be ahead of all of them.
    @Test
    void whatDropsTheTableThatWasChangedLastIsNamedByAnother() {
        committed(call(changeSchema(1, "", "CREATE DATABASE fresh")));
        VersionVector before = committed(call(changeSchema(2, "fresh", "CREATE TABLE other")));
        committed(call(changeSchema(3, "fresh", "CREATE TABLE t")));
        VersionVector after = committed(call(changeSchema(4, "fresh", "DROP TABLE t")));

        int t = newest(before) + 1;
        assertThat(after.isDropped(t)).isTrue();
        assertThat(before.get(t - 1)).isEqualTo(2);
        assertThat(after.get(t - 1)).isEqualTo(4);
    }

    private static int newest(VersionVector vector) {
        int[] last = {0};
        assertThat(
                        vector.allRuns((from, end, number) -> {
                            last[0] = end - 1;
                            return true;
                        }))
                .isTrue();
        return last[0];
    }

    @Test
    void aSlaveThatLeavesDoesNotHoldCommitsBack() {
        startSlave("s1");
        startSlave("s2");
        slaves.removeLast().close();
        VersionVector tag = committed(autocommit("add bank.account 7 1"));
        assertThat(sum(0, tag)).isEqualTo(KEYS * 100 + 1);
    }

    @Test
    void aSlaveRefusesUpdatesAndReadsOfTheTimeBeforeItsMaster() {
        startSlave("s1");
        RpcClient slave = connect(slaves.getFirst().rpcPort());
        assertThat(
                        call(
                                slave,
                                new ReplicaRequest.Commit(ConflictClass.NONE, 1, 1, 1),
                                new ArrayList<>()))
                .isInstanceOfSatisfying(
                        ReplicaReply.Refused.class,
                        refused ->
                                assertThat(refused.reason())
                                        .isEqualTo(ReplicaReply.Reason.NOT_MASTER));
        assertThat(
                        call(
                                slave,
                                new ReplicaRequest.Read(
                                        0,
                                        VersionVector.EMPTY,
                                        VersionVector.EMPTY,
                                        statement("sum bank.account")),
                                new ArrayList<>()))
                .isInstanceOfSatisfying(
                        ReplicaReply.Refused.class,
                        refused ->
                                assertThat(refused.reason())
                                        .isEqualTo(ReplicaReply.Reason.OTHER_EPOCH));
        assertThat(
                        call(
                                slave,
                                new ReplicaRequest.EnterInSync(
                                        new Member("s9", "127.0.0.1", 1, false), 2),
                                new ArrayList<>()))
                .isInstanceOf(ReplicaReply.Refused.class);
    }

    private void transfers(
            long session,
            AtomicReference<VersionVector> newest,
            ConcurrentLinkedQueue<Throwable> errors) {
        try {
            for (int i = 0; i < 100; i++) {
                long from = (session * 31 + i * 7L) % KEYS;
                long to = (session * 17 + i * 13L) % KEYS;
                boolean over =
                        failed(run(session, "add bank.account " + from + " -1"))
                                || failed(run(session, "add bank.account " + to + " 1"));
                if (!over) {
                    VersionVector vector =
                            committed(
                                    call(
                                            new ReplicaRequest.Commit(
                                                    ConflictClass.NONE, 1, session, 1)));
                    newest.accumulateAndGet(vector, VersionVector::merge);
                }
            }
        } catch (RuntimeException | AssertionError e) {
            errors.add(e);
        }
    }

    private static boolean failed(ReplicaReply reply) {
        if (reply instanceof ReplicaReply.Failed failed) {
            assertThat(failed.number()).isEqualTo(1213);
            assertThat(failed.transactionOver()).isTrue();
            return true;
        }
        return false;
    }

    @Test
    void aReplicaWithOtherClassesDoesNotJoin() {
        ClassPatterns others =
                ClassPatterns.of(Map.of(new ConflictClass("people"), List.of("bank.account")));
        assertThatThrownBy(() -> start("s1", others))
                .hasMessageContaining("replica.classes has other tables here than in the tier")
                .hasMessageContaining(
                        "[default: all others, people: bank.account] here, [bank: bank, default: all others, shop: shop] in the tier");
        startSlave("s1");
        VersionVector tag = committed(autocommit("add bank.account 1 5"));
        assertThat(sum(0, tag)).isEqualTo(KEYS * 100 + 5);
    }

    private void startSlave(String name) {
        slaves.add(start(name, BankTier.CLASSES));
    }

    private TierNode start(String name, ClassPatterns classes) {
        return TierNode.start(
                configuration(name, NodeConfiguration.Role.SLAVE, classes),
                KeyValueEngine::new,
                groups::join,
                MasterService.Settings.DEFAULT);
    }

    private NodeConfiguration configuration(
            String name, NodeConfiguration.Role role, ClassPatterns classes) {
        return new NodeConfiguration(
                name,
                role,
                "127.0.0.1",
                0,
                0,
                100,
                List.of(),
                List.of(logger.address()),
                Optional.empty(),
                0,
                Warmup.DEFAULT,
                VersionSettings.DEFAULT,
                Optional.empty(),
                classes,
                Map.of());
    }

    private TierNode master() {
        return java.util.Objects.requireNonNull(master);
    }

    private long sum(int slave, VersionVector tag) {
        return read(slave, "sum bank.account", tag);
    }

    private long read(int slave, String sql, VersionVector tag) {
        List<byte[]> parts = new ArrayList<>();
        RpcClient client = connect(slaves.get(slave).rpcPort());
        ReplicaReply reply =
                call(
                        client,
                        new ReplicaRequest.Read(1, tag, VersionVector.EMPTY, statement(sql)),
                        parts);
        client.close();
        assertThat(reply).isInstanceOf(ReplicaReply.Rows.class);
        return KeyValueEngine.answer(parts);
    }

    private ReplicaReply run(long session, String sql) {
        return call(update(session, sql, false));
    }

    private ReplicaReply autocommit(String sql) {
        return call(update(1, sql, true));
    }

    private static ReplicaRequest update(long session, String sql, boolean autocommit) {
        return new ReplicaRequest.Update(
                ConflictClass.NONE,
                1,
                session,
                1,
                autocommit,
                true,
                VersionVector.EMPTY,
                statement(sql));
    }

    private static ReplicaRequest changeSchema(long transactionId, String database, String sql) {
        return new ReplicaRequest.ChangeSchema(
                ConflictClass.DEFAULT,
                1,
                transactionId,
                ReplicaRequest.USUAL_WAIT,
                database,
                sql,
                List.of(),
                SchemaStatement.of(Tokens.of(sql), new KeptReadings(1)).names(),
                SchemaStatement.rebuilds(Tokens.of(sql)));
    }

    private static StatementCall statement(String sql) {
        return new StatementCall("", sql, List.of(), false, 0, false);
    }

    private ReplicaReply call(ReplicaRequest request) {
        return call(clients.getFirst(), request, new ArrayList<>());
    }

    private static ReplicaReply call(RpcClient client, ReplicaRequest request, List<byte[]> parts) {
        return ReplicaReply.decode(client.callForParts(request.encode(), parts::add, LIMIT));
    }

    private RpcClient connect(int port) {
        RpcClient client = RpcClient.connect(loopback(port), LIMIT);
        synchronized (clients) {
            clients.add(client);
        }
        return client;
    }

    private NodeStatus status(int port) {
        ReplicaReply reply =
                call(
                        connect(port),
                        new ReplicaRequest.Status(VersionVector.EMPTY),
                        new ArrayList<>());
        return ((ReplicaReply.StatusReply) reply).status();
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static VersionVector committed(ReplicaReply reply) {
        return switch (reply) {
            case ReplicaReply.Committed(VersionVector vector, long catalogueVersion) -> vector;
            case ReplicaReply.Updated updated -> updated.vector();
            default -> throw new AssertionError("not committed: " + reply);
        };
    }

    private static byte[] text(long number) {
        return Long.toString(number).getBytes(StandardCharsets.UTF_8);
    }
}
