package org.quiredb.master.session;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;

/// Lets update transactions through side by side, and a schema change alone.
///
/// While a schema change waits for those that are open, others wait behind it: so it waits for a
/// little while, lets through who came meanwhile, and waits again, longer; and only one of the
/// schema changes that are to come does. One transaction that stays open keeps them waiting up to
/// the wait limit, and nobody else for more than {@link #LONGEST_WINDOW_MILLIS}.
///
/// A schema change that runs is waited for until it is over, as MySQL's locks of tables'
/// definitions are: however long the backend takes for it, or waits for who reads a table there.
///
/// At the bound: past so many open transactions the next one waits for one to end, up to the wait
/// limit. Threads: any.
public final class SchemaGate {
    static final long LONGEST_WINDOW_MILLIS = 1_000;
    private static final long FIRST_WINDOW_MILLIS = 100;

    private final int maximumTransactions;
    private final long waitMillis;
    private final Semaphore passes;
    private final Semaphore turn = new Semaphore(1, true);
    private final AtomicLong closings = new AtomicLong();
    private volatile boolean closed;

    public SchemaGate(int maximumTransactions, long waitMillis) {
        this.maximumTransactions = maximumTransactions;
        this.waitMillis = waitMillis;
        this.passes = new Semaphore(maximumTransactions, true);
    }

    /// @throws QuireException LOCK_WAIT_TIMEOUT when none of too many transactions ends in time;
    ///   QUERY_INTERRUPTED
    public void enter() {
        long before = closings.get();
        while (!interruptibly(() -> passes.tryAcquire(1, waitMillis, MILLISECONDS))) {
            long now = closings.get();
            if (!closed && now == before) {
                throw timedOut();
            }
            before = now;
        }
    }

    /// As {@link #enter}, beside one that is inside and that a schema change waits for all the
    /// same: whoever works for that one is not to wait behind the change.
    public void enterBeside() {
        if (!passes.tryAcquire()) { // which passes those who wait
            enter();
        }
    }

    public void leave() {
        passes.release();
    }

    /// Waits until no update transaction is open, and lets none in until {@link #open}.
    public void close() {
        close(waitMillis);
    }

    /// As {@link #close}, for at most so long or a {@link #LONGEST_WINDOW_MILLIS window}: a little
    /// less would find some transaction open wherever many come and go.
    public void close(long mostMillis) {
        long limitMillis = Math.min(waitMillis, Math.max(mostMillis, LONGEST_WINDOW_MILLIS));
        long deadlineNanos = System.nanoTime() + MILLISECONDS.toNanos(limitMillis);
        if (!interruptibly(() -> turn.tryAcquire(limitMillis, MILLISECONDS))) {
            throw timedOut();
        }
        try {
            closeBefore(deadlineNanos);
        } finally {
            turn.release();
        }
    }

    private void closeBefore(long deadlineNanos) {
        long windowMillis = FIRST_WINDOW_MILLIS;
        long leftMillis = leftMillis(deadlineNanos);
        while (!closes(Math.min(windowMillis, leftMillis))) {
            windowMillis = Math.min(2 * windowMillis, LONGEST_WINDOW_MILLIS);
            leftMillis = leftMillis(deadlineNanos);
            if (leftMillis <= 0) {
                throw timedOut();
            }
        }
    }

    private static long leftMillis(long deadlineNanos) {
        return NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
    }

    private boolean closes(long limitMillis) {
        return interruptibly(() -> tryClose(limitMillis));
    }

    private static QuireException timedOut() {
        return new QuireException(
                ErrorCode.LOCK_WAIT_TIMEOUT,
                "Lock wait timeout exceeded; try restarting transaction");
    }

    /// As {@link #close}, if that comes about in this time.
    public boolean tryClose(long limitMillis) throws InterruptedException {
        boolean closes = passes.tryAcquire(maximumTransactions, limitMillis, MILLISECONDS);
        if (closes) {
            closed = true;
            closings.incrementAndGet();
        }
        return closes;
    }

    public void open() {
        closed = false;
        passes.release(maximumTransactions);
    }

    /// The number of transactions that are open now.
    public int inside() {
        return maximumTransactions - passes.availablePermits();
    }

    private static boolean interruptibly(Callable<Boolean> wait) {
        try {
            return StopSignal.current().whileWaiting(wait);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            Thread.currentThread().interrupt();
            throw new QuireException(
                    ErrorCode.QUERY_INTERRUPTED, "Query execution was interrupted", e);
        }
    }
}
