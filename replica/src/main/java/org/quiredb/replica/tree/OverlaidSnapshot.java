package org.quiredb.replica.tree;

import org.jspecify.annotations.Nullable;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.page.FreeSpace;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.page.PageWriter;
import org.quiredb.replica.page.SnapshotAccess;

/// What an update transaction's own reads see where they lock nothing: a snapshot, and over it the
/// rows that the transaction itself has changed, as it left them.
///
/// What makes two versions one row is its primary key, as in InnoDB: others may have removed a row
/// since the snapshot and added it again elsewhere before this transaction changed it. So of the
/// snapshot's rows those are left out whose key the transaction has touched, and its own rows are
/// added, whatever the snapshot has in their places. Without a primary key the row's place stands
/// for it.
///
/// As a {@link PageAccess} it is the snapshot alone: right for tables that the transaction has left
/// alone ({@link #touches}).
///
/// Threads: one at a time, its transaction's.
public final class OverlaidSnapshot implements PageAccess {
    private final SnapshotAccess snapshot;
    private final WriteBuffer buffer;

    public OverlaidSnapshot(SnapshotAccess snapshot, WriteBuffer buffer) {
        this.snapshot = snapshot;
        this.buffer = buffer;
    }

    public VersionVector tag() {
        return snapshot.tag();
    }

    WriteBuffer buffer() {
        return buffer;
    }

    /// Whether the transaction has changed anything in the table.
    public boolean touches(int tableId) {
        return buffer.touches(tableId);
    }

    /// Whether it has changed a row of this key.
    public boolean touches(int tableId, byte[] identity) {
        return buffer.touches(tableId, identity);
    }

    /// A row that it has changed; null for one that it has deleted.
    public @Nullable RowRef own(int tableId, long locator) {
        byte[] row = buffer.row(tableId, locator);
        return row == null || WriteBuffer.isDeleted(row) ? null : new RowRef(row, 0, row.length);
    }

    @Override
    public byte[] read(long pageId) {
        return snapshot.read(pageId);
    }

    @Override
    public byte[] readForUpdate(long pageId) {
        return snapshot.readForUpdate(pageId);
    }

    @Override
    public byte[] readInner(long pageId) {
        return snapshot.readInner(pageId);
    }

    @Override
    public PageWriter write(long pageId) {
        return snapshot.write(pageId);
    }

    @Override
    public PageWriter allocate(int tableId) {
        return snapshot.allocate(tableId);
    }

    @Override
    public boolean writable() {
        return false;
    }

    @Override
    public void rowCountChanged(int tableId, long delta) {
        snapshot.rowCountChanged(tableId, delta);
    }

    @Override
    public void autoIncrementUsed(int tableId, long next) {
        snapshot.autoIncrementUsed(tableId, next);
    }

    @Override
    public FreeSpace freeSpace(int tableId) {
        return snapshot.freeSpace(tableId);
    }
}
