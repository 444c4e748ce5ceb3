package org.quiredb.node.terminal;

import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Lines without escape sequences, for a pipe or a file.
///
/// Threads: any; guarded by itself.
final class PlainScreen implements Screen {
    static final int WIDTH = 100;
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final PrintWriter out;
    private final LongSupplier nanoTime;
    private long saidAtNanos;

    PlainScreen(PrintWriter out, LongSupplier nanoTime) {
        this.out = out;
        this.nanoTime = nanoTime;
        saidAtNanos = nanoTime.getAsLong();
    }

    @Override
    public synchronized void say(String text) {
        Lines.wrapped(text, WIDTH).forEach(out::println);
        out.flush();
    }

    @Override
    public synchronized void show(View now) {
        long nanos = nanoTime.getAsLong();
        if (nanos - saidAtNanos >= PERIOD_NANOS && !now.line().isEmpty()) {
            say(now.line());
            saidAtNanos = nanos;
        }
    }

    @Override
    public synchronized void end(String text) {
        say(text);
        saidAtNanos = nanoTime.getAsLong();
    }
}
