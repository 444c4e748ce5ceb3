package org.quiredb.node.terminal;

import java.util.List;
import java.util.concurrent.TimeUnit;

/// Shows on a terminal for how long something is under way that does not tell how far it is.
///
/// Threads: has one; closed by who began it.
public final class WaitingLine implements AutoCloseable {
    private static final long END_MILLIS = TimeUnit.SECONDS.toMillis(5);
    private static final long PERIOD_MILLIS = TimeUnit.SECONDS.toMillis(1);

    private final Screen screen;
    private final String what;
    private final Thread thread;

    private WaitingLine(Screen screen, String what) {
        this.screen = screen;
        this.what = what;
        thread = Thread.ofVirtual().name("waiting").unstarted(this::run);
    }

    public static WaitingLine begin(Screen screen, String what) {
        WaitingLine waiting = new WaitingLine(screen, what);
        waiting.thread.start();
        return waiting;
    }

    private void run() {
        try {
            for (int seconds = 0; ; seconds++) {
                String time = seconds == 0 ? "" : ", " + Durations.coarse(seconds);
                screen.show(new View(List.of(what + time), ""));
                Thread.sleep(PERIOD_MILLIS);
            }
        } catch (InterruptedException e) {
            screen.show(new View(List.of(), ""));
        }
    }

    /// Nothing of it is shown any more when it returns.
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
