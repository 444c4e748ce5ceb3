package org.quiredb.replica.tree;

import static org.quiredb.replica.tree.SlottedPage.INNER;

import org.quiredb.common.version.PageId;
import org.quiredb.replica.page.PageAccess;

/// How many entries lie between two cuts: exact when they are on the same leaf or near each other,
/// else from the positions of both in the pages on the way down. Takes no locks.
final class TreeEstimate {
    private static final int LEAVES_COUNTED = 4;

    private final PageAccess access;
    private final int tableId;
    private final int root;

    /// A cut's place: its leaf and slot, and the part of the tree that lies in front of it.
    @SuppressWarnings("ArrayRecordComponent") // a view of a page, never compared
    private record Place(byte[] leaf, int slot, double fraction, double entries) {}

    TreeEstimate(PageAccess access, int tableId, int root) {
        this.access = access;
        this.tableId = tableId;
        this.root = root;
    }

    long between(KeyRange range) {
        Cut to = range.to();
        Place first = place(range.from());
        Place last = place(to);
        long counted = -first.slot();
        byte[] leaf = first.leaf();
        for (int i = 0; i < LEAVES_COUNTED; i++) {
            if (!to.beyond(leaf, false)) {
                return Math.max(0, counted + to.lowerBound(leaf));
            }
            counted += SlottedPage.count(leaf);
            leaf = read(SlottedPage.right(leaf));
        }
        double estimate =
                (last.fraction() - first.fraction()) * Math.sqrt(first.entries() * last.entries());
        return Math.max(counted, Math.round(estimate));
    }

    private Place place(Cut cut) {
        byte[] page = read(root);
        double fraction = 0;
        double width = 1;
        double entries = 1;
        while (SlottedPage.kind(page) == INNER || cut.beyond(page, false)) {
            if (cut.beyond(page, false)) {
                page = read(SlottedPage.right(page));
                continue;
            }
            int count = SlottedPage.count(page);
            int slot = cut.childSlot(page, false);
            width /= count;
            fraction += slot * width;
            entries *= count;
            page = read(TreePage.child(page, slot));
        }
        int count = Math.max(SlottedPage.count(page), 1);
        int slot = cut.lowerBound(page);
        return new Place(page, slot, fraction + width * slot / count, entries * count);
    }

    private byte[] read(int pageNumber) {
        return access.readInner(PageId.of(tableId, pageNumber));
    }
}
