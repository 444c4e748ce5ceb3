package org.quiredb.node.top;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;

/// The loop between a console and a terminal.
///
/// Threads: one.
public final class Top {
    private static final long REFRESH_MILLIS = 1_000;

    private Top() {}

    /// Returns when somebody has pressed `q`.
    ///
    /// @throws org.quiredb.common.error.QuireException when the console does not answer any more,
    ///   or this is no terminal
    public static void run(ConsoleLink console, TopView view, PrintWriter out, InputStream in)
            throws IOException, InterruptedException {
        var state = console.state();
        try (Terminal terminal = new Terminal(out, in)) {
            long next = System.nanoTime() + REFRESH_MILLIS * 1_000_000;
            while (true) {
                Terminal.Size size = terminal.size();
                terminal.show(view.page(state, size.rows(), size.columns()));
                long leftMillis = (next - System.nanoTime()) / 1_000_000;
                String key = leftMillis > 0 ? terminal.key(leftMillis) : "";
                if (!view.press(key)) {
                    return;
                }
                if (key.isEmpty()) {
                    state = console.state();
                    next = System.nanoTime() + REFRESH_MILLIS * 1_000_000;
                }
            }
        }
    }
}
