package org.quiredb.replica;

import org.quiredb.replica.file.PageFileException;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.page.PageStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes the page store down, round after round, while the replica serves.
///
/// Threads: one of its own.
public final class Checkpointer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpointer.class);

    private final PageStore store;
    private final Progress progress;
    private final long pauseMillis;
    private final Thread thread;
    private volatile boolean closed;

    /// @param pauseMillis between two rounds
    public Checkpointer(PageStore store, Progress progress, long pauseMillis) {
        this.store = store;
        this.progress = progress;
        this.pauseMillis = pauseMillis;
        this.thread = Thread.ofPlatform().daemon().name("checkpoint").start(this::run);
    }

    /// Returns when the thread has ended: nothing is written any more.
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!closed) {
                Thread.sleep(pauseMillis);
                if (progress.state() == Progress.State.SERVING) {
                    store.checkpoints()
                            .write(table ->
                                    progress.classOf(table).map(progress::received).orElse(0L));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (PageFileException e) {
            LOG.debug("no more checkpoints", e); // the file has told who is to know
        }
    }
}
