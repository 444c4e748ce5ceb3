package org.quiredb.node.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.tpcw.population.Population;
import org.quiredb.tpcw.run.WorkloadConfig;

/// The experiment itself, on a small tier inside this JVM.
@Tag("slow")
final class FailoverLabTest {
    private static final int ITEMS = 200;
    private static final int CUSTOMERS = 288;
    private static final int LONGER_THAN_THE_TEST = 3_600;

    @TempDir private Path data;

    @Test
    @Timeout(180)
    void tellsWhatTheDeathsOfASlaveAndALoggerCost() throws Exception {
        LabTier.Layout layout = LabTier.Layout.against(Victim.LOGGER, 1, 0);
        try (LabTier tier =
                new LabTier(
                        FreshBackend.prepare(data),
                        FreePorts.next(),
                        layout,
                        FailoverLabTest::fill,
                        config -> LocalCluster.inside(config, 0))) {
            FailoverLab lab =
                    new FailoverLab(
                            tier,
                            new FailoverLab.Plan(
                                    List.of(Victim.SLAVE, Victim.LOGGER), Fault.KILL, 2, 20, 1),
                            1,
                            System.out::println);
            String active = tier.cluster().activeLogger().orElseThrow();
            FailoverLab.Outcome outcome =
                    lab.run(
                            WorkloadConfig.of(tier.url("tpcw"), "quire", "quire")
                                    .withBrowsers(2, 0)
                                    .withSeconds(LONGER_THAN_THE_TEST, 0));
            assertThat(outcome.good()).as("%s", outcome).isTrue();
            assertThat(outcome.acknowledged()).isPositive();
            assertThat(outcome.kills()).allSatisfy(FailoverLabTest::wasSurvived);

            KillCost slave = outcome.kills().getFirst();
            assertThat(slave.role()).isEqualTo("slave");
            assertThat(slave.detectionMillis()).isPresent();
            assertThat(slave.json()).containsKeys("receivedPages", "longestStallMillis");

            KillCost logger = outcome.kills().getLast();
            assertThat(logger.process()).isEqualTo(active);
            assertThat(logger.takeoverMillis()).isPresent();
            assertThat(tier.cluster().activeLogger()).isPresent().isNotEqualTo(Optional.of(active));
        }
    }

    private static void wasSurvived(KillCost kill) {
        assertThat(kill.connectionsLost()).isZero();
        assertThat(kill.longestWriteMillis()).isPositive();
    }

    @Test
    void onlyAProcessThatGoesOnCanBePausedOrCutOff() {
        assertThatThrownBy(
                        () -> new FailoverLab.Plan(List.of(Victim.BACKEND), Fault.PAUSE, 1, 1, 1))
                .hasMessage(
                        "only a scheduler, a logger or a replica can be paused or cut off, not backend");
    }

    private static void fill(EmbeddedBackend backend) throws SQLException {
        try (Connection direct = DriverManager.getConnection(backend.jdbcUrl(), "quire", "quire")) {
            Ledger.create(direct);
        }
        Population.populate(
                backend.jdbcUrl() + "tpcw?createDatabaseIfNotExist=true",
                "quire",
                "quire",
                ITEMS,
                CUSTOMERS,
                1,
                (step, rows, total) -> {});
    }
}
