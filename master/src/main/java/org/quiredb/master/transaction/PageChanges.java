package org.quiredb.master.transaction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.version.PageId;
import org.quiredb.common.writeset.CounterChange;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.common.writeset.PageOperations;
import org.quiredb.replica.page.FreeSpace;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.PageWriter;

/// What a commit does to pages: copies of the newest ones, with each change recorded.
///
/// Invariant: from the first read to the publication nobody else publishes pages of these tables.
/// Threads: one, which holds the class's commit sequence, or a schema change, which runs alone.
public final class PageChanges implements PageAccess {
    private final PageStore store;
    private final Map<Long, PageWriter> allocated = new LinkedHashMap<>();
    private final Map<Long, PageWriter> changed = new LinkedHashMap<>();
    private final Map<Integer, FreeSpace> freeSpaces = new HashMap<>();
    private final CounterChanges counters = new CounterChanges();

    public PageChanges(PageStore store) {
        this.store = store;
    }

    @Override
    public byte[] read(long pageId) {
        PageWriter writer = writer(pageId);
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
        PageWriter writer = writer(pageId);
        if (writer == null) {
            writer = new PageWriter(pageId, store.readNewest(pageId));
            changed.put(pageId, writer);
        }
        return writer;
    }

    @Override
    public PageWriter allocate(int tableId) {
        long pageId = PageId.of(tableId, store.allocate(tableId));
        PageWriter writer = new PageWriter(pageId, new byte[PageOperations.PAGE_BYTES]);
        allocated.put(pageId, writer);
        return writer;
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

    @Override
    public FreeSpace freeSpace(int tableId) {
        return freeSpaces.computeIfAbsent(tableId, table -> new FreeSpace(store.freeSpace(table)));
    }

    /// The written pages in the order in which they are to be published: new ones before those that
    /// may lead to them.
    public List<PageWriter> writers() {
        List<PageWriter> writers = new ArrayList<>(allocated.values());
        for (PageWriter writer : changed.values()) {
            if (writer.changed()) {
                writers.add(writer);
            }
        }
        return writers;
    }

    public List<PageChange> pageChanges() {
        List<PageChange> changes = new ArrayList<>();
        for (PageWriter writer : writers()) {
            changes.add(new PageChange(writer.pageId(), writer.operations()));
        }
        return changes;
    }

    public List<CounterChange> counterChanges() {
        return counters.changes();
    }

    /// Published or dropped: gives the hints about free space back.
    public void release() {
        freeSpaces.values().forEach(FreeSpace::release);
        freeSpaces.clear();
        allocated.clear();
        changed.clear();
    }

    private @Nullable PageWriter writer(long pageId) {
        PageWriter writer = changed.get(pageId);
        return writer == null ? allocated.get(pageId) : writer;
    }
}
