package org.quiredb.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.quiredb.common.lifecycle.Parts;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.rpc.RpcServer;
import org.quiredb.replica.NodeConfiguration;
import org.quiredb.replica.VersionSettings;
import org.quiredb.replica.warm.Warmup;

/// A replica that begins before any logger is active.
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
final class PatienceTest {
    /// Longer than one look-up searches for an active logger.
    private static final Duration LONG = Duration.ofSeconds(11);

    private final Parts parts = new Parts();
    private final TestGroup groups = new TestGroup();

    /// When the logger was asked first; 0 before.
    private final AtomicLong askedNanos = new AtomicLong();

    @AfterEach
    void close() {
        parts.close();
    }

    @Test
    void waitsLongerForAnActiveLoggerThanOneLookUpSearches() {
        TierNode node = parts.add(start(standsBy(LONG), Duration.ofSeconds(60)));
        assertThat(node.status().state()).isEqualTo("serving");
        assertThat(node.status().role()).isEqualTo("master");
    }

    @Test
    void givesUpWhenItsPatienceIsOver() {
        InetSocketAddress logger = standsBy(Duration.ofDays(1));
        long from = System.nanoTime();
        assertThatThrownBy(() -> start(logger, LONG)).hasMessageContaining("stands by");
        assertThat(System.nanoTime() - from).isGreaterThan(LONG.toNanos());
    }

    /// A logger that stands by so long from when it is asked first.
    private InetSocketAddress standsBy(Duration time) {
        MemoryLogger active = parts.add(new MemoryLogger());
        active.createTable("bank", "account", List.of());
        RpcServer server =
                parts.add(
                        RpcServer.start(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                                (peer, request, reply) -> {
                                    askedNanos.compareAndSet(0, System.nanoTime());
                                    if (System.nanoTime() - askedNanos.get() < time.toNanos()) {
                                        reply.end(new LoggerReply.Standby().encode());
                                    } else {
                                        active.handle(peer, request, reply);
                                    }
                                }));
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
    }

    private TierNode start(InetSocketAddress logger, Duration patience) {
        return TierNode.start(
                new NodeConfiguration(
                        "m1",
                        NodeConfiguration.Role.MASTER,
                        "127.0.0.1",
                        0,
                        0,
                        0,
                        List.of(),
                        List.of(logger),
                        Optional.empty(),
                        0,
                        Warmup.DEFAULT,
                        VersionSettings.DEFAULT,
                        Optional.empty(),
                        BankTier.CLASSES,
                        Map.of()),
                KeyValueEngine::new,
                groups::join,
                MasterService.Settings.DEFAULT,
                patience);
    }
}
