package org.quiredb.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class QuireTest {

    @Test
    void versionIsPrintedOnOneLine() {
        Run run = run("--version");

        assertThat(run.exitCode()).isZero();
        assertThat(run.output()).startsWith("quire ").hasLineCount(1);
    }

    @Test
    void anUnknownCommandEndsWithUsageAndExitCodeTwo() {
        Run run = run("library");

        assertThat(run.exitCode()).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(run.errors()).contains("library").contains("Usage: quire");
    }

    @Test
    void noCommandAtAllEndsWithUsageAndExitCodeTwo() {
        Run run = run();

        assertThat(run.exitCode()).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(run.errors()).contains("Missing command").contains("Usage: quire");
    }

    private record Run(int exitCode, String output, String errors) {}

    private static Run run(String... arguments) {
        var output = new StringWriter();
        var errors = new StringWriter();
        int exitCode =
                Quire.commandLine()
                        .setOut(new PrintWriter(output))
                        .setErr(new PrintWriter(errors))
                        .execute(arguments);
        return new Run(exitCode, output.toString(), errors.toString());
    }
}
