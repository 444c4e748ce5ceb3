package org.quiredb.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.lab.Ledger;
import org.quiredb.node.verify.Verification;

/// A master, two slaves and a spare over a real MariaDB, with clients whose progress is watched.
final class FailoverTier implements AutoCloseable {
    static final int REPLICAS = 4;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int ENTRIES = 200;

    private final EmbeddedBackend backend;
    private final LocalCluster tier;
    private final Ledger load;
    private volatile Set<Integer> expected = Set.of(1213);

    /// How the tier's members run.
    interface Launcher {
        LocalCluster launch(ClusterConfig config);
    }

    FailoverTier(Path data, Launcher launcher) throws Exception {
        backend = FreshBackend.start(data);
        try (Connection direct = direct()) {
            Ledger.create(direct);
        }
        tier =
                launcher.launch(
                        new ClusterConfig(0, backend.port(), data, 2, 1, "quire", "quire")
                                .over(backend));
        tier.startBackend();
        tier.startTier(statuses -> {});
        load =
                Ledger.open(
                        "jdbc:mysql://127.0.0.1:%d/ledger".formatted(tier.port()),
                        "quire",
                        "quire");
    }

    LocalCluster tier() {
        return tier;
    }

    /// Returns when every kind of client has come along a good way.
    void progress(String when) {
        progress(when, Long.MAX_VALUE);
    }

    /// @param longestMillis that a client may have waited since the last time
    void progress(String when, long longestMillis) {
        int from = load.acknowledged();
        int read = load.reads();
        await(() -> load.acknowledged() >= from + ENTRIES && load.reads() > read + 10);
        System.out.println(when + ": " + load.report());
        assertThat(
                        Math.max(
                                load.incidents().longestWriteMillis(),
                                load.incidents().longestReadMillis()))
                .as(when)
                .isLessThanOrEqualTo(longestMillis);
        load.nextPeriod();
    }

    /// Whether nothing was lost, doubled or read too early, on every replica and in the backend.
    void verify() throws Exception {
        load.close();
        requireNoFailure();
        Verification verification = tier.verifyAll();
        assertThat(verification.differences()).isEmpty();
        assertThat(verification.replicas()).isEqualTo(REPLICAS);
        try (Connection direct = direct()) {
            assertThat(load.lost(direct)).isZero();
        }
        assertThat(load.anomalies()).isEmpty();
    }

    /// From now on tables change too, which a read-only transaction that has begun is told with
    /// 1412.
    void changesSchemas() {
        expected = Set.of(1213, 1412);
    }

    /// Error 1213 alone may come, where a master dies.
    private void requireNoFailure() {
        assertThat(load.anomalies()).isEmpty();
        assertThat(load.incidents().failed().keySet()).isSubsetOf(expected);
        assertThat(load.incidents().connectionsLost()).isZero();
    }

    @Override
    public void close() {
        load.close();
        tier.close();
        backend.close();
    }

    void await(BooleanSupplier condition) {
        long deadlineNanos = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            requireNoFailure();
            assertThat(System.nanoTime())
                    .as("in time, with " + load.report())
                    .isLessThan(deadlineNanos);
            LockSupport.parkNanos(1_000_000);
        }
        requireNoFailure();
    }

    Connection direct() throws SQLException {
        return DriverManager.getConnection(backend.jdbcUrl(), "quire", "quire");
    }
}
