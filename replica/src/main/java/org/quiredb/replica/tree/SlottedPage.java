package org.quiredb.replica.tree;

import static org.quiredb.common.writeset.PageOperations.PAGE_BYTES;

import java.util.Arrays;
import org.quiredb.replica.page.PageWriter;

/// The layout that row pages and tree pages share: header, entries from the front, slots (offsets
/// of entries) from the back.
///
/// Header, big-endian: 0 kind, 1 level (leaf 0), 2 slots, 4 where the free bytes begin, 6 dead
/// bytes between entries, 8 offset of the high key (0 for none), 10 page number to the right (0 for
/// none), 14 unused slots (row pages). An entry is its length in 2 bytes, then its bytes, at least
/// 6 of them, so that a row can become a reference. Slot `i` is in the 2 bytes at page end - 2 (i +
/// 1).
final class SlottedPage {
    static final int UNUSED = 0;
    static final int ROWS = 1;
    static final int LEAF = 2;
    static final int INNER = 3;

    static final int HEADER_BYTES = 16;
    private static final int LENGTH_MASK = 0x7FFF;
    private static final int LEAST_ENTRY_BYTES = 6;

    private SlottedPage() {}

    static int kind(byte[] page) {
        return page[0];
    }

    static int level(byte[] page) {
        return page[1];
    }

    static int count(byte[] page) {
        return unsigned(page, 2);
    }

    static int highKey(byte[] page) {
        return unsigned(page, 8);
    }

    static int right(byte[] page) {
        return integer(page, 10);
    }

    static int unusedSlots(byte[] page) {
        return unsigned(page, 14);
    }

    /// Where the entry of a slot is, 0 for none.
    static int offset(byte[] page, int slot) {
        return unsigned(page, slotAt(slot));
    }

    static int length(byte[] page, int offset) {
        return unsigned(page, offset) & LENGTH_MASK;
    }

    static int freeBytes(byte[] page) {
        return kind(page) == UNUSED
                ? PAGE_BYTES - HEADER_BYTES
                : contiguous(page) + unsigned(page, 6);
    }

    /// What an entry of this length takes on the page, without its slot.
    static int sizeOf(int length) {
        return 2 + Math.max(length, LEAST_ENTRY_BYTES);
    }

    static int slotAt(int slot) {
        return PAGE_BYTES - 2 * (slot + 1);
    }

    static int unsigned(byte[] page, int at) {
        return (page[at] & 0xFF) << 8 | (page[at + 1] & 0xFF);
    }

    static int integer(byte[] page, int at) {
        return unsigned(page, at) << 16 | unsigned(page, at + 2);
    }

    static long locator(byte[] page, int at) {
        return (long) unsigned(page, at) << 32 | (integer(page, at + 2) & 0xFFFF_FFFFL);
    }

    static void format(PageWriter writer, int kind, int level) {
        writer.putShort(0, kind << 8 | level);
        writer.putShort(2, 0);
        writer.putShort(4, HEADER_BYTES);
        writer.putShort(6, 0);
        writer.putShort(8, 0);
        writer.putInt(10, 0);
        writer.putShort(14, 0);
    }

    /// Adds an entry in front of the given slot. The caller has seen that it fits.
    static void insert(PageWriter writer, int slot, byte[] entry) {
        int offset = append(writer, entry, 2);
        int count = count(writer.bytes());
        int slotsBegin = PAGE_BYTES - 2 * count;
        writer.move(slotsBegin - 2, slotsBegin, 2 * (count - slot));
        writer.putShort(slotAt(slot), offset);
        writer.putShort(2, count + 1);
    }

    /// Takes a slot away, and closes the gap between the slots.
    static void remove(PageWriter writer, int slot) {
        int count = count(writer.bytes());
        int slotsBegin = PAGE_BYTES - 2 * count;
        bury(writer, offset(writer.bytes(), slot));
        writer.move(slotsBegin + 2, slotsBegin, 2 * (count - slot - 1));
        writer.putShort(2, count - 1);
    }

    /// Puts an entry's bytes behind the others and returns where; `alsoNeeded` bytes stay free.
    static int append(PageWriter writer, byte[] entry, int alsoNeeded) {
        int size = sizeOf(entry.length);
        if (contiguous(writer.bytes()) < size + alsoNeeded) {
            compact(writer);
        }
        int offset = unsigned(writer.bytes(), 4);
        if (contiguous(writer.bytes()) < size + alsoNeeded) {
            throw new IllegalStateException(
                    "entry of " + entry.length + " bytes does not fit its page");
        }
        writer.putShort(offset, entry.length);
        writer.put(offset + 2, entry);
        writer.putShort(4, offset + size);
        return offset;
    }

    /// Counts an entry's bytes as dead.
    static void bury(PageWriter writer, int offset) {
        addDead(writer, sizeOf(length(writer.bytes(), offset)));
    }

    static void addDead(PageWriter writer, int bytes) {
        if (bytes != 0) {
            writer.putShort(6, unsigned(writer.bytes(), 6) + bytes);
        }
    }

    static void setHighKey(PageWriter writer, byte[] key) {
        int old = highKey(writer.bytes());
        if (old != 0) {
            writer.putShort(8, 0);
            bury(writer, old);
        }
        writer.putShort(8, append(writer, key, 0));
    }

    private static int contiguous(byte[] page) {
        return PAGE_BYTES - 2 * count(page) - unsigned(page, 4);
    }

    /// Moves the entries together, run by run, from the front.
    private static void compact(PageWriter writer) {
        int[] live = liveEntries(writer.bytes());
        int to = HEADER_BYTES;
        for (int i = 0; i < live.length; ) {
            int from = live[i] >>> 16;
            int end = from;
            int shift = from - to;
            while (i < live.length && live[i] >>> 16 == end) {
                end += sizeOf(length(writer.bytes(), end));
                moved(writer, live[i] & 0xFFFF, shift);
                i++;
            }
            writer.move(to, from, end - from);
            to += end - from;
        }
        writer.putShort(4, to);
        writer.putShort(6, 0);
    }

    /// Offset in the upper half, where it is referred to from in the lower half; by offset.
    private static int[] liveEntries(byte[] page) {
        int count = count(page);
        int[] live = new int[count + 1];
        int size = 0;
        for (int slot = 0; slot < count; slot++) {
            if (offset(page, slot) != 0) {
                live[size++] = offset(page, slot) << 16 | slotAt(slot);
            }
        }
        if (highKey(page) != 0) {
            live[size++] = highKey(page) << 16 | 8;
        }
        Arrays.sort(live, 0, size);
        return Arrays.copyOf(live, size);
    }

    private static void moved(PageWriter writer, int reference, int shift) {
        if (shift != 0) {
            writer.putShort(reference, unsigned(writer.bytes(), reference) - shift);
        }
    }
}
