package org.quiredb.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.verify.Verification;

/// Replicas of a real tier lose their sockets without a word while clients write and read.
@Timeout(120)
final class FailoverTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int ENTRIES = 300;

    @TempDir private Path data;
    private EmbeddedBackend backend;
    private LocalCluster tier;
    private FailoverLoad load;

    @BeforeEach
    void start() throws Exception {
        backend = EmbeddedBackend.start(data, freePort(), "quire", "quire");
        try (Connection direct = direct()) {
            FailoverLoad.create(direct);
        }
        tier =
                LocalCluster.start(
                        new ClusterConfig(0, backend.port(), data, 2, 1, "quire", "quire"),
                        backend);
        load = new FailoverLoad("jdbc:mysql://127.0.0.1:%d/ledger".formatted(tier.port()));
    }

    @AfterEach
    void stop() throws Exception {
        load.close();
        tier.close();
        backend.close();
    }

    @Test
    void aSlavesDeathIsNoticedByNobody() throws Exception {
        load.start();
        progress("before the death");
        tier.kill("slave-1");
        progress("over a slave's death");
        tier.revive("slave-1");
        progress("after its return");
        finish();
    }

    @Test
    void theMostAdvancedReplicaTakesTheMastersPlace() throws Exception {
        load.start();
        progress("before the death");
        String before = tier.leader();
        tier.kill(before);
        progress("over the master's death");
        assertThat(tier.leader()).isNotEqualTo(before);
        tier.revive(before);
        progress("after its return");
        finish();
    }

    private void progress(String when) {
        load.resetStalls();
        int from = load.acknowledged();
        int read = load.reads();
        await(() -> load.acknowledged() >= from + ENTRIES && load.reads() > read + 10);
        load.failIfAnyClientDid();
        System.out.println(when + ": " + load.report());
    }

    private void finish() throws Exception {
        load.close();
        load.failIfAnyClientDid();
        Verification verification = tier.verify();
        assertThat(verification.differences()).isEmpty();
        assertThat(verification.replicas()).isEqualTo(4);
        try (Connection direct = direct()) {
            load.check(direct);
        }
    }

    private void await(BooleanSupplier condition) {
        long deadlineNanos = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            load.failIfAnyClientDid();
            assertThat(System.nanoTime())
                    .as("in time, with " + load.report())
                    .isLessThan(deadlineNanos);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private Connection direct() throws Exception {
        return DriverManager.getConnection(backend.jdbcUrl(), "quire", "quire");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
