package org.quiredb.master;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.master.Await.await;

import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.lifecycle.Parts;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.NodeConfiguration;
import org.quiredb.replica.NodeConfiguration.Role;
import org.quiredb.replica.NodeConfiguration.Storage;
import org.quiredb.replica.VersionSettings;
import org.quiredb.replica.warm.Warmup;

/// A slave with a data folder, a third of its pages in memory, that ends without a word and begins
/// again, over real sockets and a real group.
@Tag("slow")
final class RestartTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /// Everything else stands still while memory is collected.
    private static final long COLLECTION_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final int KEYS = 40_000;
    private static final long POOL_BYTES = 512 << 10;

    @TempDir Path folder;

    private final Parts parts = new Parts();
    private final AtomicReference<VersionVector> newest =
            new AtomicReference<>(VersionVector.EMPTY);
    private TestGroup groups = new TestGroup();
    private MemoryLogger logger = new MemoryLogger();
    private RpcClient master = beginTier();
    private TierNode slave;
    private long sum = KEYS;

    @BeforeEach
    void begin() {
        slave = startSlave();
    }

    @AfterEach
    void stop() {
        parts.close();
    }

    @Test
    void onlyPagesNewerThanItsOwnComeWhileUpdatesGoOn() throws Exception {
        assertThat(figure("pages.joined")).isEqualTo(figure("pages"));
        assertThat(figure("pages.bytes")).isLessThan(figure("pages") * 8192 / 2);
        update(0, KEYS, 500);
        checkpoint();
        slave.kill();
        update(0, KEYS / 10, 50);
        AtomicBoolean over = new AtomicBoolean();
        Thread updates =
                Thread.startVirtualThread(() -> {
                    while (!over.get()) {
                        update(0, 100, 10);
                    }
                });
        slave = startSlave();
        over.set(true);
        updates.join();
        assertThat(figure("pages.restored")).isGreaterThan(figure("pages") * 0.9);
        assertThat(figure("pages.joined")).isPositive().isLessThan(figure("pages") * 0.15);
        assertThat(sumOnSlave()).isEqualTo(sum);
    }

    @Test
    void aDamagedFileIsNoticedAndWhatItLacksComes() throws Exception {
        update(0, KEYS, 500);
        checkpoint();
        for (long seed = 1; seed <= 4; seed++) {
            slave.kill();
            damage(new Random(seed));
            update(0, KEYS, 5000);
            slave = startSlave();
            assertThat(sumOnSlave()).isEqualTo(sum);
            checkpoint();
        }
    }

    /// Bytes change under the open file. The pool and the store's cache have no room for all pages.
    @Test
    void aPageThatIsDamagedWhileItServesEndsThisLifeAndIsNeverRead() throws Exception {
        update(0, KEYS, 500);
        checkpoint();
        long epoch = slave.status().epoch();
        try (FileChannel file = FileChannel.open(folder.resolve("pages.mv"), READ, WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            for (long at = 3 * 4096L - 100; at < file.size(); at += 4096) {
                file.read(one.clear(), at);
                one.put(0, (byte) (one.get(0) ^ 1));
                file.write(one.flip(), at);
            }
        }
        await(() -> {
            LockSupport.parkNanos(COLLECTION_PAUSE_NANOS);
            ManagementFactory.getMemoryMXBean().gc(); // what the cache has let go, leaves memory
            OptionalLong found = sumOnSlaveIfItServes();
            found.ifPresent(value -> assertThat(value).isEqualTo(sum));
            return found.isPresent() && slave.status().epoch() > epoch;
        });
        assertThat(figure("pages.restored")).isZero();
        assertThat(figure("pages.joined")).isEqualTo(figure("pages"));
    }

    private OptionalLong sumOnSlaveIfItServes() {
        try {
            return OptionalLong.of(sumOnSlave());
        } catch (RuntimeException | AssertionError e) {
            return OptionalLong.empty(); // an error is as good: it is no wrong answer
        }
    }

    @Test
    void whatIsOfAnotherTierIsThrownAway() {
        update(0, KEYS, 500);
        checkpoint();
        slave.close();
        groups = new TestGroup();
        logger = new MemoryLogger();
        master = beginTier();
        newest.set(VersionVector.EMPTY);
        sum = KEYS;
        update(0, 10, 10);
        slave = startSlave();
        assertThat(figure("pages.restored")).isZero();
        assertThat(figure("pages.joined")).isEqualTo(figure("pages"));
        assertThat(sumOnSlave()).isEqualTo(sum);
    }

    private RpcClient beginTier() {
        parts.add(logger);
        List<List<byte @Nullable []>> rows = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) {
            rows.add(List.of(text(key), text(1)));
        }
        logger.createTable("bank", "account", rows);
        return connect(start("m1", Role.MASTER, Optional.empty()));
    }

    private TierNode startSlave() {
        return start("s1", Role.SLAVE, Optional.of(new Storage(folder, POOL_BYTES, 20)));
    }

    private TierNode start(String name, Role role, Optional<Storage> storage) {
        return parts.add(
                TierNode.start(
                        new NodeConfiguration(
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
                                storage,
                                BankTier.CLASSES,
                                Map.of()),
                        KeyValueEngine::new,
                        groups::join,
                        MasterService.Settings.DEFAULT));
    }

    private void update(int from, int to, int step) {
        for (int key = from; key < to; key += step) {
            ReplicaReply reply =
                    call(
                            master,
                            new ReplicaRequest.Update(
                                    ConflictClass.NONE,
                                    1,
                                    1,
                                    1,
                                    true,
                                    true,
                                    VersionVector.EMPTY,
                                    statement("add bank.account " + key + " 1")),
                            new ArrayList<>());
            assertThat(reply).isInstanceOf(ReplicaReply.Updated.class);
            newest.accumulateAndGet(((ReplicaReply.Updated) reply).vector(), VersionVector::merge);
            sum++;
        }
    }

    /// Returns when a round has begun and ended since no reader needs anything older than now.
    private void checkpoint() {
        try (RpcClient client = connect(slave)) {
            call(client, new ReplicaRequest.Status(newest.get()), new ArrayList<>());
            double before = figure("pages.checkpoints");
            await(() -> figure("pages.checkpoints") >= before + 2);
        }
    }

    private void damage(Random random) throws Exception {
        Path path = folder.resolve("pages.mv");
        byte[] bytes = Files.readAllBytes(path);
        for (int i = 0; i < 5; i++) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
        }
        Files.write(path, bytes);
    }

    private long sumOnSlave() {
        List<byte[]> rows = new ArrayList<>();
        try (RpcClient client = connect(slave)) {
            ReplicaReply reply =
                    call(
                            client,
                            new ReplicaRequest.Read(
                                    1,
                                    newest.get(),
                                    VersionVector.EMPTY,
                                    statement("sum bank.account")),
                            rows);
            assertThat(reply).isInstanceOf(ReplicaReply.Rows.class);
        }
        return KeyValueEngine.answer(rows);
    }

    private double figure(String name) {
        NodeStatus status = slave.status();
        return status.figure(name);
    }

    private static StatementCall statement(String sql) {
        return new StatementCall("", sql, List.of(), false, 0, false);
    }

    private static ReplicaReply call(RpcClient client, ReplicaRequest request, List<byte[]> rows) {
        return ReplicaReply.decode(client.callForParts(request.encode(), rows::add, LIMIT));
    }

    private static RpcClient connect(TierNode node) {
        return RpcClient.connect(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), node.rpcPort()), LIMIT);
    }

    private static byte[] text(long number) {
        return Long.toString(number).getBytes(StandardCharsets.UTF_8);
    }
}
