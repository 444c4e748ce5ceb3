package org.quiredb.master.transaction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.version.PageId;
import org.quiredb.common.writeset.CounterChange;
import org.quiredb.common.writeset.LoggedStatement;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.common.writeset.PageOperations;
import org.quiredb.master.lock.LockManager;
import org.quiredb.master.lock.LockMode;
import org.quiredb.replica.page.FreeSpace;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.PageWriter;

/// The pages of the master as one update transaction sees and changes them.
///
/// A statement that fails is undone alone: {@link #beginStatement} opens a savepoint, and each page
/// remembers, when the statement first writes to it, how much had been recorded before.
///
/// Invariant: a page with a writer is locked exclusively. Threads: one at a time, its session's.
public final class UpdateTransaction implements PageAccess {
    private static final int NEW_PAGE = -1;

    private final long id;
    private final PageStore store;
    private final LockManager locks;
    private final TableGuard guard;
    private final long lockWaitMillis;
    private final Map<Long, LockMode> held = new HashMap<>();
    private final Map<Long, PageWriter> allocated = new LinkedHashMap<>();
    private final Map<Long, PageWriter> changed = new LinkedHashMap<>();
    private final Map<Long, Integer> marks = new HashMap<>();
    private final Map<Integer, Long> nextAutoIncrements = new HashMap<>();
    private final Map<Integer, FreeSpace> freeSpaces = new HashMap<>();
    private final List<LoggedStatement> statements = new ArrayList<>();
    private Map<Integer, Long> rowCounts = new HashMap<>();
    private Map<Integer, Long> rowCountsBefore = Map.of();
    private int lastTable = -1;
    private long deadlineNanos;

    /// Asked before a transaction touches a table for the first time since it touched another one.
    @FunctionalInterface
    public interface TableGuard {
        /// @throws org.quiredb.common.error.QuireException when the transaction must not touch the
        ///   table
        void touch(int tableId);
    }

    public UpdateTransaction(
            long id, PageStore store, LockManager locks, TableGuard guard, long lockWaitMillis) {
        this.id = id;
        this.store = store;
        this.locks = locks;
        this.guard = guard;
        this.lockWaitMillis = lockWaitMillis;
        this.deadlineNanos = LockManager.deadline(lockWaitMillis);
    }

    public long id() {
        return id;
    }

    @Override
    public byte[] read(long pageId) {
        return readLocked(pageId, LockMode.SHARED);
    }

    @Override
    public byte[] readForUpdate(long pageId) {
        return readLocked(pageId, LockMode.EXCLUSIVE);
    }

    @Override
    public byte[] readInner(long pageId) {
        PageWriter writer = writer(pageId);
        return writer == null ? store.readNewest(pageId) : writer.bytes();
    }

    @Override
    public PageWriter write(long pageId) {
        PageWriter writer = writer(pageId);
        if (writer == null) {
            lock(pageId, LockMode.EXCLUSIVE);
            writer = new PageWriter(pageId, store.readNewest(pageId));
            changed.put(pageId, writer);
            marks.put(pageId, NEW_PAGE);
        } else {
            PageWriter known = writer;
            marks.computeIfAbsent(pageId, unmarked -> known.mark());
        }
        return writer;
    }

    @Override
    public PageWriter allocate(int tableId) {
        long pageId = PageId.of(tableId, store.allocate(tableId));
        lock(pageId, LockMode.EXCLUSIVE);
        PageWriter writer = new PageWriter(pageId, new byte[PageOperations.PAGE_BYTES]);
        allocated.put(pageId, writer);
        marks.put(pageId, NEW_PAGE);
        return writer;
    }

    @Override
    public boolean writable() {
        return true;
    }

    @Override
    public void rowCountChanged(int tableId, long delta) {
        rowCounts.merge(tableId, delta, Long::sum);
    }

    @Override
    public void autoIncrementUsed(int tableId, long next) {
        store.counters(tableId).raiseAutoIncrement(next);
        nextAutoIncrements.merge(tableId, next, Math::max);
    }

    @Override
    public FreeSpace freeSpace(int tableId) {
        return freeSpaces.computeIfAbsent(tableId, table -> new FreeSpace(store.freeSpace(table)));
    }

