package org.quiredb.node.command;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `quire lab`: experiments on a tier of processes on this machine.
@Command(
        name = "lab",
        description = "Experiments on a tier of processes on this machine.",
        mixinStandardHelpOptions = true,
        subcommands = {
            LabCalmCommand.class,
            LabColdStartCommand.class,
            LabFailoverCommand.class,
            LabKillsCommand.class,
            LabQueriesCommand.class,
            LabScalingCommand.class
        })
public final class LabCommand implements Runnable {
    @Spec private @Nullable CommandSpec spec;

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "Missing command: calm, coldstart, failover, kills, queries or scaling");
        }
    }
}
