package org.quiredb.replica.tree;

import static org.quiredb.replica.tree.SlottedPage.INNER;
import static org.quiredb.replica.tree.SlottedPage.LEAF;
import static org.quiredb.replica.tree.SlottedPage.UNUSED;

import org.jspecify.annotations.Nullable;
import org.quiredb.common.version.PageId;
import org.quiredb.replica.page.PageAccess;

/// One search from a tree's root to a leaf, and where it stands.
///
/// Forwards it finds the leaf that the first entry behind the cut belongs to, backwards the one of
/// the last entry in front of it. Inner pages may be outdated: then the leaf is further to the
/// right, never further to the left.
///
/// Threads: one.
final class Descent {
    final PageAccess access;
    private static final byte[] NONE = {};
    private final int tableId;
    private final int root;
    private final boolean forUpdate;
    int pageNumber;
    byte[] page = NONE;

    /// Below what no entry of the page lies; null for the leftmost. Kept up backwards only.
    byte @Nullable [] low;

    Descent(PageAccess access, int tableId, int root, boolean forUpdate) {
        this.access = access;
        this.tableId = tableId;
        this.root = root;
        this.forUpdate = forUpdate;
    }

    long pageId() {
        return PageId.of(tableId, pageNumber);
    }

    void toLeaf(Cut cut, boolean backwards) {
        low = null;
        pageNumber = root;
        page = access.readInner(pageId());
        boolean isLeaf = SlottedPage.kind(page) != INNER;
        while (true) {
            if (isLeaf) {
                readLeaf();
                isLeaf = SlottedPage.kind(page) != INNER;
            }
            if (cut.beyond(page, backwards)) {
                right(backwards, isLeaf);
            } else if (isLeaf) {
                return;
            } else {
                isLeaf = down(cut, backwards);
            }
        }
    }

    /// To the inner page of a level that a separator belongs to, as far as it can be seen without
    /// locks.
    void toInner(Cut cut, int level) {
        pageNumber = root;
        page = access.readInner(pageId());
        while (SlottedPage.level(page) > level || cut.beyond(page, false)) {
            if (cut.beyond(page, false)) {
                right(false, false);
            } else {
                down(cut, false);
            }
        }
    }

    /// To the leaf on the right; false when there is none.
    boolean nextLeaf() {
        int next = SlottedPage.right(page);
        if (next == 0) {
            return false;
        }
        pageNumber = next;
        readLeaf();
        return true;
    }

    private void right(boolean backwards, boolean isLeaf) {
        if (backwards) {
            low = TreePage.highKey(page);
        }
        pageNumber = SlottedPage.right(page);
        if (!isLeaf) {
            page = access.readInner(pageId());
        }
    }

    /// Returns whether the child is a leaf, which is still to be read.
    private boolean down(Cut cut, boolean backwards) {
        int slot = cut.childSlot(page, backwards);
        if (backwards) {
            byte[] separator = TreePage.separator(page, slot);
            low = separator.length == 0 ? null : separator;
        }
        boolean leafNext = SlottedPage.level(page) == 1;
        pageNumber = TreePage.child(page, slot);
        if (!leafNext) {
            page = access.readInner(pageId());
            check(INNER);
        }
        return leafNext;
    }

    private void readLeaf() {
        page = forUpdate ? access.readForUpdate(pageId()) : access.read(pageId());
        if (pageNumber != root) {
            check(LEAF);
        }
    }

    private void check(int kind) {
        if (SlottedPage.kind(page) != kind
                && (pageNumber != root || SlottedPage.kind(page) != UNUSED)) {
            throw new IllegalStateException(
                    "tree page "
                            + PageId.toString(pageId())
                            + " is of kind "
                            + SlottedPage.kind(page));
        }
    }
}
