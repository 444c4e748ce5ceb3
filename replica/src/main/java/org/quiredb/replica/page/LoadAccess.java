package org.quiredb.replica.page;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.version.PageId;

/// A bulk load: writes go straight to published pages of one version and are not recorded.
///
/// Nobody reads those tables meanwhile, at this version or a later one.
///
/// Threads: one.
public final class LoadAccess implements PageAccess {
    private final PageStore store;
    private final long commitNumber;
    private final Map<Long, PageWriter> writers = new HashMap<>();
    private final Map<Integer, FreeSpace> freeSpaces = new HashMap<>();
    private @Nullable Deferred deferred;

    /// What a load of rows has put off until it has all of one table's.
    public interface Deferred {
        int tableId();

        void complete();
    }

    public LoadAccess(PageStore store, long commitNumber) {
        this.store = store;
        this.commitNumber = commitNumber;
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
        return writers.computeIfAbsent(pageId, this::begin);
    }

    private PageWriter begin(long pageId) {
        byte[] bytes = store.readNewest(pageId).clone();
        store.replace(pageId, bytes, commitNumber);
        return PageWriter.unrecorded(pageId, bytes);
    }

    @Override
    public PageWriter allocate(int tableId) {
        return write(PageId.of(tableId, store.allocate(tableId)));
    }

    @Override
    public boolean writable() {
        return true;
    }

    @Override
    public void rowCountChanged(int tableId, long delta) {
        store.counters(tableId).add(delta);
    }

    @Override
    public void autoIncrementUsed(int tableId, long next) {
        store.counters(tableId).raiseAutoIncrement(next);
    }

    @Override
    public FreeSpace freeSpace(int tableId) {
        return freeSpaces.computeIfAbsent(tableId, id -> new FreeSpace(store.freeSpace(id)));
    }

    /// What is put off for the table. What was put off for another is done first, for tables come
    /// one after the other.
    public <T extends Deferred> T deferred(int tableId, Class<T> type, Supplier<T> begin) {
        Deferred known = deferred;
        if (known != null && known.tableId() == tableId && type.isInstance(known)) {
            return type.cast(known);
        }
        completeDeferred();
        T begun = begin.get();
        deferred = begun;
        return begun;
    }

    private void completeDeferred() {
        Deferred known = deferred;
        deferred = null;
        if (known != null) {
            known.complete();
        }
    }

    /// Ends the load: does what was put off, gives the pages with room back to the table.
    public void finish() {
        completeDeferred();
        freeSpaces.values().forEach(FreeSpace::release);
        freeSpaces.clear();
        writers.clear();
    }
}