    /// Opens the savepoint that {@link #undoStatement} goes back to.
    public void beginStatement() {
        marks.clear();
        rowCountsBefore = new HashMap<>(rowCounts);
        deadlineNanos = LockManager.deadline(lockWaitMillis);
    }

    /// The statement is part of the transaction from now on, with what the log is to hold of it.
    public void endStatement(List<LoggedStatement> logged) {
        statements.addAll(logged);
        marks.clear();
    }

    /// Undoes what was written since {@link #beginStatement}; its locks stay, and AUTO_INCREMENT
    /// values are not given back.
    public void undoStatement() {
        marks.forEach((pageId, mark) -> {
            if (mark == NEW_PAGE) {
                changed.remove(pageId);
                allocated.remove(pageId);
            } else {
                written(pageId).rollBackTo(mark);
            }
        });
        marks.clear();
        rowCounts = new HashMap<>(rowCountsBefore);
    }

    /// Where a transaction stands between two statements.
    public static final class Savepoint {
        private final Map<Long, Integer> marks = new HashMap<>();
        private final Map<Integer, Long> rowCounts;
        private final int statements;

        private Savepoint(Map<Integer, Long> rowCounts, int statements) {
            this.rowCounts = Map.copyOf(rowCounts);
            this.statements = statements;
        }
    }

    public Savepoint savepoint() {
        Savepoint point = new Savepoint(rowCounts, statements.size());
        allocated.forEach((pageId, writer) -> point.marks.put(pageId, writer.mark()));
        changed.forEach((pageId, writer) -> point.marks.put(pageId, writer.mark()));
        return point;
    }

    /// Undoes what was written since the savepoint, as {@link #undoStatement} does; the log will
    /// not hold it either.
    public void rollBackTo(Savepoint point) {
        allocated.keySet().retainAll(point.marks.keySet());
        changed.keySet().retainAll(point.marks.keySet());
        point.marks.forEach((pageId, mark) -> written(pageId).rollBackTo(mark));
        rowCounts = new HashMap<>(point.rowCounts);
        statements.subList(point.statements, statements.size()).clear();
    }

    /// The transaction is over, committed or not: gives locks and hints back.
    public void release() {
        freeSpaces.values().forEach(FreeSpace::release);
        freeSpaces.clear();
        allocated.clear();
        changed.clear();
        held.clear();
        locks.releaseAll(id);
    }

    /// The written pages in the order in which they are to be published: new ones before those that
    /// may lead to them.
    public List<PageWriter> writers() {
        List<PageWriter> writers = new ArrayList<>(allocated.values());
        changed.values().stream().filter(writer -> writer.mark() > 0).forEach(writers::add);
        return writers;
    }

    public List<PageChange> pageChanges() {
        return writers().stream()
                .map(writer -> new PageChange(writer.pageId(), writer.operations()))
                .toList();
    }

    public List<CounterChange> counterChanges() {
        Set<Integer> tables = new TreeSet<>(rowCounts.keySet());
        tables.addAll(nextAutoIncrements.keySet());
        return tables.stream()
                .map(table ->
                        new CounterChange(
                                table,
                                rowCounts.getOrDefault(table, 0L),
                                nextAutoIncrements.getOrDefault(table, 0L)))
                .toList();
    }

    public List<LoggedStatement> statements() {
        return List.copyOf(statements);
    }

    private byte[] readLocked(long pageId, LockMode mode) {
        PageWriter writer = writer(pageId);
        if (writer != null) {
            return writer.bytes();
        }
        lock(pageId, mode);
        return store.readNewest(pageId);
    }

    private void lock(long pageId, LockMode mode) {
        LockMode has = held.get(pageId);
        if (has == LockMode.EXCLUSIVE || has == mode) {
            return;
        }
        int table = PageId.tableId(pageId);
        if (table != lastTable) {
            guard.touch(table);
            lastTable = table;
        }
        locks.acquire(id, pageId, mode, deadlineNanos);
        held.put(pageId, mode);
    }

    private @Nullable PageWriter writer(long pageId) {
        PageWriter writer = changed.get(pageId);
        return writer == null ? allocated.get(pageId) : writer;
    }

    private PageWriter written(long pageId) {
        PageWriter writer = writer(pageId);
        if (writer == null) {
            throw new IllegalStateException("page " + PageId.toString(pageId) + " has no copy");
        }
        return writer;
    }
}
