package org.quiredb.node.command.option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/// Where an experiment's tier of processes lives, and how much of this machine it may have.
public final class LabPlace {
    @Option(
            names = "--data",
            description = "folder of the database and of the logs (default: ${DEFAULT-VALUE})",
            defaultValue = "quire-lab")
    private Path data = Path.of("quire-lab");

    @Option(
            names = "--backend-port",
            description = "of the embedded MariaDB (default: ${DEFAULT-VALUE})",
            defaultValue = "3308")
    private int backendPort;

    @Option(
            names = "--processes-memory",
            paramLabel = "MB",
            description = "heaps of all processes together (default: ${DEFAULT-VALUE})",
            defaultValue = "6000")
    private long processesMemory;

    public Path folder() {
        return data.toAbsolutePath();
    }

    /// One below it that ends with the experiment.
    public LabFolder temporary(String name) throws IOException {
        return new LabFolder(Files.createTempDirectory(Files.createDirectories(folder()), name));
    }

    public int backendPort() {
        return backendPort;
    }

    /// In MB.
    public long processesMemory() {
        return processesMemory;
    }
}
