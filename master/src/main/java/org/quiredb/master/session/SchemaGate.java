package org.quiredb.master.session;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;

/// Lets update transactions through side by side, and a schema change alone.
///
/// At the bound: past so many open transactions the next one waits for one to end, up to the wait
/// limit. Threads: any.
public final class SchemaGate {
    private final int maximumTransactions;
    private final long waitMillis;
    private final Semaphore passes;

    public SchemaGate(int maximumTransactions, long waitMillis) {
        this.maximumTransactions = maximumTransactions;
        this.waitMillis = waitMillis;
        this.passes = new Semaphore(maximumTransactions, true);
    }

    public void enter() {
        acquire(1, "Lock wait timeout exceeded; try restarting transaction");
    }

    public void leave() {
        passes.release();
    }

    /// Waits until no update transaction is open, and lets none in until {@link #open}.
    public void close() {
        acquire(maximumTransactions, "Lock wait timeout exceeded; update transactions stayed open");
    }

    /// As {@link #close}, if that comes about in this time.
    public boolean tryClose(long limitMillis) throws InterruptedException {
        return passes.tryAcquire(maximumTransactions, limitMillis, TimeUnit.MILLISECONDS);
    }

    public void open() {
        passes.release(maximumTransactions);
    }

    /// The number of transactions that are open now.
    public int inside() {
        return maximumTransactions - passes.availablePermits();
    }

    private void acquire(int permits, String timedOut) {
        try {
            if (!passes.tryAcquire(permits, waitMillis, TimeUnit.MILLISECONDS)) {
                throw new QuireException(ErrorCode.LOCK_WAIT_TIMEOUT, timedOut);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuireException(
                    ErrorCode.QUERY_INTERRUPTED, "Query execution was interrupted", e);
        }
    }
}
