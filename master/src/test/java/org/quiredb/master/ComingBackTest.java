package org.quiredb.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.common.lifecycle.Parts;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.NodeConfiguration;
import org.quiredb.replica.NodeConfiguration.Role;
import org.quiredb.replica.VersionSettings;
import org.quiredb.replica.warm.Warmup;

/// Replicas of a tier that has been, in real time over real sockets.
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
final class ComingBackTest {
    private static final ConflictClass BANK = new ConflictClass("bank");
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int LONG_SECONDS = 8;
    private final Parts parts = new Parts();
    private final TestGroup groups = new TestGroup();
    private final MemoryLogger logger = new MemoryLogger();
    private Map<ConflictClass, String> masters = Map.of();

    @BeforeEach
    void begin() {
        parts.add(logger);
        logger.createTable(
                "bank", "account", List.of(List.of(text(7), text(1)), List.of(text(8), text(1))));
    }

    @AfterEach
    void end() {
        parts.close();
    }

    @Test
    void aMasterThatComesBackDoesNotBeginBesideATierThatMayLive() throws Exception {
        try (ServerSocket one = silent();
                ServerSocket other = silent()) {
            Topology others = Topology.vacant(0).begunBy(member("s1", one));
            change(others);
            change(others.changed(Set.of(), List.of(member("s2", other))));
            CompletableFuture<TierNode> begun = new CompletableFuture<>();
            Thread thread = starting("m1", Role.MASTER, begun);
            try {
                assertThatThrownBy(() -> begun.get(LONG_SECONDS, TimeUnit.SECONDS))
                        .as("it waits")
                        .isInstanceOf(TimeoutException.class);
            } finally {
                thread.interrupt();
            }
        }
    }

    @Test
    void anotherReplicaBeginsWhenTheConfiguredMasterIsGoneForGood() throws Exception {
        int gone = FreePorts.next();
        Topology all = Topology.vacant(0).begunBy(new Member("m1", "127.0.0.1", gone, false));
        change(all);
        change(
                all.changed(
                        Set.of(), List.of(new Member("s1", "127.0.0.1", FreePorts.next(), false))));
        CompletableFuture<TierNode> begun = new CompletableFuture<>();
        Thread thread = starting("s1", Role.SLAVE, begun);
        try {
            assertThat(begun.get(60, TimeUnit.SECONDS).status().state()).isEqualTo("serving");
        } finally {
            thread.interrupt();
        }
    }

    @Test
    void aClassIsNotHandedHomeToOneThatHasJustCome() throws Exception {
        masters = Map.of(BANK, "s1");
        TierNode master = start("m1", Role.MASTER);
        update(master);
        long since = System.nanoTime();
        start("s1", Role.SLAVE);
        while (!leader().equals("s1")) {
            assertThat(System.nanoTime() - since).isLessThan(LIMIT.toNanos());
            Thread.sleep(20);
        }
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since)).isGreaterThan(1_500);
    }

    private Thread starting(String name, Role role, CompletableFuture<TierNode> begun) {
        return Thread.startVirtualThread(() -> {
            try {
                begun.complete(start(name, role));
            } catch (RuntimeException e) {
                begun.completeExceptionally(e);
            }
        });
    }

    private String leader() {
        return ((LoggerReply.TopologyReply) ask(new LoggerRequest.ReadTopology(false)))
                .topology()
                .mastership(BANK)
                .master();
    }

    private LoggerReply ask(LoggerRequest request) {
        try (RpcClient client = RpcClient.connect(logger.address(), LIMIT)) {
            return LoggerReply.decode(client.callForEnd(request.encode(), LIMIT));
        }
    }

    private void change(Topology next) {
        ask(new LoggerRequest.ChangeTopology(next, List.of()));
    }

    private static ServerSocket silent() throws Exception {
        return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    private static Member member(String name, ServerSocket at) {
        return new Member(name, "127.0.0.1", at.getLocalPort(), false);
    }

    private void update(TierNode master) {
        try (RpcClient client =
                RpcClient.connect(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), master.rpcPort()),
                        LIMIT)) {
            byte[] request =
                    new ReplicaRequest.Update(
                                    ConflictClass.NONE,
                                    1,
                                    1,
                                    1,
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

    private TierNode start(String name, Role role) {
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
                                Optional.empty(),
                                BankTier.CLASSES,
                                masters),
                        KeyValueEngine::new,
                        groups::join,
                        MasterService.Settings.DEFAULT));
    }

    private static byte[] text(long number) {
        return Long.toString(number).getBytes(StandardCharsets.UTF_8);
    }
}
