package org.quiredb.node.terminal;

import java.io.Console;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/// Where a command says what happens and shows how things stand.
public sealed interface Screen permits LiveScreen, PlainScreen {
    /// The command's own: in place when a person looks at a terminal, else in lines.
    ///
    /// @param verbose whether log lines are written to the terminal too, which tear a picture
    static Screen of(@Nullable CommandSpec spec, boolean verbose) {
        PrintWriter out =
                spec == null
                        ? new PrintWriter(System.out, true, System.out.charset())
                        : spec.commandLine().getOut();
        return isTerminal() && !verbose
                ? new LiveScreen(out)
                : new PlainScreen(out, System::nanoTime);
    }

    private static boolean isTerminal() {
        String kind = System.getenv("TERM");
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent()
                && kind != null
                && !kind.equals("dumb");
    }

    /// Whether bars may be drawn with blocks.
    static boolean hasBlocks() {
        Charset charset = System.out.charset();
        return charset.canEncode() && charset.newEncoder().canEncode('█');
    }

    /// A sentence, or several lines, that stay; what is too long is continued on the next line.
    void say(String text);

    /// Takes the place of what was shown before.
    void show(View now);

    /// Ends a phase: what was shown goes, what is said stays.
    void end(String text);
}
