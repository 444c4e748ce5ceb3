package org.quiredb.replica.tree;

import static org.quiredb.replica.tree.SlottedPage.sizeOf;

import org.quiredb.replica.page.PageWriter;

/// One row on its page: added to a slot that keeps its number, replaced, removed.
final class RowEntry {
    /// Equal bytes between two differing ones that are cheaper to record than a further operation.
    private static final int GAP_BYTES = 4;

    private RowEntry() {}

    /// @return the slot
    static int add(PageWriter page, byte[] row) {
        int unused = SlottedPage.unusedSlots(page.bytes());
        int slot = SlottedPage.count(page.bytes());
        if (unused == 0) {
            SlottedPage.insert(page, slot, row);
            return slot;
        }
        int offset = SlottedPage.append(page, row, 0);
        for (slot = 0; SlottedPage.offset(page.bytes(), slot) != 0; slot++) {
            assert slot < SlottedPage.count(page.bytes());
        }
        page.putShort(SlottedPage.slotAt(slot), offset);
        page.putShort(14, unused - 1);
        return slot;
    }

    static void remove(PageWriter page, int slot) {
        SlottedPage.bury(page, SlottedPage.offset(page.bytes(), slot));
        page.putShort(SlottedPage.slotAt(slot), 0);
        page.putShort(14, SlottedPage.unusedSlots(page.bytes()) + 1);
    }

    /// @return false where the page has no room, and nothing is changed
    static boolean replace(PageWriter page, int slot, byte[] row) {
        int offset = SlottedPage.offset(page.bytes(), slot);
        int oldLength = SlottedPage.length(page.bytes(), offset);
        int growth = sizeOf(row.length) - sizeOf(oldLength);
        if (row.length == oldLength) {
            putDifferences(page, offset + 2, row);
        } else if (growth <= 0) {
            page.putShort(offset, row.length);
            page.put(offset + 2, row);
            SlottedPage.addDead(page, -growth);
        } else if (SlottedPage.freeBytes(page.bytes()) < growth) {
            return false;
        } else {
            page.putShort(SlottedPage.slotAt(slot), 0);
            SlottedPage.bury(page, offset);
            int newOffset = SlottedPage.append(page, row, 0);
            page.putShort(SlottedPage.slotAt(slot), newOffset);
        }
        return true;
    }

    private static void putDifferences(PageWriter page, int at, byte[] row) {
        byte[] bytes = page.bytes();
        int i = 0;
        while (i < row.length) {
            if (bytes[at + i] == row[i]) {
                i++;
                continue;
            }
            int end = i + 1;
            for (int next = end; next < row.length && next < end + GAP_BYTES; next++) {
                if (bytes[at + next] != row[next]) {
                    end = next + 1;
                }
            }
            page.put(at + i, row, i, end - i);
            i = end;
        }
    }
}
