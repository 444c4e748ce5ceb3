package org.quiredb.replica.tree;

import static org.quiredb.common.writeset.PageOperations.PAGE_BYTES;
import static org.quiredb.replica.tree.SlottedPage.LEAF;
import static org.quiredb.replica.tree.SlottedPage.UNUSED;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.replica.page.LoadAccess;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.page.PageWriter;

/// A B-link tree of (key, locator) entries, ordered by the key's unsigned bytes, then by locator.
///
/// No key may be a prefix of another. A bound of a search may be a prefix of keys: the keys that
/// begin with it are in the range when it is inclusive and out of it when it is not, on either
/// side. A tree whose root page is zeroes is empty.
///
/// Source: Lehman and Yao, Efficient Locking for Concurrent Operations on B-Trees.
///
/// Threads: any; holds nothing but page numbers.
public final class BTree {
    /// A longer key is refused; with it, a split always makes room.
    public static final int MAXIMUM_KEY_BYTES = 1500;

    public static final long NOT_FOUND = -1;

    private final int tableId;
    private final int root;
    private final TreeSplit split;

    public BTree(int tableId, int rootPageNumber) {
        this.tableId = tableId;
        this.root = rootPageNumber;
        this.split = new TreeSplit(tableId, rootPageNumber);
    }

    /// The key of an entry in a tree that is ordered by locator. In a transaction that has only a
    /// provisional locator for a row yet, the entry gets the row's own one at the commit.
    public static byte[] locatorKey(long locator) {
        return TreePage.locatorKey(locator);
    }

    /// Steps through a range; nothing before the first `next()`.
    public interface Cursor {
        boolean next();

        /// A new array, without the locator.
        byte[] key();

        long locator();

        /// Whether these bytes are somewhere in the key.
        default boolean keyContains(byte[] part) {
            byte[] key = key();
            return TreePage.contains(key, 0, key.length, part);
        }
    }

    /// The first locator whose key begins with these bytes, or {@link #NOT_FOUND}.
    public long find(PageAccess access, byte[] key) {
        if (access instanceof RecordAccess records) {
            return buffered(records).find(key, LockMode.READ);
        }
        return find(new Descent(access, tableId, root, false), key);
    }

    /// As {@link #find}, with the key locked for reading and writing, whether it is there or not.
    public long findForUpdate(PageAccess access, byte[] key) {
        if (access instanceof RecordAccess records) {
            return buffered(records).find(key, LockMode.READ_WRITE);
        }
        return find(new Descent(access, tableId, root, true), key);
    }

    private static long find(Descent descent, byte[] key) {
        Cut cut = new Cut(key, false);
        descent.toLeaf(cut, false);
        int slot = cut.lowerBound(descent.page);
        while (slot == SlottedPage.count(descent.page)) {
            int high = SlottedPage.highKey(descent.page);
            if (high == 0 || !beginsWith(descent.page, high, key, true) || !descent.nextLeaf()) {
                return NOT_FOUND;
            }
            slot = 0;
        }
        boolean found =
                beginsWith(descent.page, SlottedPage.offset(descent.page, slot), key, false);
        return found ? TreePage.locator(descent.page, slot) : NOT_FOUND;
    }

    /// @param orShorter a beginning of the key is enough: a shortened separator may stand for the
    ///   key
    private static boolean beginsWith(byte[] page, int offset, byte[] key, boolean orShorter) {
        int length = SlottedPage.length(page, offset);
        int compared = orShorter ? Math.min(length, key.length) : key.length;
        return length >= compared
                && Arrays.equals(page, offset + 2, offset + 2 + compared, key, 0, compared);
    }

    /// Adds an entry; it must not be there yet.
    public void insert(PageAccess access, byte[] key, long locator) {
        if (access instanceof RecordAccess records) {
            buffered(records).insert(key, locator);
            return;
        }
        insert(access, key, locator, 0);
    }

    /// The row of an entry is changed and keeps its key.
    public void keep(PageAccess access, byte[] key, long locator) {
        if (access instanceof RecordAccess records) {
            records.buffer().keepEntry(tableId, root, TreePage.leafEntry(key, locator));
        }
    }

    /// The entries between the bounds as a transaction sees them that has changed rows of the
    /// table, over a snapshot.
    ///
    /// @param hidden whether the snapshot's row of an entry is not to be seen
    public OverlaidCursor cursor(
            OverlaidSnapshot access,
            byte @Nullable [] from,
            boolean fromInclusive,
            byte @Nullable [] to,
            boolean descending,
            Predicate<Cursor> hidden) {
        KeyRange range = KeyRange.between(from, fromInclusive, to, true);
        TreeCursor published =
                new TreeCursor(
                        new Descent(access, tableId, root, false),
                        range.from(),
                        range.to(),
                        descending);
        List<byte[]> own = access.buffer().own(tableId, root, range);
        return new OverlaidCursor(published, descending ? own.reversed() : own, descending, hidden);
    }

