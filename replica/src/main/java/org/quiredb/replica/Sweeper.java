package org.quiredb.replica;

import org.quiredb.replica.page.PageStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reclaims, once a second, the page versions that no reader may ask for any more.
///
/// Threads: one of its own.
public final class Sweeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
    private static final long PERIOD_MILLIS = 1000;

    private final PageStore store;
    private final Thread thread;

    public Sweeper(PageStore store) {
        this.store = store;
        this.thread = Thread.ofPlatform().daemon().name("sweep").start(this::run);
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.sleep(PERIOD_MILLIS);
                long dropped = store.sweep();
                LOG.debug("reclaimed {} page versions", dropped);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
