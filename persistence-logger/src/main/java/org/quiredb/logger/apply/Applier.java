package org.quiredb.logger.apply;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.backend.Backends;
import org.quiredb.logger.backend.Hindrance;
import org.quiredb.logger.log.RecordWindow;

/// Carries out one class's logged row changes on one backend, in commit order.
///
/// What to run next is decided in {@link ApplierPosition} and run by {@link ApplierLoop}; here are
/// the lock that both share and those who wait.
///
/// Threads: any, guarded by lock.
public final class Applier implements AutoCloseable {
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(10);

    /// For so long commits that nobody waits for gather, since each transaction here takes the disk
    /// and the processor from one of the log, for which a client waits.
    private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final Backend backend;
    private final int maximumBatch;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ApplierPosition position;
    private final Repairs repairs = new Repairs();
    private final Thread thread;
    private long awaited;
    private long gatheredAtNanos;
    private boolean gathering;
    private boolean closed;
    private @Nullable Hindrance hindrance;

    /// @param backends those that are current have the log
    /// @param maximumBatch commits in one backend transaction
    /// @param replicas who tell of rows that the backend has otherwise
    public Applier(
            Backend backend,
            Backends backends,
            ConflictClass conflictClass,
            RecordWindow window,
            int maximumBatch,
            ReplicaRows replicas) {
        this.backend = backend;
        this.maximumBatch = maximumBatch;
        RecordSource source = new RecordSource(conflictClass, window, backends);
        ApplierLoop loop = new ApplierLoop(this, backend, conflictClass, source, replicas);
        this.position = new ApplierPosition(loop.begin());
        this.thread =
                Thread.ofVirtual()
                        .name("applier-" + backend.index() + "-" + conflictClass)
                        .unstarted(loop);
    }

    public void start() {
        thread.start();
    }

    public Backend backend() {
        return backend;
    }

    public long applied() {
        lock.lock();
        try {
            return position.applied();
        } finally {
            lock.unlock();
        }
    }

    public long backlog() {
        lock.lock();
        try {
            return position.backlog();
        } finally {
            lock.unlock();
        }
    }

    /// Whether waiting for it is of no use: it is closed, or somebody has to see to the backend.
    public boolean ended() {
        lock.lock();
        try {
            return closed || isSetAside();
        } finally {
            lock.unlock();
        }
    }

    private boolean isSetAside() {
        return hindrance != null && hindrance.lasting();
    }

    /// Why it does not follow the log, while it does not.
    public Optional<Hindrance> hindrance() {
        lock.lock();
        try {
            return Optional.ofNullable(hindrance);
        } finally {
            lock.unlock();
        }
    }