    /// As {@link #insert}, of entries in their order: leaves are filled from left to right, and
    /// each keeps some room, so that it is not split by the first entry that comes later.
    public void append(LoadAccess access, byte[] key, long locator) {
        insert(access, key, locator, PAGE_BYTES / 20);
    }

    private void insert(PageAccess access, byte[] key, long locator, int kept) {
        if (key.length > MAXIMUM_KEY_BYTES) {
            throw new QuireException(
                    ErrorCode.ROW_TOO_LARGE,
                    "index key of "
                            + key.length
                            + " bytes, the in-memory tier takes "
                            + MAXIMUM_KEY_BYTES);
        }
        byte[] entry = TreePage.leafEntry(key, locator);
        Cut cut = new Cut(entry, false);
        Descent descent = new Descent(access, tableId, root, true);
        descent.toLeaf(cut, false);
        PageWriter leaf = access.write(descent.pageId());
        if (SlottedPage.kind(leaf.bytes()) == UNUSED) {
            SlottedPage.format(leaf, LEAF, 0);
        }
        int slot = cut.lowerBound(leaf.bytes());
        if (slot < SlottedPage.count(leaf.bytes())) {
            int offset = SlottedPage.offset(leaf.bytes(), slot);
            if (cut.compare(leaf.bytes(), offset + 2, SlottedPage.length(leaf.bytes(), offset))
                    == 0) {
                throw new IllegalStateException("entry is in the tree already");
            }
        }
        split.insert(access, leaf, slot, entry, kept);
    }

    /// Adds an entry unless the key is there; false then, with the key locked.
    public boolean insertUnique(PageAccess access, byte[] key, long locator) {
        if (findForUpdate(access, key) != NOT_FOUND) {
            return false;
        }
        insert(access, key, locator);
        return true;
    }

    /// @return whether the entry was there
    public boolean remove(PageAccess access, byte[] key, long locator) {
        if (access instanceof RecordAccess records) {
            return buffered(records).remove(key, locator);
        }
        Cut cut = new Cut(TreePage.leafEntry(key, locator), false);
        Descent descent = new Descent(access, tableId, root, true);
        descent.toLeaf(cut, false);
        int slot = cut.lowerBound(descent.page);
        if (slot == SlottedPage.count(descent.page)) {
            return false;
        }
        int offset = SlottedPage.offset(descent.page, slot);
        if (cut.compare(descent.page, offset + 2, SlottedPage.length(descent.page, offset)) != 0) {
            return false;
        }
        SlottedPage.remove(access.write(descent.pageId()), slot);
        return true;
    }

    /// @param from null for the tree's beginning
    /// @param to null for the tree's end
    public Cursor cursor(
            PageAccess access,
            byte @Nullable [] from,
            boolean fromInclusive,
            byte @Nullable [] to,
            boolean toInclusive,
            boolean descending) {
        return cursor(
                access,
                KeyRange.between(from, fromInclusive, to, toInclusive),
                descending,
                LockMode.READ);
    }

    /// As {@link #cursor}, with what it comes to locked for reading and writing.
    public Cursor cursorForUpdate(
            PageAccess access,
            byte @Nullable [] from,
            boolean fromInclusive,
            byte @Nullable [] to,
            boolean toInclusive,
            boolean descending) {
        return cursor(
                access,
                KeyRange.between(from, fromInclusive, to, toInclusive),
                descending,
                LockMode.READ_WRITE);
    }

    private Cursor cursor(PageAccess access, KeyRange range, boolean descending, LockMode mode) {
        if (access instanceof RecordAccess records) {
            return buffered(records).cursor(range, descending, mode);
        }
        Descent descent = new Descent(access, tableId, root, mode == LockMode.READ_WRITE);
        return new TreeCursor(descent, range.from(), range.to(), descending);
    }

    private RecordTree buffered(RecordAccess access) {
        return new RecordTree(access, tableId, root);
    }

    /// About how many entries begin with or lie between the bounds; reads without locks.
    public long estimate(PageAccess access, byte @Nullable [] from, byte @Nullable [] to) {
        return new TreeEstimate(access, tableId, root)
                .between(KeyRange.between(from, true, to, true));
    }
}
