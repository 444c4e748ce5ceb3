package org.quiredb.node.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.node.cluster.JavaCommand;

/// The lease of schedulers, in a real network that falls apart.
@Tag("long")
@Tag("slow")
final class CutOffTogetherTest {
    @TempDir private Path folder;

    @Test
    @Timeout(300)
    void aSchedulerThatIsCutOffWithAReplicaShowsNothingOld() throws Exception {
        assumeThat(LabNetwork.hindrance()).as("cuts are permitted here").isEmpty();
        Path said = folder.resolve("said.txt");
        List<String> program =
                JavaCommand.of(IslandMain.class, List.of("-Xmx400m"), List.of(folder.toString()));
        Process island =
                new ProcessBuilder(LabNetwork.made(program))
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
        try {
            assertThat(island.waitFor()).isZero();
        } finally {
            island.destroy();
        }
        List<String> lines = Files.readAllLines(said);
        assertThat(lines).contains("commits went on during the cut", "identical true", "0 stale");
    }
}