    /// Commits up to this number may be applied from now on. While they gather nobody is woken.
    public void stableUpTo(long commitNumber) {
        lock.lock();
        try {
            position.stableUpTo(commitNumber);
            if (!gathering || position.backlog() >= maximumBatch) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Somebody else moved the backend's mark while nothing was running here.
    public void markedElsewhere(long commitNumber) {
        lock.lock();
        try {
            position.applied(commitNumber);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Where a backend is kept.
    ///
    /// @param commitNumber how far it may go
    public record Hold(long id, long commitNumber) {}

    /// Keeps the backend from going past the given commit number, or past what it applies now where
    /// that is more.
    public Hold hold(long atLeast) {
        lock.lock();
        try {
            long ceiling = Math.max(position.running(), atLeast);
            return new Hold(position.hold(ceiling).orElseThrow(), ceiling);
        } finally {
            lock.unlock();
        }
    }

    public void release(Hold hold) {
        lock.lock();
        try {
            position.release(hold.id());
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until a commit number is applied.
    ///
    /// @return false when the deadline passed or the backend is set aside
    public boolean awaitApplied(long commitNumber, long deadlineNanos) throws InterruptedException {
        lock.lock();
        try {
            hurry(commitNumber);
            while (position.applied() < commitNumber) {
                long left = deadlineNanos - System.nanoTime();
                if (left <= 0 || closed || isSetAside()) {
                    return false;
                }
                changed.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until at most so many stable commits wait to be applied.
    ///
    /// @return false when the deadline passed first
    public boolean awaitBacklog(long maximum, long deadlineNanos) throws InterruptedException {
        lock.lock();
        try {
            hurry(position.applied() + position.backlog() - maximum);
            while (position.backlog() > maximum) {
                long left = deadlineNanos - System.nanoTime();
                if (left <= 0 || closed) {
                    return false;
                }
                changed.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void hurry(long commitNumber) {
        if (awaited < commitNumber) {
            awaited = commitNumber;
            changed.signalAll();
        }
    }

    /// What its thread is to do next.
    sealed interface Work {
        record Apply(ApplierPosition.Span span) implements Work {}

        record Repair() implements Work {}

        /// For so long there was nothing to do that the connection is better given back: there may
        /// be as many classes as a shop has customers.
        record Rest() implements Work {}
    }

    /// Waits for something to do; empty when it is closed.
    ///
    /// @param connected whether its thread has a connection to give back
    Optional<Work> awaitWork(boolean connected) throws InterruptedException {
        lock.lock();
        try {
            long restAtNanos = System.nanoTime() + REST_NANOS;
            while (!closed) {
                if (repairs.isDue(position.applied(), System.nanoTime())) {
                    return Optional.of(new Work.Repair());
                }
                long gatherNanos = gatherNanos();
                if (gatherNanos > 0) {
                    changed.awaitNanos(gatherNanos);
                    continue;
                }
                gathering = false;
                Optional<ApplierPosition.Span> next = position.next(maximumBatch);
                if (next.isPresent()) {
                    return Optional.of(new Work.Apply(next.get()));
                }
                long now = System.nanoTime();
                if (connected && restAtNanos - now <= 0) {
                    return Optional.of(new Work.Rest());
                }
                long waitNanos = repairs.nanosUntilDue(now);
                changed.awaitNanos(connected ? Math.min(waitNanos, restAtNanos - now) : waitNanos);
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /// How long what waits is to gather still.
    private long gatherNanos() {
        long waiting = position.backlog();
        if (waiting == 0 || waiting >= maximumBatch || awaited > position.applied()) {
            return 0;
        }
        if (!gathering) {
            gathering = true;
            gatheredAtNanos = System.nanoTime() + GATHER_NANOS;
        }
        return gatheredAtNanos - System.nanoTime();
    }

    /// The rows that are owed and that a replica has told of.
    Optional<Repairs.Told> told() {
        return locked(repairs::told);
    }

    /// Keys of the next rows that are owed; none where none is due.
    List<RowChange> nextOwed() {
        return locked(repairs::next);
    }

    /// A replica has told of rows that are owed: the backend does not go past their commit until
    /// they are put right.
    ///
    /// @return false when it has gone past it
    boolean tell(List<RowChange> keys, ReplicaRows.Found found) {
        return locked(() -> {
            OptionalLong hold = position.hold(found.commitNumber());
            hold.ifPresent(
                    id -> repairs.tell(new Repairs.Told(keys, found, id), System.nanoTime()));
            return hold.isPresent();
        });
    }

    /// Of what is owed, rows of these tables are to be put right still.
    Repairs.Forgotten keepOwed(List<TableDefinition> tables) {
        return locked(() -> {
            changed.signalAll();
            return repairs.keep(tables);
        });
    }

    /// Rows that were owed are put right; others are owed now.
    void putRight(List<RowChange> keys, List<RowChange> owed) {
        locked(() -> {
            repairs.done(keys);
            changed.signalAll();
            return repairs.owe(owed);
        });
    }

    /// Rows that a commit met otherwise than they were are put right with it; others are owed.
    ///
    /// @return false when these are too many
    boolean met(int right, List<RowChange> owed) {
        return locked(() -> {
            repairs.repaired(right);
            return repairs.owe(owed);
        });
    }

    void repairLater(String reason) {
        locked(() -> {
            repairs.later(reason, System.nanoTime());
            return reason;
        });
    }

    /// Rows that the backend is known to have otherwise than the tier: they are put right by and
    /// by.
    ///
    /// @param changes by their keys
    /// @return false when they are too many
    public boolean owe(List<RowChange> changes) {
        return locked(() -> {
            boolean all = repairs.owe(changes);
            changed.signalAll();
            return all;
        });
    }

    /// Returns when no row is known to be otherwise than the tier's.
    ///
    /// @throws QuireException when that takes too long
    public void awaitNothingOwed(long waitMillis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
        lock.lock();
        try {
            while (repairs.owed() > 0) {
                long left = deadline - System.nanoTime();
                if (left <= 0 || closed || isSetAside()) {
                    throw new QuireException(
                            ErrorCode.TIER_UNAVAILABLE,
                            "%s has %d rows yet to be put right; %s"
                                    .formatted(
                                            backend,
                                            repairs.owed(),
                                            hindrance == null ? repairs.reason() : hindrance));
                }
                changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuireException(ErrorCode.QUERY_INTERRUPTED, "interrupted", e);
        } finally {
            lock.unlock();
        }
    }

    /// Rows that are to be put right still.
    public int owed() {
        return locked(repairs::owed);
    }

    /// Rows that were put right.
    public long repaired() {
        return locked(repairs::repaired);
    }

    /// Why rows that are owed are not put right; empty where nothing is in the way.
    public String repairReason() {
        return locked(repairs::reason);
    }

    private <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }

    /// Waits, unless it is closed.
    void pause(int pauseMillis) throws InterruptedException {
        lock.lock();
        try {
            long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMillis);
            for (long left = until - System.nanoTime();
                    !closed && left > 0;
                    left = until - System.nanoTime()) {
                changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Where that is all there is, nothing hinders it: its last transaction may have been committed
    /// before the connection was lost.
    void moveTo(long commitNumber) {
        lock.lock();
        try {
            position.applied(commitNumber);
            if (position.backlog() == 0) {
                hindrance = null;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Whoever sees that it goes on sees no hindrance any more.
    void advanceTo(long commitNumber) {
        lock.lock();
        try {
            hindrance = null;
            position.advanced(commitNumber);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Nothing hinders it.
    void follows() {
        lock.lock();
        try {
            hindrance = null;
        } finally {
            lock.unlock();
        }
    }

    void failed(Hindrance met) {
        lock.lock();
        try {
            hindrance = met;
            position.failed();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// The backend transaction under way ends first.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            thread.join(5000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
