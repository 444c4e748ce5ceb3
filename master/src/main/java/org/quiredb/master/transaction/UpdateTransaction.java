package org.quiredb.master.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.writeset.CounterChange;
import org.quiredb.common.writeset.Effects;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.master.lock.LockManager;
import org.quiredb.replica.engine.StatementMemory;
import org.quiredb.replica.page.FreeSpace;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.PageWriter;
import org.quiredb.replica.tree.KeyRange;
import org.quiredb.replica.tree.KeySpace;
import org.quiredb.replica.tree.LockMode;
import org.quiredb.replica.tree.RecordAccess;
import org.quiredb.replica.tree.WriteBuffer;

/// One update transaction of a session, from its first statement to its end.
///
/// A statement that fails is undone alone: {@link #beginStatement} opens a savepoint.
///
/// Threads: one at a time, its session's.
public final class UpdateTransaction implements RecordAccess {
    private static final int NO_TABLE = -1;

    private final long id;
    private final PageStore store;
    private final LockManager locks;
    private final TableGuard guard;
    private final long lockWaitMillis;
    private final WriteBuffer buffer;
    private final StatementMemory.Changes memory;
    private final CounterChanges counters = new CounterChanges();
    private final List<Answer> answers = new ArrayList<>();
    private Savepoint beforeStatement = new Savepoint(0, Map.of(), 0);
    private int lastTable = NO_TABLE;
    private long deadlineNanos;
    private boolean waits = true;
    private boolean skips;

    /// Asked before a transaction touches a table for the first time since it touched another one.
    @FunctionalInterface
    public interface TableGuard {
        /// @throws org.quiredb.common.error.QuireException when the transaction must not touch the
        ///   table
        void touch(int tableId);
    }

    public UpdateTransaction(
            long id, PageStore store, LockManager locks, TableGuard guard, long lockWaitMillis) {
        this(id, store, locks, guard, lockWaitMillis, Long.MAX_VALUE, true);
    }

    /// @param maximumBytes that its changes may take in memory
    /// @param shown whether they may be laid over a snapshot
    public UpdateTransaction(
            long id,
            PageStore store,
            LockManager locks,
            TableGuard guard,
            long lockWaitMillis,
            long maximumBytes,
            boolean shown) {
        memory = StatementMemory.changes();
        buffer = new WriteBuffer(maximumBytes, shown, memory::grow);
        this.id = id;
        this.store = store;
        this.locks = locks;
        this.guard = guard;
        this.lockWaitMillis = lockWaitMillis;
        this.deadlineNanos = LockManager.deadline(lockWaitMillis);
    }

    /// Its only statement has been a deadlock's victim so often, as other transactions; or it
    /// counts as such, so that others lose before it.
    public void lostBefore(int times) {
        locks.lostBefore(id, times);
    }

    public long id() {
        return id;
    }

    /// It passes what this one has locked.
    public void guestOf(long host) {
        locks.guestOf(host, id);
    }

    @Override
    public WriteBuffer buffer() {
        return buffer;
    }

    @Override
    public void lock(KeySpace space, KeyRange range, LockMode mode) {
        touch(space);
        if (waits) {
            locks.acquire(id, space, range, mode, deadlineNanos);
        } else if (!locks.tryAcquire(id, space, range, mode)) {
            throw new QuireException(
                    ErrorCode.LOCK_NOT_AT_ONCE,
                    "Statement aborted because lock(s) could not be acquired immediately and NOWAIT"
                            + " is set.");
        }
    }

    @Override
    public boolean tryLock(KeySpace space, KeyRange range, LockMode mode) {
        touch(space);
        return locks.tryAcquire(id, space, range, mode);
    }

    private void touch(KeySpace space) {
        if (space.tableId() != lastTable) {
            guard.touch(space.tableId());
            lastTable = space.tableId();
        }
    }

    @Override
    public void waitForNobody(boolean skipsLocked) {
        waits = false;
        skips = skipsLocked;
    }

    @Override
    public boolean skipsLocked() {
        return skips;
    }

    @Override
    public byte[] read(long pageId) {
        return store.readNewest(pageId);
    }

    @Override
    public byte[] readForUpdate(long pageId) {
        return store.readNewest(pageId);
    }

    @Override
    public byte[] readInner(long pageId) {
        return store.readNewest(pageId);
    }

    @Override
    public PageWriter write(long pageId) {
        throw noPages();
    }

    @Override
    public PageWriter allocate(int tableId) {
        throw noPages();
    }

    @Override
    public FreeSpace freeSpace(int tableId) {
        throw noPages();
    }

    @Override
    public boolean writable() {
        return true;
    }

    @Override
    public void rowCountChanged(int tableId, long delta) {
        counters.addRows(tableId, delta);
    }

    @Override
    public void autoIncrementUsed(int tableId, long next) {
        store.counters(tableId).raiseAutoIncrement(next);
        counters.raiseAutoIncrement(tableId, next);
    }

    /// Opens the savepoint that {@link #undoStatement} goes back to.
    public void beginStatement() {
        beginStatement(lockWaitMillis);
    }

    /// @param limitMillis that it waits for a lock
    public void beginStatement(long limitMillis) {
        beforeStatement = savepoint();
        deadlineNanos = LockManager.deadline(limitMillis);
        waits = true;
        skips = false;
    }

    /// The statement is part of the transaction from now on, and its client is told this.
    public void endStatement(ReplicaReply reply) {
        if (reply instanceof ReplicaReply.Updated updated) {
            answers.add(new Answer(updated.affectedRows(), updated.lastInsertId()));
        }
    }

    private record Answer(long affectedRows, long insertId) {}

    /// Undoes what was written since {@link #beginStatement}; its locks stay, and AUTO_INCREMENT
    /// values are not given back.
    public void undoStatement() {
        rollBackTo(beforeStatement);
    }

    /// Where a transaction stands between two statements.
    public static final class Savepoint {
        private final int changes;
        private final Map<Integer, Long> rowCounts;
        private final int statements;

        private Savepoint(int changes, Map<Integer, Long> rowCounts, int statements) {
            this.changes = changes;
            this.rowCounts = rowCounts;
            this.statements = statements;
        }
    }

    public Savepoint savepoint() {
        return new Savepoint(buffer.mark(), counters.rowCounts(), answers.size());
    }

    /// Undoes what was written since the savepoint, as {@link #undoStatement} does; the log will
    /// not hold it either.
    public void rollBackTo(Savepoint point) {
        buffer.rollBackTo(point.changes);
        counters.rollBackTo(point.rowCounts);
        answers.subList(point.statements, answers.size()).clear();
    }

    /// Whether there is anything to commit.
    public boolean changes() {
        return !buffer.isEmpty();
    }

    /// What a commit at this moment does to the pages. Under the commit sequence of its class.
    public PageChanges pageChanges() {
        PageChanges pages = new PageChanges(store);
        buffer.writeTo(pages);
        return pages;
    }

    public List<CounterChange> counterChanges() {
        return counters.changes();
    }

    /// @param rows what it has changed
    public Effects effects(RowChanges rows) {
        if (answers.size() != 1) {
            return new Effects(rows);
        }
        Answer only = answers.getFirst();
        return new Effects(rows, only.affectedRows(), only.insertId());
    }

    /// The transaction is over, committed or not.
    public void release() {
        locks.releaseAll(id);
        memory.close();
    }

    private static IllegalStateException noPages() {
        return new IllegalStateException("a transaction changes no page before it commits");
    }
}
