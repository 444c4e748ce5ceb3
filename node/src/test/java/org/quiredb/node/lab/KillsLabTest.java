package org.quiredb.node.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.cluster.LocalCluster;

/// The experiment itself, on a small tier inside this JVM.
@Tag("slow")
final class KillsLabTest {
    private static final int KILLS = 4;

    /// Of which one of the four strikes everything.
    private static final long SEED = 6;

    @TempDir private Path data;

    @Test
    @Tag("long")
    @Timeout(480)
    void nothingIsLostWhenWhateverThereIsIsKilled() throws Exception {
        try (LabTier tier = tier()) {
            KillsLab lab = new KillsLab(tier, SEED, System.out::println);
            KillsLab.Outcome outcome = lab.run(KILLS, Duration.ofMinutes(5));
            assertThat(outcome.good()).as("%s", outcome).isTrue();
            assertThat(outcome.acknowledged()).isPositive();
            assertThat(outcome.kills()).containsKey("everything").hasSizeGreaterThan(1);
            assertThat(outcome.verification().backends()).isEqualTo(2);
            assertThat(lab.account().getFirst()).contains("everything=1");
        }
    }

    @Test
    @Timeout(180)
    void aTransactionThatIsNotThereIsNoticed() throws Exception {
        try (LabTier tier = tier()) {
            Ledger ledger = Ledger.openWriting(tier.url("ledger"), "quire", "quire");
            try (ledger) {
                KillsLab.awaitGoingOn(ledger);
            }
            tier.cluster().verify(); // which waits until the backends have all
            try (Connection backend = tier.direct().getFirst();
                    Statement statement = backend.createStatement()) {
                assertThat(ledger.lost(backend)).isZero();
                assertThat(ledger.anomalies()).isEmpty();
                statement.execute("UPDATE ledger.shared SET k = k - 1 WHERE k > 0 LIMIT 1");
                statement.execute("DELETE FROM ledger.entry ORDER BY id LIMIT 1");
                assertThat(ledger.lost(backend)).isEqualTo(1);
                assertThat(ledger.anomalies()).hasSize(2);
            }
        }
    }

    private LabTier tier() throws SQLException {
        return new LabTier(
                FreshBackend.prepare(data),
                FreePorts.next(),
                LabTier.Layout.against(Victim.EVERYTHING, 1, 0),
                KillsLabTest::fill,
                config -> LocalCluster.inside(config, 0));
    }

    private static void fill(EmbeddedBackend backend) throws SQLException {
        try (Connection direct = DriverManager.getConnection(backend.jdbcUrl(), "quire", "quire")) {
            Ledger.create(direct);
        }
    }
}
