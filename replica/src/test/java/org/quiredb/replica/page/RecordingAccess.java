package org.quiredb.replica.page;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.quiredb.common.version.PageId;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.common.writeset.PageOperations;

/// The least update transaction: alone, without locks; publishes what it wrote and gives its
/// operations.
public final class RecordingAccess implements PageAccess {
    private final PageStore store;
    private final Map<Long, PageWriter> writers = new LinkedHashMap<>();
    private final List<Long> allocated = new ArrayList<>();
    private final Map<Integer, FreeSpace> freeSpaces = new HashMap<>();

    public RecordingAccess(PageStore store) {
        this.store = store;
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
        return writers.computeIfAbsent(pageId, id -> new PageWriter(id, store.readNewest(id)));
    }

    @Override
    public PageWriter allocate(int tableId) {
        long pageId = PageId.of(tableId, store.allocate(tableId));
        allocated.add(pageId);
        return write(pageId);
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

    public boolean hasWritten(long pageId) {
        return writers.containsKey(pageId);
    }

    /// The pages that were allocated come first.
    public List<PageChange> commit(long commitNumber) {
        List<PageChange> changes = new ArrayList<>();
        allocated.forEach(pageId -> publish(pageId, commitNumber, changes));
        List.copyOf(writers.keySet()).forEach(pageId -> publish(pageId, commitNumber, changes));
        freeSpaces.values().forEach(FreeSpace::release);
        return changes;
    }

    private void publish(long pageId, long commitNumber, List<PageChange> changes) {
        PageWriter writer = writers.remove(pageId);
        if (writer == null) {
            return;
        }
        byte[] operations = writer.operations();
        PageOperations.check(operations);
        changes.add(new PageChange(pageId, operations));
        store.publish(pageId, writer.bytes(), commitNumber);
    }
}
