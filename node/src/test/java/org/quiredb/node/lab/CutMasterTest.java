package org.quiredb.node.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.node.cluster.JavaCommand;

/// Cuts the master of a small tier of processes off from all others, as the command does.
@Tag("slow")
final class CutMasterTest {
    /// Of all processes, which do little and begin at once.
    private static final List<String> FAST_START =
            List.of("-Xmx400m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    @TempDir private Path folder;

    @Test
    @Tag("long")
    @Timeout(180)
    void aMasterThatIsCutOffLosesNothingAndComesBack() throws Exception {
        assumeThat(LabNetwork.hindrance()).as("cuts are permitted here").isEmpty();
        Path said = folder.resolve("said.txt");
        Process lab =
                new ProcessBuilder(JavaCommand.quire(FAST_START, arguments()))
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
        try {
            assertThat(lab.waitFor()).as(() -> read(said)).isZero();
        } finally {
            lab.destroy();
        }
        assertThat(read(said).replaceAll("\\s+", " ")) // it breaks its lines
                .contains("cutting off master, which is master")
                .containsPattern(" 0 connections lost, \\d+ retries, failed nothing")
                .contains("0 lost, 0 anomalies; 2 replicas and 1 backend identical");
    }

    private List<String> arguments() {
        return List.of(
                "lab",
                "failover",
                "--kill",
                "master",
                "--cut",
                "--slaves",
                "1",
                "--spares",
                "0",
                "--steady-seconds",
                "2",
                "--items",
                "100",
                "--customers",
                "288",
                "--browsers",
                "2",
                "--processes-memory",
                "1000",
                "--backend-port",
                String.valueOf(FreePorts.next()),
                "--data",
                folder.toString());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
