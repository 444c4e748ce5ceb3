package org.quiredb.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.node.Await.await;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.config.ClassSection;

/// Four classes on three replicas, each of them master of at least one.
@Tag("slow")
final class ManyMastersTest {
    private static final List<ClassSection> CLASSES =
            List.of(
                    new ClassSection("class0", "master", List.of()),
                    new ClassSection("class1", "slave-1", List.of()),
                    new ClassSection("class2", "slave-2", List.of()),
                    new ClassSection("class3", "slave-2", List.of()));

    @TempDir private Path data;

    @Test
    @Timeout(180)
    void fourClassesAreUpdatedSideBySideAndReadAtOneTagWhileAMasterDies() throws Exception {
        try (EmbeddedBackend backend = FreshBackend.start(data)) {
            try (Connection direct =
                    DriverManager.getConnection(backend.jdbcUrl(), "quire", "quire")) {
                ManyMastersLoad.create(direct);
            }
            ClusterConfig config =
                    new ClusterConfig(0, backend.port(), data, 2, 0, "quire", "quire")
                            .with(CLASSES);
            try (LocalCluster tier = LocalCluster.inside(config.over(backend), 0)) {
                tier.startBackend();
                tier.startTier(statuses -> {});
                run(tier);
            }
        }
    }

    private static void run(LocalCluster tier) throws Exception {
        await(
                "spread",
                () -> master(tier, 1).equals("slave-1") && master(tier, 2).equals("slave-2"));
        assertThat(master(tier, 0)).isEqualTo("master");
        assertThat(master(tier, 3)).isEqualTo("slave-2");
        String url = "jdbc:mysql://127.0.0.1:%d/".formatted(tier.port());
        crossingIsRefusedAndTheTransactionGoesOn(url);
        ManyMastersLoad load = new ManyMastersLoad(url);
        load.start();
        try {
            progress(load, "with all masters");
            tier.kill("slave-2");
            progress(load, "over the death of the master of class2 and class3");
            assertThat(master(tier, 0)).isEqualTo("master");
            assertThat(master(tier, 1)).isEqualTo("slave-1");
            assertThat(master(tier, 2)).isNotEqualTo("slave-2");
            tier.revive("slave-2");
            await(
                    "return",
                    () -> master(tier, 2).equals("slave-2") && master(tier, 3).equals("slave-2"));
            progress(load, "after the return");
        } finally {
            load.close();
        }
        load.failIfAnyClientDid();
        assertThat(tier.verify().differences()).isEmpty();
    }

    private static void crossingIsRefusedAndTheTransactionGoesOn(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, "quire", "quire");
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.executeUpdate("UPDATE class0.chain SET number = 0 WHERE id = 1");
            Assertions.assertThatThrownBy(() ->
                            statement.executeUpdate(
                                    "UPDATE class1.chain SET number = 7 WHERE id = 1"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1235))
                    .hasMessageContaining("table class1.chain is of class class1")
                    .hasMessageContaining("the transaction is of class class0");
            statement.executeUpdate("UPDATE class0.chain SET number = 0 WHERE id = 1");
            connection.commit();
        }
    }

    private static void progress(ManyMastersLoad load, String when) {
        load.resetStalls();
        int[] from = load.transfers();
        int reads = load.reads();
        await(
                when + ": " + load.report(),
                () -> {
                    load.failIfAnyClientDid();
                    int[] now = load.transfers();
                    for (int c = 0; c < now.length; c++) {
                        if (now[c] < from[c] + 50) {
                            return false;
                        }
                    }
                    return load.reads() > reads + 20;
                });
        System.out.println(when + ": " + load.report());
    }

    private static String master(LocalCluster tier, int number) {
        Optional<String> master = tier.masterOf(new ConflictClass("class" + number));
        return master.orElse("");
    }
}
