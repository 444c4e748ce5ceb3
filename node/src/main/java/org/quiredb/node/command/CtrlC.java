package org.quiredb.node.command;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Ctrl-C interrupts the command's thread, and the program ends when that has cleaned up.
///
/// Threads: opened and closed by the command's.
final class CtrlC implements AutoCloseable {
    private static final int LIMIT_SECONDS = 90;

    private final Thread command = Thread.currentThread();
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stop, "stop");

    private CtrlC() {}

    static CtrlC begin() {
        CtrlC interruption = new CtrlC();
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    private void stop() {
        command.interrupt();
        try {
            boolean _ = over.await(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// All is cleaned up.
    @Override
    public void close() {
        over.countDown();
        try {
            boolean _ = Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // the program is ending
        }
    }
}
