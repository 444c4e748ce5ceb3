package org.quiredb.replica;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.quiredb.replica.file.PageFileException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A thread that does the same again and again, and is asked to end rather than interrupted: an
/// interrupt amid the work of the file of pages fails that file.
///
/// Threads: one of its own.
final class Rounds implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Rounds.class);

    /// Whether the work is to end soon.
    @FunctionalInterface
    interface Ending {
        boolean isDue();
    }

    private final long pauseNanos;
    private final Consumer<Ending> round;
    private final Thread thread;
    private volatile boolean closed;

    /// @param pauseMillis before each round
    /// @param round leaves off when its ending is due, if it takes long
    Rounds(String name, long pauseMillis, Consumer<Ending> round) {
        this.pauseNanos = TimeUnit.MILLISECONDS.toNanos(pauseMillis);
        this.round = round;
        this.thread = Thread.ofPlatform().daemon().name(name).start(this::run);
    }

    private void run() {
        try {
            while (pause()) {
                round.accept(() -> closed);
            }
        } catch (PageFileException e) {
            LOG.debug("no more rounds", e); // the file has told who is to know
        }
    }

    private boolean pause() {
        long until = System.nanoTime() + pauseNanos;
        for (long left = pauseNanos; !closed && left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
        return !closed;
    }

    /// Returns when the thread has ended, however often its caller is interrupted: what it works
    /// with is taken away next.
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (thread.isAlive() && !thread.equals(Thread.currentThread())) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
