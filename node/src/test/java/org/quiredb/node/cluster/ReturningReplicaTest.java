package org.quiredb.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.node.Await.await;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.writeset.PageOperations;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.verify.Verification;

/// A replica with a data folder dies while clients write, and begins again with what is on its
/// disk.
@Tag("slow")
final class ReturningReplicaTest {
    private static final String ACCOUNT = "quire";
    private static final String SLAVE = "slave-1";
    private static final int ROWS = 30_000;
    private static final int WRITTEN_ROWS = ROWS / 10;

    /// Each row of a few is written, so that every page of the tenth is.
    private static final int STRIDE = 7;

    @TempDir private Path data;

    private final AtomicInteger written = new AtomicInteger();
    private volatile boolean over;

    @Test
    @Timeout(120)
    void isSentThePagesThatChangedAndNoOthers() throws Exception {
        returns(config -> LocalCluster.inside(config, 0));
    }

    @Test
    @Tag("long")
    @Timeout(300)
    void isSentThePagesThatChangedAndNoOthersWhenItsProcessIsKilled() throws Exception {
        ProcessOptions options = new ProcessOptions(data.resolve("processes"), 0, 1200, 3);
        returns(config -> LocalCluster.processes(config, options));
    }

    private void returns(FailoverTier.Launcher launcher) throws Exception {
        try (EmbeddedBackend backend = FreshBackend.start(data)) {
            try (Connection direct = connect(backend.jdbcUrl())) {
                fill(direct);
            }
            ClusterConfig config =
                    new ClusterConfig(0, backend.port(), data, 1, 1, ACCOUNT, ACCOUNT)
                            .with(new ClusterConfig.Pages(data, 100))
                            .over(backend);
            try (LocalCluster tier = launcher.launch(config)) {
                tier.startBackend();
                tier.startTier(statuses -> {});
                dieAndReturn(tier);
            }
        }
    }

    private void dieAndReturn(LocalCluster tier) {
        // The pages are counted once a second.
        await("the count of pages", () -> figure(tier, "pages") > 0);
        double pages = figure(tier, "pages");
        assertThat(figure(tier, "pages.joined")).isEqualTo(pages);
        CompletableFuture<Void> writes = CompletableFuture.runAsync(() -> write(tier.port()));
        awaitWrites();
        double rounds = figure(tier, "pages.checkpoints");
        await("two checkpoints", () -> figure(tier, "pages.checkpoints") >= rounds + 2);
        tier.kill(SLAVE);
        awaitWrites();
        tier.revive(SLAVE);
        awaitWrites();
        over = true;
        writes.join();

        // Waits until it serves: the writes end earlier, or later, than it has joined.
        Verification verification = tier.verifyAll();
        double joined = figure(tier, "pages.joined");
        double share = joined / pages;
        System.out.printf(
                "a tenth of the rows was written: %.0f of %.0f pages received (%.1f %%), %.0f bytes of %.0f%n",
                joined,
                pages,
                100 * share,
                figure(tier, "pages.joined.bytes"),
                pages * PageOperations.PAGE_BYTES);
        assertThat(figure(tier, "pages.restored")).isGreaterThan(pages * 0.8);
        assertThat(share).isBetween(0.05, 0.2);
        assertThat(figure(tier, "pages.joined.bytes"))
                .isBetween(
                        joined * PageOperations.PAGE_BYTES,
                        joined * (PageOperations.PAGE_BYTES + 32));
        assertThat(verification.differences()).isEmpty();
        assertThat(verification.replicas()).isEqualTo(3);
    }

    private static void fill(Connection direct) throws SQLException {
        direct.createStatement().execute("CREATE DATABASE shop");
        direct.createStatement()
                .execute(
                        "CREATE TABLE shop.stock (id INT PRIMARY KEY, n INT NOT NULL, text VARCHAR(200) NOT NULL)");
        for (int from = 0; from < ROWS; from += 1000) {
            StringBuilder insert = new StringBuilder("INSERT INTO shop.stock VALUES ");
            for (int id = from; id < from + 1000; id++) {
                insert.append(id == from ? "" : ",")
                        .append("(%d, 0, '%s')".formatted(id, "x".repeat(150)));
            }
            direct.createStatement().execute(insert.toString());
        }
    }

    /// To the first rows only, one after another.
    private void write(int port) {
        try (Connection tier = connect("jdbc:mysql://127.0.0.1:" + port + "/shop");
                PreparedStatement update =
                        tier.prepareStatement("UPDATE stock SET n = n + 1 WHERE id = ?")) {
            while (!over) {
                update.setInt(1, written.get() * STRIDE % WRITTEN_ROWS);
                assertThat(update.executeUpdate()).isEqualTo(1);
                written.incrementAndGet();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitWrites() {
        int from = written.get();
        await("writes", () -> written.get() >= from + WRITTEN_ROWS / STRIDE);
    }

    private static double figure(LocalCluster tier, String name) {
        NodeStatus status = tier.replicas().get(SLAVE);
        return status == null ? -1 : status.figure(name);
    }

    private static Connection connect(String url) throws SQLException {
        return DriverManager.getConnection(url, ACCOUNT, ACCOUNT);
    }
}
