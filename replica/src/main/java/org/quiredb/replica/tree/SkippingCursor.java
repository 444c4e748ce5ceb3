package org.quiredb.replica.tree;

import java.util.Arrays;
import java.util.Iterator;
import java.util.NavigableSet;
import java.util.TreeSet;

/// A walk over a range of a tree that passes over the entries of rows that others have locked, and
/// locks the rows of all others: SKIP LOCKED.
///
/// It locks no range, for a row that is locked would then keep away from all rows of its range: so
/// others may add rows in between. What a row that it has locked is found by does not change any
/// more; before that it may have, so each entry is looked for again.
///
/// Threads: one.
final class SkippingCursor implements BTree.Cursor {
    private static final int PIECE = 64;

    private final RecordAccess access;
    private final RecordTree tree;
    private final KeySpace space;
    private final boolean descending;
    private final LockMode mode;
    private KeyRange rest;
    private Iterator<byte[]> piece = Arrays.<byte[]>asList().iterator();
    private byte[] entry = {};

    SkippingCursor(
            RecordAccess access,
            RecordTree tree,
            KeySpace space,
            KeyRange range,
            boolean descending,
            LockMode mode) {
        this.access = access;
        this.tree = tree;
        this.space = space;
        this.rest = range;
        this.descending = descending;
        this.mode = mode;
    }

    @Override
    public boolean next() {
        while (true) {
            while (!piece.hasNext()) {
                if (rest.isEmpty()) {
                    return false;
                }
                nextPiece();
            }
            entry = piece.next();
            if (isMine(TreePage.locatorOf(entry)) && tree.holds(entry)) {
                return true;
            }
        }
    }

    private boolean isMine(long locator) {
        return WriteBuffer.isProvisional(locator)
                || access.tryLock(KeySpace.rows(space.tableId()), KeyRange.locator(locator), mode);
    }

    @Override
    public byte[] key() {
        return TreePage.keyOf(entry);
    }

    @Override
    public long locator() {
        return TreePage.locatorOf(entry);
    }

    private void nextPiece() {
        NavigableSet<byte[]> entries = new TreeSet<>(Arrays::compareUnsigned);
        TreeCursor pages =
                new TreeCursor(
                        new Descent(access, space.tableId(), space.number(), false),
                        rest.from(),
                        rest.to(),
                        descending);
        KeyRange range = rest;
        while (entries.size() < PIECE && pages.next()) {
            entries.add(pages.entry());
        }
        if (entries.size() == PIECE) {
            Cut end = new Cut(descending ? entries.first() : entries.last(), !descending);
            range = descending ? new KeyRange(end, rest.to()) : new KeyRange(rest.from(), end);
        }
        access.buffer().overlay(space.tableId(), space.number(), range, entries);
        piece = descending ? entries.descendingIterator() : entries.iterator();
        rest =
                descending
                        ? new KeyRange(rest.from(), range.from())
                        : new KeyRange(range.to(), rest.to());
    }
}
