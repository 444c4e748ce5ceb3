package org.quiredb.replica.page;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.version.PageId;

/// A bulk load: writes are not recorded; they are published, all at one version, by {@link #settle}
/// and {@link #finish}.
///
/// Nobody reads those tables meanwhile, at this version or a later one. What is not published yet
/// is in memory in addition to the pool: whoever loads much settles often.
///
/// Threads: one.
public final class LoadAccess implements PageAccess {
    /// So many pages are much.
    private static final int MANY = 256;

    private final PageStore store;
    private final long commitNumber;
    private final Published published;
    private final Map<Long, PageWriter> writers = new HashMap<>();
    private final Map<Integer, FreeSpace> freeSpaces = new HashMap<>();
    private @Nullable Deferred deferred;

    /// What a load of rows has put off until it has all of one table's.
    public interface Deferred {
        int tableId();

        void complete();
    }

    /// Told of each page that the load publishes, each time that it does.
    public interface Published {
        void page(long pageId, byte[] bytes);
    }

    public LoadAccess(PageStore store, long commitNumber) {
        this(store, commitNumber, (pageId, bytes) -> {});
    }

    public LoadAccess(PageStore store, long commitNumber, Published published) {
        this.store = store;
        this.commitNumber = commitNumber;
        this.published = published;
    }

    @Override
    public byte[] read(long pageId) {
        PageWriter writer = writers.get(pageId);
        return writer == null ? store.readNewest(pageId) : writer.bytes();
    }

    @Override
    public byte[] readForUpdate(long pageId) {
        return read(pageId);
    }

    @Override
    public byte[] readInner(long pageId) {
        return read(pageId);
    }

    @Override
    public PageWriter write(long pageId) {
        return writers.computeIfAbsent(
                pageId, id -> PageWriter.unrecorded(id, store.readNewest(id).clone()));
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

    /// Publishes what was written; a page that is written again is copied first.
    public void settle() {
        for (PageWriter writer : writers.values()) {
            store.replace(writer.pageId(), writer.bytes(), commitNumber);
            published.page(writer.pageId(), writer.bytes());
        }
        writers.clear();
    }

    /// As {@link #settle}, where much is not published yet; between two changes of a tree.
    public void settleIfMuch() {
        if (writers.size() >= MANY) {
            settle();
        }
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

    /// Ends the load: does what was put off, publishes, gives the pages with room back to the
    /// table.
    public void finish() {
        completeDeferred();
        settle();
        freeSpaces.values().forEach(FreeSpace::release);
        freeSpaces.clear();
    }
}
