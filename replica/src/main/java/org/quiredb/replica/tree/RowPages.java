package org.quiredb.replica.tree;

import static org.quiredb.replica.tree.SlottedPage.ROWS;
import static org.quiredb.replica.tree.SlottedPage.UNUSED;

import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.version.PageId;
import org.quiredb.replica.page.FreeSpace;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.page.PageWriter;

/// The rows of one table. A row's locator (page number << 16 | slot) stays its own for life: a row
/// that outgrows its page leaves a reference behind, which is an entry with the highest bit of its
/// length set and a locator as its bytes. A row longer than a page lies in pieces ({@link
/// LongRow}).
///
/// Threads: any; holds nothing but the table's id.
public final class RowPages {
    /// A longer row is refused with ROW_TOO_LARGE.
    public static final int MAXIMUM_ROW_BYTES = 80 << 20;

    static final int REFERENCE = 0x8000;
    private static final int REFERENCE_BYTES = 6;
    private static final int TRIES = 4;

    private final int tableId;
    private final LongRow longRows;

    public RowPages(int tableId) {
        this.tableId = tableId;
        this.longRows = new LongRow(this);
    }

    /// @return the new row's locator
    public long insert(PageAccess access, byte[] row) {
        checkLength(row);
        if (access instanceof RecordAccess records) {
            return records.buffer().insertRow(tableId, row);
        }
        if (LongRow.needed(row)) {
            long locator = place(access, longRows.insert(access, row));
            LongRow.mark(access.write(pageId(locator)), slot(locator));
            return locator;
        }
        return place(access, row);
    }

    /// The row, or null where none is (any more).
    public @Nullable RowRef row(PageAccess access, long locator) {
        if (access instanceof RecordAccess records) {
            return buffered(records, locator, LockMode.READ);
        }
        return onPage(access::read, locator);
    }

    /// The row, or null where none is, on pages that somebody has at hand.
    ///
    /// @param pages by their ids, of one snapshot
    public @Nullable RowRef row(LongFunction<byte[]> pages, long locator) {
        return onPage(pages, locator);
    }

    /// As {@link #row}, with the row locked for reading and writing.
    public @Nullable RowRef rowForUpdate(PageAccess access, long locator) {
        if (access instanceof RecordAccess records) {
            return buffered(records, locator, LockMode.READ_WRITE);
        }
        return onPage(access::read, locator);
    }

    /// A row as the newest pages hold it, whatever a transaction has made of it.
    byte[] published(PageAccess access, long locator) {
        RowRef row = onPage(access::read, locator);
        if (row == null) {
            throw new IllegalStateException("no row at " + (locator >>> 16) + ":" + slot(locator));
        }
        return row.toByteArray();
    }

    private @Nullable RowRef onPage(LongFunction<byte[]> pages, long locator) {
        byte[] page = pages.apply(pageId(locator));
        int offset = entryAt(page, locator);
        if (offset != 0 && isReference(page, offset)) {
            long target = SlottedPage.locator(page, offset + 2);
            page = pages.apply(pageId(target));
            offset = entryAt(page, target);
        }
        if (offset != 0 && LongRow.at(page, offset)) {
            return longRows.row(pages, page, offset);
        }
        return offset == 0 ? null : new RowRef(page, offset + 2, SlottedPage.length(page, offset));
    }

    private @Nullable RowRef buffered(RecordAccess access, long locator, LockMode mode) {
        if (!WriteBuffer.isProvisional(locator)) {
            access.lock(KeySpace.rows(tableId), KeyRange.locator(locator), mode);
        }
        byte[] own = access.buffer().row(tableId, locator);
        if (own == null) {
            return WriteBuffer.isProvisional(locator) ? null : onPage(access::read, locator);
        }
        return WriteBuffer.isDeleted(own) ? null : new RowRef(own, 0, own.length);
    }

    private void checkExists(RecordAccess access, long locator) {
        if (buffered(access, locator, LockMode.READ_WRITE) == null) {
            throw new IllegalStateException("no row at " + (locator >>> 16) + ":" + slot(locator));
        }
    }

    /// Records only the bytes that differ where the row keeps its length.
    public void update(PageAccess access, long locator, byte[] row) {
        checkLength(row);
        if (access instanceof RecordAccess records) {
            checkExists(records, locator);
            records.buffer().updateRow(tableId, locator, row);
            return;
        }
        PageWriter home = access.write(pageId(locator));
        int offset = existing(home.bytes(), locator);
        if (LongRow.needed(row) || wasLong(access, home, offset)) {
            updateLong(access, home, locator, row);
            return;
        }
        if (!isReference(home.bytes(), offset)) {
            if (!RowEntry.replace(home, slot(locator), row)) {
                refer(home, locator, place(access, row));
            }
            note(access, home, locator);
            return;
        }
        long target = SlottedPage.locator(home.bytes(), offset + 2);
        PageWriter away = access.write(pageId(target));
        if (!RowEntry.replace(away, slot(target), row)) {
            clear(access, away, target);
            home.putLocator(offset + 2, place(access, row));
        }
    }

