package org.quiredb.replica.h2.table;

import org.quiredb.replica.tree.BTree;

/// Rows that were found before, in the order in which they were found.
final class ChosenRows implements BTree.Cursor {
    private final long[] locators;
    private int at = -1;

    ChosenRows(long[] locators) {
        this.locators = locators;
    }

    @Override
    public boolean next() {
        return ++at < locators.length;
    }

    @Override
    public byte[] key() {
        throw new UnsupportedOperationException("rows without an index have no key");
    }

    @Override
    public long locator() {
        return locators[at];
    }
}
