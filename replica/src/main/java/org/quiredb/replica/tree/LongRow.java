package org.quiredb.replica.tree;

import java.util.function.LongFunction;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.page.PageWriter;

/// Rows longer than a page: a stub where the row is looked for, and pieces elsewhere.
///
/// A stub is an entry with the highest bit of its length set, like a reference but longer: the
/// row's length in 4 bytes, the first piece's locator in 6. A piece is an ordinary entry: the next
/// one's locator, 0 for the last, then bytes of the row.
final class LongRow {
    private static final int STUB_BYTES = 10;
    private static final int LINK_BYTES = 6;
    private static final int LONGEST_ENTRY_BYTES = 8100;
    private static final int PIECE_BYTES = LONGEST_ENTRY_BYTES - LINK_BYTES;

    private final RowPages pages;

    LongRow(RowPages pages) {
        this.pages = pages;
    }

    static boolean needed(byte[] row) {
        return row.length > LONGEST_ENTRY_BYTES;
    }

    /// Whether the entry is a stub.
    static boolean at(byte[] page, int offset) {
        return SlottedPage.unsigned(page, offset) == (RowPages.REFERENCE | STUB_BYTES);
    }

    static void mark(PageWriter page, int slot) {
        page.putShort(SlottedPage.offset(page.bytes(), slot), RowPages.REFERENCE | STUB_BYTES);
    }

    /// Puts the pieces down, the last one first, and returns the stub.
    byte[] insert(PageAccess access, byte[] row) {
        long next = 0;
        int end = row.length;
        while (end > 0) {
            int length = (end - 1) % PIECE_BYTES + 1;
            byte[] piece = new byte[LINK_BYTES + length];
            putLocator(piece, 0, next);
            end -= length;
            System.arraycopy(row, end, piece, LINK_BYTES, length);
            next = pages.place(access, piece);
        }
        byte[] stub = new byte[STUB_BYTES];
        for (int i = 0; i < 4; i++) {
            stub[i] = (byte) (row.length >>> (8 * (3 - i)));
        }
        putLocator(stub, 4, next);
        return stub;
    }

    private static void putLocator(byte[] bytes, int at, long locator) {
        for (int i = 0; i < LINK_BYTES; i++) {
            bytes[at + i] = (byte) (locator >>> (8 * (LINK_BYTES - 1 - i)));
        }
    }

    RowRef row(LongFunction<byte[]> read, byte[] stubPage, int stub) {
        byte[] row = new byte[SlottedPage.integer(stubPage, stub + 2)];
        int at = 0;
        long next = SlottedPage.locator(stubPage, stub + 6);
        while (next != 0) {
            byte[] page = read.apply(pages.pageId(next));
            int offset = RowPages.existing(page, next);
            int length = SlottedPage.length(page, offset) - LINK_BYTES;
            System.arraycopy(page, offset + 2 + LINK_BYTES, row, at, length);
            at += length;
            next = SlottedPage.locator(page, offset + 2);
        }
        if (at != row.length) {
            throw new IllegalStateException("a row of " + row.length + " bytes has " + at);
        }
        return new RowRef(row, 0, row.length);
    }

    /// Removes the pieces if the entry is a stub.
    void clear(PageAccess access, byte[] stubPage, int stub) {
        long next = at(stubPage, stub) ? SlottedPage.locator(stubPage, stub + 6) : 0;
        while (next != 0) {
            PageWriter page = access.write(pages.pageId(next));
            long piece = next;
            next = SlottedPage.locator(page.bytes(), RowPages.existing(page.bytes(), piece) + 2);
            pages.clear(access, page, piece);
        }
    }
}
