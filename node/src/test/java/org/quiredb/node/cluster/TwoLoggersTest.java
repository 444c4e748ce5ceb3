package org.quiredb.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.node.Await.await;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.message.NodeStatus;

/// Two loggers, one of which is active, under clients that write all the time.
@Tag("slow")
final class TwoLoggersTest {
    @TempDir private Path folder;

    @Test
    void clientsWaitAMomentWhenTheActiveLoggerIsKilledAndWhenItHangs() throws Exception {
        try (TwoLoggersTier tier =
                new TwoLoggersTier(
                        folder, "logged", c -> new SpawnedProcess(List.of(), c, folder, 192))) {
            NodeStatus killed = tier.activeLogger();
            signal("KILL", killed);
            tier.progress("killed");
            assertThat(tier.activeLogger().name()).isNotEqualTo(killed.name());

            int number = killed.name().equals("logger-0") ? 0 : 1;
            tier.add(
                    new SpawnedProcess(
                            List.of(), tier.logger(number), folder.resolve("again"), 192));
            await("a standby", () -> tier.nodes("standby").count() == 1);
            NodeStatus stopped = tier.activeLogger();
            signal("STOP", stopped);
            tier.progress("stopped");
            signal("CONT", stopped);
            await("a standby", () -> tier.nodes("standby").count() == 1);
            assertThat(tier.activeLogger().name()).isEqualTo(killed.name());
            tier.progress("both");
            tier.verify(2);
        }
    }

    @Test
    void whereReplicasAreEnoughClientsGoOnWhileTheLogStandsStillAndAnHeirLogsWhatIsMissing()
            throws Exception {
        try (TwoLoggersTier tier = new TwoLoggersTier(folder, "replicated", ThreadedProcess::new)) {
            try (Connection holder = tier.direct();
                    Statement statement = holder.createStatement()) {
                holder.setAutoCommit(false);
                // Whoever writes the log waits for this row.
                statement.executeQuery(
                        "SELECT 1 FROM quire.logger_active FORCE INDEX (term) FOR UPDATE");
                tier.progress("without the log");
                tier.progress("still without the log");
                assertThat(logged(tier)).isLessThan(tier.load().acknowledged());
                tier.killMaster();
            }
            tier.progress("with the heir", 1213);
            tier.verify(1);
        }
    }

    private static long logged(TwoLoggersTier tier) throws Exception {
        try (Connection direct = tier.direct();
                Statement statement = direct.createStatement();
                var row =
                        statement.executeQuery(
                                "SELECT MAX(commit_number) FROM quire.commit_log WHERE class_name = 'default'")) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void signal(String name, NodeStatus process) throws Exception {
        Process kill =
                new ProcessBuilder("kill", "-" + name, Long.toString(process.processId()))
                        .inheritIO()
                        .start();
        assertThat(kill.waitFor()).isZero();
    }
}
