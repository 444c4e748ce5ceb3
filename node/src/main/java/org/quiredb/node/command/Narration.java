package org.quiredb.node.command;

import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/// Lines that tell how far a command is.
///
/// Threads: any; guarded by itself.
final class Narration {
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final PrintWriter out;
    private long saidAt = System.nanoTime();

    Narration(PrintWriter out) {
        this.out = out;
    }

    /// Where the command line writes; the standard output outside of one.
    static Narration of(@Nullable CommandSpec spec) {
        return new Narration(
                spec == null
                        ? new PrintWriter(System.out, true, System.out.charset())
                        : spec.commandLine().getOut());
    }

    PrintWriter writer() {
        return out;
    }

    synchronized void say(String line) {
        out.println(line);
        out.flush();
        saidAt = System.nanoTime();
    }

    /// Says it when nothing was said for a second.
    synchronized void nowAndThen(Supplier<String> line) {
        if (System.nanoTime() - saidAt > PERIOD_NANOS) {
            say(line.get());
        }
    }
}
