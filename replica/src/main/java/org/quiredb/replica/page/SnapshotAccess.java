package org.quiredb.replica.page;

import org.quiredb.common.version.PageId;
import org.quiredb.common.version.VersionVector;

/// A read-only transaction at its tag.
///
/// Threads: any.
public final class SnapshotAccess implements PageAccess {
    private final PageStore.Reader pages;
    private final VersionVector tag;

    public SnapshotAccess(PageStore store, VersionVector tag) {
        this.pages = store.reader();
        this.tag = tag;
    }

    public VersionVector tag() {
        return tag;
    }

    /// @throws VersionReclaimedException when the tag is too old for this replica
    @Override
    public byte[] read(long pageId) {
        return pages.readAt(pageId, tag.get(PageId.tableId(pageId)));
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
        throw readOnly();
    }

    @Override
    public PageWriter allocate(int tableId) {
        throw readOnly();
    }

    @Override
    public boolean writable() {
        return false;
    }

    @Override
    public void rowCountChanged(int tableId, long delta) {
        throw readOnly();
    }

    @Override
    public void autoIncrementUsed(int tableId, long next) {
        throw readOnly();
    }

    @Override
    public FreeSpace freeSpace(int tableId) {
        throw readOnly();
    }

    private static IllegalStateException readOnly() {
        return new IllegalStateException("a snapshot is read only");
    }
}
