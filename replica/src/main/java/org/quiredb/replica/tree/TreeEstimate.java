package org.quiredb.replica.tree;

import static org.quiredb.replica.tree.SlottedPage.INNER;

import org.quiredb.common.version.PageId;
import org.quiredb.replica.page.PageAccess;

/// How many entries lie between two cuts: exact when they are on the same leaf or near each other,
/// else from the pages on the way down to both, a neighbour of which stands for all that lie in
/// between. Takes no locks.
final class TreeEstimate {
    private static final int LEAVES_COUNTED = 4;

    private final PageAccess access;
    private final int tableId;
    private final int root;

    TreeEstimate(PageAccess access, int tableId, int root) {
        this.access = access;
        this.tableId = tableId;
        this.root = root;
    }

    long between(KeyRange range) {
        Cut from = range.from();
        Cut to = range.to();
        int firstNumber = settle(root, from);
        int lastNumber = settle(root, to);
        byte[] first = read(firstNumber);
        byte[] last = read(lastNumber);
        double pages = 0;
        while (SlottedPage.kind(first) == INNER && SlottedPage.kind(last) == INNER) {
            int begin = from.childSlot(first, false);
            int end = to.childSlot(last, false);
            pages =
                    firstNumber == lastNumber
                            ? Math.max(end - begin - 1, 0)
                            : inner(pages, first) + SlottedPage.count(first) - begin - 1 + end;
            firstNumber = settle(TreePage.child(first, begin), from);
            lastNumber = settle(TreePage.child(last, end), to);
            first = read(firstNumber);
            last = read(lastNumber);
        }
        long counted = counted(first, from.lowerBound(first), to);
        return counted >= 0
                ? counted
                : Math.round(
                        inner(pages, first)
                                + SlottedPage.count(first)
                                - from.lowerBound(first)
                                + to.lowerBound(last));
    }

    /// What the pages hold that lie between two, the first of which is given.
    private double inner(double pages, byte[] first) {
        int right = SlottedPage.right(first);
        return pages * SlottedPage.count(right == 0 ? first : read(right));
    }

    /// The entries up to a cut that is on the leaf or near, else a negative number.
    private long counted(byte[] leaf, int slot, Cut to) {
        long counted = -slot;
        byte[] page = leaf;
        for (int i = 0; i < LEAVES_COUNTED; i++) {
            if (!to.beyond(page, false)) {
                return Math.max(0, counted + to.lowerBound(page));
            }
            counted += SlottedPage.count(page);
            page = read(SlottedPage.right(page));
        }
        return -1;
    }

    /// The page of a level that the cut lies on.
    private int settle(int pageNumber, Cut cut) {
        int settled = pageNumber;
        for (byte[] page = read(settled); cut.beyond(page, false); page = read(settled)) {
            settled = SlottedPage.right(page);
        }
        return settled;
    }

    private byte[] read(int pageNumber) {
        return access.readInner(PageId.of(tableId, pageNumber));
    }
}
