package org.quiredb.replica.tree;

/// A forward or backward walk over the entries between two cuts.
///
/// Where pages are written directly, each leaf is copied when the walk comes to it: what is changed
/// there afterwards is not seen, and the page's neighbour as it was is still the right place to go
/// on.
///
/// Threads: one.
final class TreeCursor implements BTree.Cursor {
    private final Descent descent;
    private final Cut from;
    private final Cut to;
    private final boolean descending;
    private byte[] page;
    private int slot;
    private int limit;
    private boolean begun;
    private boolean ended;

    TreeCursor(Descent descent, Cut from, Cut to, boolean descending) {
        this.descent = descent;
        this.page = descent.page;
        this.from = from;
        this.to = to;
        this.descending = descending;
    }

    @Override
    public boolean next() {
        if (ended) {
            return false;
        }
        if (begun) {
            slot += descending ? -1 : 1;
        } else {
            begun = true;
            first();
        }
        while (descending ? slot < limit : slot >= limit) {
            if (!nextPage()) {
                ended = true;
                return false;
            }
        }
        return true;
    }

    @Override
    public byte[] key() {
        return TreePage.key(page, slot);
    }

    @Override
    public long locator() {
        return TreePage.locator(page, slot);
    }

    @Override
    public boolean keyContains(byte[] part) {
        return TreePage.keyContains(page, slot, part);
    }

    /// A new array: key and locator.
    byte[] entry() {
        return TreePage.entry(page, slot);
    }

    private void first() {
        if (descending) {
            before(to);
        } else {
            descent.toLeaf(from, false);
            arrived();
            slot = from.lowerBound(page);
            limit = to.lowerBound(page);
        }
    }

    private void before(Cut cut) {
        descent.toLeaf(cut, true);
        arrived();
        slot = cut.lowerBound(page) - 1;
        limit = from.lowerBound(page);
    }

    private boolean nextPage() {
        if (descending) {
            byte[] low = descent.low;
            if (low == null || from.compare(low) <= 0) {
                return false;
            }
            before(new Cut(low, false));
            return true;
        }
        int high = SlottedPage.highKey(page);
        if (high == 0 || to.compare(page, high + 2, SlottedPage.length(page, high)) >= 0) {
            return false;
        }
        descent.page = page;
        if (!descent.nextLeaf()) {
            return false;
        }
        arrived();
        slot = 0;
        limit = to.lowerBound(page);
        return true;
    }

    private void arrived() {
        boolean changes = descent.access.writable() && !(descent.access instanceof RecordAccess);
        page = changes ? descent.page.clone() : descent.page;
    }
}
