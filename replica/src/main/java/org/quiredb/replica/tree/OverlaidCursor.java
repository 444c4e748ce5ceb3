package org.quiredb.replica.tree;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/// A walk over a snapshot's entries and those of the rows that a transaction has changed, in one
/// order: of a changed row only the latter.
///
/// Both may have an entry of the same bytes: a row's place may have become another row's since the
/// snapshot.
///
/// Threads: one.
public final class OverlaidCursor implements BTree.Cursor {
    private final TreeCursor published;
    private final List<byte[]> own;
    private final boolean descending;
    private final Predicate<BTree.Cursor> hidden;
    private int place;
    private boolean begun;
    private boolean more;
    private boolean isOwn;

    OverlaidCursor(
            TreeCursor published,
            List<byte[]> own,
            boolean descending,
            Predicate<BTree.Cursor> hidden) {
        this.published = published;
        this.own = own;
        this.descending = descending;
        this.hidden = hidden;
    }

    @Override
    public boolean next() {
        if (!begun) {
            begun = true;
            step();
        } else if (isOwn) {
            place++;
        } else {
            step();
        }
        isOwn = place < own.size() && (!more || isBefore(own.get(place)));
        return isOwn || more;
    }

    private void step() {
        do {
            more = published.next();
        } while (more && hidden.test(published));
    }

    private boolean isBefore(byte[] entry) {
        int order = Arrays.compareUnsigned(entry, published.entry());
        return descending ? order > 0 : order < 0;
    }

    /// Whether the entry is of a row that the transaction has changed.
    public boolean isOwn() {
        return isOwn;
    }

    @Override
    public byte[] key() {
        return isOwn ? TreePage.keyOf(own.get(place)) : published.key();
    }

    @Override
    public long locator() {
        return isOwn ? TreePage.locatorOf(own.get(place)) : published.locator();
    }
}
