package org.quiredb.node.command;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `quire tpcw`: the TPC-W bookstore on any MySQL server.
@Command(
        name = "tpcw",
        description = "Populates and runs the TPC-W bookstore on any MySQL server.",
        mixinStandardHelpOptions = true,
        subcommands = {TpcwPopulateCommand.class, TpcwRunCommand.class})
public final class TpcwCommand implements Runnable {
    @Spec private @Nullable CommandSpec spec;

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(spec.commandLine(), "Missing command: populate or run");
        }
    }
}
