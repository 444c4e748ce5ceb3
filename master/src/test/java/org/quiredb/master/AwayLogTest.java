package org.quiredb.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.master.Await.await;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.quiredb.common.group.Group;
import org.quiredb.common.lifecycle.Parts;
import org.quiredb.common.message.GroupMessage;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.Effects;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.master.commit.Durability;
import org.quiredb.replica.NodeConfiguration;
import org.quiredb.replica.NodeConfiguration.Role;
import org.quiredb.replica.VersionSettings;
import org.quiredb.replica.warm.Warmup;

/// The log, or the backend beneath it, fails at everything for a while: no replica ends for that,
/// and where all end for another reason none lets go of what the log lacks.
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
final class AwayLogTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final ConflictClass BANK = new ConflictClass("bank");
    private static final int ROWS = 50;

    private final Parts parts = new Parts();
    private final TestGroup groups = new TestGroup();
    private final MemoryLogger logger = new MemoryLogger();
    private TierNode master;
    private List<TierNode> slaves = List.of();

    @BeforeEach
    void begin() {
        parts.add(logger);
        List<List<byte @Nullable []>> rows = new ArrayList<>();
        for (int key = 0; key < ROWS; key++) {
            rows.add(List.of(text(key), text(100)));
        }
        logger.createTable("bank", "account", rows);
        master = start("m1", Role.MASTER);
        slaves = List.of(start("s1", Role.SLAVE), start("s2", Role.SLAVE));
        await(() -> all().allMatch(node -> node.status().epoch() == 3));
    }

    @AfterEach
    void end() {
        parts.close();
    }

    /// How a backend's trouble comes to those who ask: an error of SQL, none that it may pass.
    enum Trouble {
        KILLED,
        FULL,
        READ_ONLY,
        MANY_CONNECTIONS,
        AWAY;

        LoggerReply reply() {
            return switch (this) {
                case KILLED -> new LoggerReply.Failed(0, "08S01", "Communications link failure");
                case FULL -> new LoggerReply.Failed(1114, "HY000", "The table is full");
                case READ_ONLY -> new LoggerReply.Failed(1290, "HY000", "--read-only");
                case MANY_CONNECTIONS -> new LoggerReply.Failed(1040, "08004", "Too many");
                case AWAY -> new LoggerReply.Away("the backend with the log is away");
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void noErrorOfALookUpEndsARole(Trouble trouble) {
        update(1);
        int before = logger.asked(LoggerRequest.ReadTopology.class);
        logger.answer(request -> request instanceof LoggerRequest.ReadTopology, trouble.reply());
        await(() -> logger.asked(LoggerRequest.ReadTopology.class) >= before + 12);
        update(2);
        logger.answer(request -> false, trouble.reply());
        update(3);
        assertThat(all().map(node -> node.status().state())).containsOnly("serving");
        assertThat(all().map(node -> node.status().epoch())).containsOnly(3L);
        await(() -> logger.records("bank").size() == 3); // the log follows
    }

    @Test
    void whatIsAcknowledgedAheadOfTheLogIsLoggedByAMasterThatEndsWithAllOthers() {
        logger.answer(request -> !(request instanceof LoggerRequest.Status), Trouble.AWAY.reply());
        for (int i = 1; i <= 20; i++) {
            update(i);
        }
        breakEveryStream();
        assertThat(logger.records("bank")).isEmpty();
        logger.answer(request -> false, Trouble.AWAY.reply());
        awaitNewTier();
        assertThat(logger.records("bank").stream().map(CommitRecord::transactionId))
                .hasSize(20)
                .containsSubsequence(1L, 20L);
    }

    @Test
    void whatIsAcknowledgedAheadOfTheLogIsLoggedByAnyThatStillHoldsIt() {
        logger.answer(request -> !(request instanceof LoggerRequest.Status), Trouble.AWAY.reply());
        for (int i = 1; i <= 20; i++) {
            update(i);
        }
        master.kill();
        breakEveryStream();
        master = start(() -> logger.answer(request -> false, Trouble.AWAY.reply()));
        awaitNewTier();
        assertThat(logger.records("bank").stream().map(CommitRecord::transactionId))
                .hasSize(20)
                .containsSubsequence(1L, 20L);
    }

    @Test
    void whatIsAcknowledgedAheadOfTheLogIsNotLostWhereTheLogIsSilent() {
        logger.answer(
                request -> request instanceof LoggerRequest.Append, new LoggerReply.Standby());
        for (int i = 1; i <= 20; i++) {
            update(i);
        }
        breakEveryStream();
        assertThat(logger.records("bank")).isEmpty();
        logger.answer(request -> false, new LoggerReply.Standby());
        awaitNewTier();
        assertThat(logger.records("bank").stream().map(CommitRecord::transactionId))
                .hasSize(20)
                .containsSubsequence(1L, 20L);
    }

    /// It begins again before the log is back.
    private TierNode start(Runnable meanwhile) {
        Thread back = Thread.startVirtualThread(meanwhile);
        TierNode begun = start("m1", Role.MASTER);
        try {
            back.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return begun;
    }

    /// A write set that follows on nothing: nobody can go on after it.
    private void breakEveryStream() {
        Group other =
                parts.add(
                        groups.join(
                                "other",
                                new Group.Listener() {
                                    @Override
                                    public void received(String from, byte[] message) {}

                                    @Override
                                    public void membersChanged(List<String> members) {}
                                }));
        WriteSet far =
                new WriteSet(BANK, 99, 1_000_000, 7, List.of(), List.of(), List.of(), Effects.NONE);
        other.multicast(new GroupMessage.WriteSets(0, List.of(far.encode())).encode());
        await(() -> slaves.stream().allMatch(slave -> slave.status().state().equals("stopped")));
    }

    private void awaitNewTier() {
        await(() ->
                all().allMatch(node ->
                        node.status().state().equals("serving") && node.status().epoch() > 3));
    }

    private Stream<TierNode> all() {
        return Stream.concat(Stream.of(master), slaves.stream());
    }

    private TierNode start(String name, Role role) {
        return parts.add(
                TierNode.start(
                        new NodeConfiguration(
                                name,
                                role,
                                "127.0.0.1",
                                0,
                                0,
                                0,
                                List.of(),
                                List.of(logger.address()),
                                Optional.empty(),
                                0,
                                Warmup.DEFAULT,
                                VersionSettings.DEFAULT,
                                Optional.empty(),
                                BankTier.CLASSES,
                                Map.of()),
                        KeyValueEngine::new,
                        groups::join,
                        new MasterService.Settings(
                                10_000,
                                4096,
                                700,
                                1 << 20,
                                MasterService.Settings.DEFAULT
                                        .commits()
                                        .with(Durability.REPLICATED))));
    }

    /// @param transactionId acknowledged when this returns
    private void update(long transactionId) {
        try (RpcClient client =
                RpcClient.connect(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), master.rpcPort()),
                        LIMIT)) {
            byte[] request =
                    new ReplicaRequest.Update(
                                    ConflictClass.NONE,
                                    1,
                                    1,
                                    transactionId,
                                    true,
                                    true,
                                    VersionVector.EMPTY,
                                    new StatementCall(
                                            "", "add bank.account 7 1", List.of(), false, 0, false))
                            .encode();
            assertThat(ReplicaReply.decode(client.callForEnd(request, LIMIT)))
                    .isInstanceOf(ReplicaReply.Updated.class);
        }
    }

    private static byte[] text(long number) {
        return Long.toString(number).getBytes(StandardCharsets.UTF_8);
    }
}
