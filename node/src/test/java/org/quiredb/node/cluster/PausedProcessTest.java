package org.quiredb.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A process of a real tier stands still under load (SIGSTOP): its sockets stay open, and nobody
/// waits for it long. When it goes on it finds itself put out, and comes back with the data that it
/// missed.
@Tag("long")
@Tag("slow")
final class PausedProcessTest {
    private static final int MEMORY_MEGABYTES = 1600;

    /// Far beyond what is promised, for the machine may be busy with other tests, and far below the
    /// limits of a statement.
    private static final long LONGEST_WAIT_MILLIS = 8_000;

    @TempDir private Path data;

    @Test
    @Timeout(300)
    void nobodyWaitsLongForASlaveOrAMasterThatStandsStill() throws Exception {
        ProcessOptions options =
                new ProcessOptions(
                        data.resolve("processes"), 0, MEMORY_MEGABYTES, FailoverTier.REPLICAS);
        try (FailoverTier failover =
                new FailoverTier(data, config -> LocalCluster.processes(config, options))) {
            failover.progress("before");
            standStill(failover, "slave-1");
            standStill(failover, failover.tier().leader());
            failover.verify();
        }
    }

    private static void standStill(FailoverTier failover, String process) {
        String role = process.equals(failover.tier().leader()) ? "master" : "slave";
        failover.tier().pause(process);
        failover.progress("while %s %s stands still".formatted(role, process), LONGEST_WAIT_MILLIS);
        assertThat(failover.tier().leader()).isNotEqualTo(process);
        failover.tier().resume(process);
        failover.progress("after %s went on".formatted(process));
    }
}
