package org.quiredb.master.lock;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.replica.tree.KeyRange;
import org.quiredb.replica.tree.KeySpace;
import org.quiredb.replica.tree.LockMode;

/// The threaded edge of the {@link LockTable}: a transaction's thread waits here until its range is
/// granted.
///
/// Threads: any; guarded by `mutex`. A transaction asks from one thread at a time.
public final class LockManager {
    /// A transaction that holds more in one index takes the whole index: a few megabytes at most.
    private static final int MAXIMUM_RANGES = 16_384;

    /// Told of at a time.
    private static final int TOLD = 16;

    private final ReentrantLock mutex = new ReentrantLock();
    private final LockTable table = new LockTable(MAXIMUM_RANGES);
    private final Map<Long, Waiting> waiting = new HashMap<>();

    /// @param since as `System.nanoTime()` tells
    private record Waiting(Condition granted, long since) {}

    /// Who was waiting when it was chosen, and has not been told yet.
    private final Set<Long> victims = new HashSet<>();

    private long waits;
    private long waitedNanos;
    private long deadlocks;
    private long timeouts;

    /// Returns when the transaction holds the range in that mode.
    ///
    /// @param deadlineNanos a `System.nanoTime()` past which the wait is given up
    /// @throws QuireException DEADLOCK: roll the transaction back; LOCK_WAIT_TIMEOUT: undo the
    ///   statement; QUERY_INTERRUPTED: likewise
    public void acquire(
            long transaction, KeySpace space, KeyRange range, LockMode mode, long deadlineNanos) {
        StopSignal.@Nullable Watch watch = null;
        mutex.lock();
        try {
            LockTable.Answer answer = table.request(transaction, space, range, mode);
            victims.addAll(answer.victims());
            wake(answer.victims());
            wake(answer.granted());
            switch (answer.outcome()) {
                case GRANTED -> {}
                case WAITS -> {
                    StopSignal signal = StopSignal.current();
                    watch = signal.watch(() -> lookAgain(transaction));
                    await(transaction, deadlineNanos, signal);
                }
                case DEADLOCK -> throw deadlock();
            }
        } finally {
            mutex.unlock();
            if (watch != null) { // without the mutex, which its action may be waiting for
                watch.close();
            }
        }
    }

    /// As {@link #acquire}, without waiting.
    ///
    /// @return whether the transaction holds the range
    public boolean tryAcquire(long transaction, KeySpace space, KeyRange range, LockMode mode) {
        mutex.lock();
        try {
            return table.requestNow(transaction, space, range, mode);
        } finally {
            mutex.unlock();
        }
    }

    /// The statement that the transaction runs has lost deadlocks before: it is the less likely to
    /// lose again.
    public void lostBefore(long transaction, int times) {
        mutex.lock();
        try {
            table.lostBefore(transaction, times);
        } finally {
            mutex.unlock();
        }
    }

    /// The transaction passes what its host holds, until it ends.
    public void guestOf(long host, long transaction) {
        mutex.lock();
        try {
            table.guestOf(host, transaction);
        } finally {
            mutex.unlock();
        }
    }

    private QuireException deadlock() {
        deadlocks++;
        return new QuireException(
                ErrorCode.DEADLOCK,
                "Deadlock found when trying to get lock; try restarting transaction");
    }

    public void releaseAll(long transaction) {
        mutex.lock();
        try {
            wake(table.releaseAll(transaction));
        } finally {
            mutex.unlock();
        }
    }

    /// What happened since the start.
    ///
    /// @param waitingNow transactions that wait at this moment
    /// @param waits requests that were not granted at once
    /// @param waitedNanos how long they waited, all together
    /// @param deadlocks requests refused because of a cycle of waiting
    /// @param timeouts waits that reached their limit
    public record Figures(
            int waitingNow, long waits, long waitedNanos, long deadlocks, long timeouts) {}

    public Figures figures() {
        mutex.lock();
        try {
            return new Figures(waiting.size(), waits, waitedNanos, deadlocks, timeouts);
        } finally {
            mutex.unlock();
        }
    }

    /// A transaction that waits.
    ///
    /// @param blockers at most {@link #TOLD} of those that it waits for
    public record Wait(long transaction, int tableId, List<Long> blockers, long nanos) {}

    /// Who waits, at most {@link #TOLD} of them, those who have waited longest first.
    public List<Wait> waits() {
        mutex.lock();
        try {
            long now = System.nanoTime();
            return waiting.entrySet().stream()
                    .filter(entry -> table.waits(entry.getKey()))
                    .sorted(Comparator.comparingLong(entry -> entry.getValue().since - now))
                    .limit(TOLD)
                    .map(entry -> told(entry.getKey(), now - entry.getValue().since))
                    .toList();
        } finally {
            mutex.unlock();
        }
    }

    private Wait told(long transaction, long nanos) {
        return new Wait(
                transaction,
                table.tableWaitedFor(transaction),
                table.blockers(transaction).stream().limit(TOLD).toList(),
                nanos);
    }

    private void lookAgain(long transaction) {
        mutex.lock();
        try {
            wake(List.of(transaction));
        } finally {
            mutex.unlock();
        }
    }

    private void await(long transaction, long deadlineNanos, StopSignal signal) {
        Condition granted = mutex.newCondition();
        long since = System.nanoTime();
        waiting.put(transaction, new Waiting(granted, since));
        waits++;
        try {
            while (table.waits(transaction)) {
                if (signal.requested()) {
                    wake(table.giveUp(transaction));
                    throw StopSignal.interrupted();
                }
                if (granted.awaitNanos(deadlineNanos - System.nanoTime()) <= 0
                        && table.waits(transaction)) {
                    wake(table.giveUp(transaction));
                    timeouts++;
                    throw new QuireException(
                            ErrorCode.LOCK_WAIT_TIMEOUT,
                            "Lock wait timeout exceeded; try restarting transaction");
                }
            }
            if (victims.contains(transaction)) {
                throw deadlock();
            }
        } catch (InterruptedException e) {
            wake(table.giveUp(transaction));
            Thread.currentThread().interrupt();
            throw new QuireException(
                    ErrorCode.QUERY_INTERRUPTED, "Query execution was interrupted", e);
        } finally {
            waiting.remove(transaction);
            victims.remove(transaction);
            waitedNanos += System.nanoTime() - since;
        }
    }

    private void wake(List<Long> transactions) {
        for (long transaction : transactions) {
            Waiting one = waiting.get(transaction);
            if (one != null) {
                one.granted.signal();
            }
        }
    }

    /// A deadline that lies this far ahead.
    public static long deadline(long limitMillis) {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
    }
}
