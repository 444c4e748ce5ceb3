package org.quiredb.master;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.group.Group;
import org.quiredb.common.lifecycle.Parts;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.version.ClassPatterns;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.GroupMembership;
import org.quiredb.replica.NodeConfiguration;
import org.quiredb.replica.NodeConfiguration.Role;
import org.quiredb.replica.NodeConfiguration.Storage;
import org.quiredb.replica.VersionSettings;
import org.quiredb.replica.warm.Warmup;

/// Replicas over real sockets and a real group, which hold accounts with one coin each at first.
///
/// Threads: any.
final class BankTier implements AutoCloseable {
    static final int KEYS = 40_000;

    /// Either database is a class of its own.
    static final ClassPatterns CLASSES =
            ClassPatterns.of(
                    Map.of(
                            new ConflictClass("bank"), List.of(),
                            new ConflictClass("shop"), List.of()));

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Parts parts = new Parts();
    private final TestGroup groups = new TestGroup();
    private final MemoryLogger logger = new MemoryLogger();
    private final AtomicReference<VersionVector> newest =
            new AtomicReference<>(VersionVector.EMPTY);
    private final AtomicLong sum = new AtomicLong(KEYS);

    BankTier() {
        parts.add(logger);
        List<List<byte @Nullable []>> rows = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) {
            rows.add(List.of(text(key), text(1)));
        }
        logger.createTable("bank", "account", rows);
    }

    /// @param bytesPerSecond that it sends to joiners
    TierNode start(String name, Role role, Optional<Storage> storage, long bytesPerSecond) {
        return start(name, role, storage, bytesPerSecond, Warmup.DEFAULT);
    }

    TierNode start(
            String name, Role role, Optional<Storage> storage, long bytesPerSecond, Warmup warmup) {
        return start(name, role, storage, bytesPerSecond, warmup, groups::join);
    }

    /// A slave whose group is made by the caller, of the tier's.
    TierNode start(String name, BiFunction<TestGroup, Group.Listener, Group> group) {
        return start(
                name,
                Role.SLAVE,
                Optional.empty(),
                0,
                Warmup.DEFAULT,
                (same, listener) -> group.apply(groups, listener));
    }

    private TierNode start(
            String name,
            Role role,
            Optional<Storage> storage,
            long bytesPerSecond,
            Warmup warmup,
            GroupMembership.Entrance entrance) {
        NodeConfiguration configuration =
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
                        bytesPerSecond,
                        warmup,
                        VersionSettings.DEFAULT,
                        storage,
                        CLASSES,
                        Map.of());
        return parts.add(
                TierNode.start(
                        configuration,
                        KeyValueEngine::new,
                        entrance,
                        MasterService.Settings.DEFAULT));
    }

    /// Adds a coin to an account; false when the replica is no master now.
    boolean update(RpcClient master, long term, int key) {
        ReplicaReply reply =
                call(
                        master,
                        new ReplicaRequest.Update(
                                ConflictClass.NONE,
                                term,
                                1,
                                1,
                                true,
                                true,
                                VersionVector.EMPTY,
                                statement("add bank.account " + key + " 1")),
                        new ArrayList<>());
        if (!(reply instanceof ReplicaReply.Updated updated)) {
            return false;
        }
        newest.accumulateAndGet(updated.vector(), VersionVector::merge);
        sum.incrementAndGet();
        return true;
    }

    /// Whether a replica holds every coin that was added.
    boolean isComplete(TierNode replica) {
        List<byte[]> rows = new ArrayList<>();
        try (RpcClient client = connect(replica)) {
            ReplicaReply reply =
                    call(
                            client,
                            new ReplicaRequest.Read(
                                    replica.status().epoch(),
                                    newest.get(),
                                    VersionVector.EMPTY,
                                    statement("sum bank.account")),
                            rows);
            assertThat(reply).isInstanceOf(ReplicaReply.Rows.class);
        }
        return sum.get() == KeyValueEngine.answer(rows);
    }

    /// The coins of an account, at the newest tag.
    long read(RpcClient replica, long epoch, int key) {
        List<byte[]> rows = new ArrayList<>();
        ReplicaReply reply =
                call(
                        replica,
                        new ReplicaRequest.Read(
                                epoch,
                                newest.get(),
                                VersionVector.EMPTY,
                                statement("get bank.account " + key)),
                        rows);
        assertThat(reply).isInstanceOf(ReplicaReply.Rows.class);
        return KeyValueEngine.answer(rows);
    }

    /// As a scheduler's heartbeat: nobody reads below the newest tag any more.
    void tell(RpcClient replica) {
        call(replica, new ReplicaRequest.Status(newest.get()), new ArrayList<>());
    }

    static RpcClient connect(TierNode node) {
        return RpcClient.connect(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), node.rpcPort()), LIMIT);
    }

    @Override
    public void close() {
        parts.close();
    }

    private static StatementCall statement(String sql) {
        return new StatementCall("", sql, List.of(), false, 0, false);
    }

    private static ReplicaReply call(RpcClient client, ReplicaRequest request, List<byte[]> rows) {
        return ReplicaReply.decode(client.callForParts(request.encode(), rows::add, LIMIT));
    }

    private static byte[] text(long number) {
        return Long.toString(number).getBytes(StandardCharsets.UTF_8);
    }
}
