package org.quiredb.common.lifecycle;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// What an owner has started, to be ended last first.
///
/// Invariant: a part is ended exactly once, also one that is added after the end began: whoever
/// starts the parts may still be at it when somebody else ends them. Threads: any; guarded by
/// itself, no part is ended under its lock.
public final class Parts implements AutoCloseable {
    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private boolean closed;

    /// @throws IllegalStateException when the end has begun; the part is ended then
    public <T extends AutoCloseable> T add(T part) {
        if (!kept(part)) {
            RuntimeException stopped = new IllegalStateException("it is being stopped");
            RuntimeException failed = end(part, null);
            if (failed != null) {
                stopped.addSuppressed(failed);
            }
            throw stopped;
        }
        return part;
    }

    /// Ends every part, whatever the others do.
    ///
    /// @throws RuntimeException the first failure, the others suppressed in it
    @Override
    public void close() {
        RuntimeException failure = null;
        for (AutoCloseable part = next(); part != null; part = next()) {
            failure = end(part, failure);
        }
        if (failure != null) {
            throw failure;
        }
    }

    /// Ends every part because starting failed.
    public void closeAfter(Throwable cause) {
        try {
            close();
        } catch (RuntimeException e) {
            cause.addSuppressed(e);
        }
    }

    private synchronized boolean kept(AutoCloseable part) {
        if (!closed) {
            started.push(part);
        }
        return !closed;
    }

    private synchronized @Nullable AutoCloseable next() {
        closed = true;
        return started.poll();
    }

    private static @Nullable RuntimeException end(
            AutoCloseable part, @Nullable RuntimeException earlier) {
        try {
            part.close();
            return earlier;
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            RuntimeException failure =
                    earlier == null ? new IllegalStateException("a part did not stop", e) : earlier;
            if (earlier != null) {
                earlier.addSuppressed(e);
            }
            return failure;
        }
    }
}
