package org.quiredb.node.command.option;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.terminal.Logs;
import org.quiredb.node.terminal.Screen;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/// Where a command that runs roles itself leaves their log.
public final class LogOptions {
    @Option(
            names = "--verbose",
            description = "write the log to standard error too, and no picture that is redrawn")
    private boolean verbose;

    public Screen screen(@Nullable CommandSpec spec) {
        return Screen.of(spec, verbose);
    }

    /// From now on the log goes to FOLDER/quire.log.
    public Logs toFile(Path folder) {
        return Logs.toFile(folder, verbose);
    }
}
