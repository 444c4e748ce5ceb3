package org.quiredb.replica.tree;

import java.util.Arrays;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;

/// A tree as a transaction sees and changes it that buffers its changes: every key is locked before
/// it is looked for or written.
final class RecordTree {
    private final RecordAccess access;
    private final int tableId;
    private final int root;
    private final KeySpace space;

    RecordTree(RecordAccess access, int tableId, int root) {
        this.access = access;
        this.tableId = tableId;
        this.root = root;
        this.space = new KeySpace(tableId, root);
    }

    long find(byte[] key, LockMode mode) {
        BTree.Cursor cursor = cursor(KeyRange.prefix(key), false, mode);
        return cursor.next() ? cursor.locator() : BTree.NOT_FOUND;
    }

    BTree.Cursor cursor(KeyRange range, boolean descending, LockMode mode) {
        return access.skipsLocked()
                ? new SkippingCursor(access, this, space, range, descending, mode)
                : new LockingCursor(access, space, range, descending, mode);
    }

    void insert(byte[] key, long locator) {
        if (key.length > BTree.MAXIMUM_KEY_BYTES) {
            throw new QuireException(
                    ErrorCode.ROW_TOO_LARGE,
                    "index key of "
                            + key.length
                            + " bytes, the in-memory tier takes "
                            + BTree.MAXIMUM_KEY_BYTES);
        }
        access.lock(space, whereInserted(key, locator), LockMode.WRITE);
        byte[] entry = TreePage.leafEntry(key, locator);
        if (holds(entry)) {
            throw new IllegalStateException("entry is in the tree already");
        }
        access.buffer().addEntry(tableId, root, entry);
    }

    /// A row's place in a tree of locators is not known before the commit: it may be anywhere.
    private static KeyRange whereInserted(byte[] key, long locator) {
        return Arrays.equals(key, TreePage.locatorKey(locator))
                ? KeyRange.ALL
                : KeyRange.prefix(key);
    }

    boolean remove(byte[] key, long locator) {
        access.lock(space, KeyRange.prefix(key), LockMode.WRITE);
        byte[] entry = TreePage.leafEntry(key, locator);
        if (!holds(entry)) {
            return false;
        }
        access.buffer().removeEntry(tableId, root, entry);
        return true;
    }

    /// Whether the entry is there now, of this transaction or on the newest pages.
    boolean holds(byte[] entry) {
        Boolean own = access.buffer().entry(tableId, root, entry);
        if (own != null) {
            return own;
        }
        return !WriteBuffer.isProvisional(TreePage.locatorOf(entry))
                && new TreeCursor(
                                new Descent(access, tableId, root, false),
                                new Cut(entry, false),
                                new Cut(entry, true),
                                false)
                        .next();
    }
}
