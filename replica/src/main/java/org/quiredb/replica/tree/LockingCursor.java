package org.quiredb.replica.tree;

import java.util.Arrays;
import java.util.Iterator;
import java.util.NavigableSet;
import java.util.TreeSet;

/// A walk over a range of a tree that locks what it comes to before it reads it.
///
/// All keys with one beginning are locked at once. Any other range is locked in pieces, each four
/// times as many entries as the one before, so that a walk that ends early has not locked far past
/// its end.
///
/// Threads: one.
final class LockingCursor implements BTree.Cursor {
    private static final int LARGEST_PIECE = 256;

    private final RecordAccess access;
    private final KeySpace space;
    private final boolean descending;
    private final LockMode mode;
    private KeyRange rest;
    private int pieceEntries = 1;
    private Iterator<byte[]> piece = Arrays.<byte[]>asList().iterator();
    private byte[] entry = {};

    LockingCursor(
            RecordAccess access,
            KeySpace space,
            KeyRange range,
            boolean descending,
            LockMode mode) {
        this.access = access;
        this.space = space;
        this.rest = range;
        this.descending = descending;
        this.mode = mode;
    }

    @Override
    public boolean next() {
        while (!piece.hasNext()) {
            if (rest.isEmpty()) {
                return false;
            }
            nextPiece();
        }
        entry = piece.next();
        return true;
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
        KeyRange range = rest.isPrefix() && !rest.equals(KeyRange.ALL) ? rest : ahead();
        access.lock(space, range, mode);
        NavigableSet<byte[]> entries = new TreeSet<>(Arrays::compareUnsigned);
        TreeCursor pages = pages(range);
        while (pages.next()) {
            entries.add(pages.entry());
        }
        access.buffer().overlay(space.tableId(), space.number(), range, entries);
        piece = descending ? entries.descendingIterator() : entries.iterator();
        rest =
                descending
                        ? new KeyRange(rest.from(), range.from())
                        : new KeyRange(range.to(), rest.to());
    }

    /// What the next entries take of the rest, as the pages are now; they may change until it is
    /// locked.
    private KeyRange ahead() {
        TreeCursor pages = pages(rest);
        for (int i = 0; i < pieceEntries; i++) {
            if (!pages.next()) {
                return rest;
            }
        }
        pieceEntries = Math.min(4 * pieceEntries, LARGEST_PIECE);
        Cut end = new Cut(pages.key(), !descending);
        return descending ? new KeyRange(end, rest.to()) : new KeyRange(rest.from(), end);
    }

    private TreeCursor pages(KeyRange range) {
        return new TreeCursor(
                new Descent(access, space.tableId(), space.number(), false),
                range.from(),
                range.to(),
                descending);
    }
}
