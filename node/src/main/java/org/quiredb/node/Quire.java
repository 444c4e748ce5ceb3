package org.quiredb.node;

import org.jspecify.annotations.Nullable;
import org.quiredb.node.command.DemoCommand;
import org.quiredb.node.command.LabCommand;
import org.quiredb.node.command.NodeCommand;
import org.quiredb.node.command.StatusCommand;
import org.quiredb.node.command.TopCommand;
import org.quiredb.node.command.TpcwCommand;
import org.quiredb.node.command.VerifyCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The `quire` command line. Each subcommand is a class of its own; this one only names them.
@Command(
        name = "quire",
        description = "An in-memory, replicated SQL tier between MySQL applications and InnoDB.",
        mixinStandardHelpOptions = true,
        subcommands = {
            DemoCommand.class,
            LabCommand.class,
            NodeCommand.class,
            StatusCommand.class,
            TopCommand.class,
            VerifyCommand.class,
            TpcwCommand.class
        },
        versionProvider = Quire.Version.class)
public final class Quire implements Runnable {

    @Spec private @Nullable CommandSpec spec;

    private Quire() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /// The whole command line, ready to execute.
    static CommandLine commandLine() {
        return new CommandLine(new Quire())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler(Quire::reported);
    }

    /// One line that says what happened, for people; the trace only where it was asked for.
    private static int reported(
            Exception failure, CommandLine command, CommandLine.ParseResult result) {
        String reason =
                String.valueOf(failure.getMessage())
                        .lines()
                        .findFirst()
                        .orElse(failure.getClass().getSimpleName());
        command.getErr().println("quire: " + reason);
        if (Boolean.getBoolean("quire.trace")) {
            failure.printStackTrace(command.getErr());
        }
        return command.getCommandSpec().exitCodeOnExecutionException();
    }

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(spec.commandLine(), "Missing command");
        }
    }

    /// The version in the manifest of the jar that this class came from.
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Quire.class.getPackage().getImplementationVersion();
            return new String[] {"quire " + (version == null ? "(not packaged)" : version)};
        }
    }
}