    private boolean wasLong(PageAccess access, PageWriter home, int offset) {
        if (!isReference(home.bytes(), offset)) {
            return LongRow.at(home.bytes(), offset);
        }
        long target = SlottedPage.locator(home.bytes(), offset + 2);
        byte[] page = access.write(pageId(target)).bytes();
        return LongRow.at(page, existing(page, target));
    }

    /// The row is long or was: all but its place at home is made anew.
    private void updateLong(PageAccess access, PageWriter home, long locator, byte[] row) {
        clearBeyond(access, home, locator);
        int offset = existing(home.bytes(), locator);
        home.putShort(offset, SlottedPage.length(home.bytes(), offset));
        boolean isLong = LongRow.needed(row);
        byte[] entry = isLong ? longRows.insert(access, row) : row;
        if (RowEntry.replace(home, slot(locator), entry)) {
            if (isLong) {
                LongRow.mark(home, slot(locator));
            }
        } else {
            long target = place(access, entry);
            if (isLong) {
                LongRow.mark(access.write(pageId(target)), slot(target));
            }
            refer(home, locator, target);
        }
        note(access, home, locator);
    }

    public void delete(PageAccess access, long locator) {
        if (access instanceof RecordAccess records) {
            checkExists(records, locator);
            records.buffer().deleteRow(tableId, locator);
            return;
        }
        PageWriter home = access.write(pageId(locator));
        clearBeyond(access, home, locator);
        clear(access, home, locator);
    }

    /// What of a row does not lie in its place at home.
    private void clearBeyond(PageAccess access, PageWriter home, long locator) {
        int offset = existing(home.bytes(), locator);
        if (isReference(home.bytes(), offset)) {
            long target = SlottedPage.locator(home.bytes(), offset + 2);
            PageWriter away = access.write(pageId(target));
            longRows.clear(access, away.bytes(), existing(away.bytes(), target));
            clear(access, away, target);
        } else {
            longRows.clear(access, home.bytes(), offset);
        }
    }

    long place(PageAccess access, byte[] row) {
        FreeSpace freeSpace = access.freeSpace(tableId);
        int needed = SlottedPage.sizeOf(row.length) + 2;
        PageWriter page = null;
        for (int i = 0; page == null && i < TRIES; i++) {
            int hint = freeSpace.find(needed);
            if (hint == FreeSpace.NONE) {
                break;
            }
            page = fitting(access.write(PageId.of(tableId, hint)), needed, freeSpace);
        }
        if (page == null) {
            page = access.allocate(tableId);
        }
        if (SlottedPage.kind(page.bytes()) == UNUSED) {
            SlottedPage.format(page, ROWS, 0);
        }
        int pageNumber = PageId.pageNumber(page.pageId());
        int slot = RowEntry.add(page, row);
        freeSpace.note(pageNumber, SlottedPage.freeBytes(page.bytes()));
        return (long) pageNumber << 16 | slot;
    }

    private static @Nullable PageWriter fitting(PageWriter page, int needed, FreeSpace freeSpace) {
        int kind = SlottedPage.kind(page.bytes());
        int free = kind == ROWS || kind == UNUSED ? SlottedPage.freeBytes(page.bytes()) : 0;
        if (free >= needed) {
            return page;
        }
        freeSpace.note(PageId.pageNumber(page.pageId()), free);
        return null;
    }

    private static void refer(PageWriter home, long locator, long target) {
        int offset = SlottedPage.offset(home.bytes(), slot(locator));
        SlottedPage.addDead(
                home,
                SlottedPage.sizeOf(SlottedPage.length(home.bytes(), offset))
                        - SlottedPage.sizeOf(6));
        home.putShort(offset, REFERENCE | REFERENCE_BYTES);
        home.putLocator(offset + 2, target);
    }

    void clear(PageAccess access, PageWriter page, long locator) {
        RowEntry.remove(page, slot(locator));
        note(access, page, locator);
    }

    private void note(PageAccess access, PageWriter page, long locator) {
        access.freeSpace(tableId).note((int) (locator >>> 16), SlottedPage.freeBytes(page.bytes()));
    }

    static int existing(byte[] page, long locator) {
        int offset = entryAt(page, locator);
        if (offset == 0) {
            throw new IllegalStateException("no row at " + (locator >>> 16) + ":" + slot(locator));
        }
        return offset;
    }

    /// 0 for none.
    private static int entryAt(byte[] page, long locator) {
        int slot = slot(locator);
        return SlottedPage.kind(page) == ROWS && slot < SlottedPage.count(page)
                ? SlottedPage.offset(page, slot)
                : 0;
    }

    private static boolean isReference(byte[] page, int offset) {
        return SlottedPage.unsigned(page, offset) == (REFERENCE | REFERENCE_BYTES);
    }

    long pageId(long locator) {
        return PageId.of(tableId, (int) (locator >>> 16));
    }

    static int slot(long locator) {
        return (int) locator & 0xFFFF;
    }

    private static void checkLength(byte[] row) {
        if (row.length > MAXIMUM_ROW_BYTES) {
            throw new QuireException(
                    ErrorCode.ROW_TOO_LARGE,
                    "row of "
                            + row.length
                            + " bytes, the in-memory tier takes "
                            + MAXIMUM_ROW_BYTES);
        }
    }
}
