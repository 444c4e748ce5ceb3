package org.quiredb.replica.tree;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;

/// A place between keys: in front of all byte strings that begin with `bytes`, or behind all of
/// them.
///
/// The order of cuts is that of the keys between them.
public final class Cut implements Comparable<Cut> {
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    static final Cut BEGINNING = new Cut(new byte[0], false);
    static final Cut END = new Cut(new byte[0], true);

    private final byte[] bytes;
    private final boolean behind;

    /// The first eight bytes, which decide most comparisons.
    private final long head;

    Cut(byte[] bytes, boolean behind) {
        this.bytes = bytes;
        this.behind = behind;
        this.head = bytes.length >= Long.BYTES ? (long) LONGS.get(bytes, 0) : shortHead(bytes);
    }

    private static long shortHead(byte[] bytes) {
        long head = 0;
        for (int i = 0; i < bytes.length; i++) {
            head |= (bytes[i] & 0xFFL) << (8 * (Long.BYTES - 1 - i));
        }
        return head;
    }

    /// Where a key on a page lies: negative in front of this, 0 where it is the first string behind
    /// it, positive further behind.
    int compare(byte[] page, int offset, int length) {
        int common = Math.min(length, bytes.length);
        if (offset + Long.BYTES <= page.length) {
            long mask = common >= Long.BYTES ? -1 : ~(-1L >>> (8 * common));
            int order = Long.compareUnsigned((long) LONGS.get(page, offset) & mask, head & mask);
            if (order != 0) {
                return order;
            }
            if (common <= Long.BYTES) {
                return compareLength(length);
            }
        }
        int mismatch = Arrays.mismatch(page, offset, offset + common, bytes, 0, common);
        return mismatch < 0
                ? compareLength(length)
                : (page[offset + mismatch] & 0xFF) - (bytes[mismatch] & 0xFF);
    }

    private int compareLength(int length) {
        return length < bytes.length || behind ? -1 : length - bytes.length;
    }

    /// The first slot of a leaf whose entry is behind this; the count of slots when none is.
    int lowerBound(byte[] page) {
        int low = 0;
        int high = SlottedPage.count(page);
        while (low < high) {
            int middle = (low + high) >>> 1;
            int offset = SlottedPage.offset(page, middle);
            if (compare(page, offset + 2, SlottedPage.length(page, offset)) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// The last slot of an inner page whose separator is in front of this or, unless `strictly`,
    /// touches it; at least 0.
    int childSlot(byte[] page, boolean strictly) {
        int limit = strictly ? 0 : 1;
        int low = 1;
        int high = SlottedPage.count(page);
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compareSeparator(page, middle) < limit) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    private int compareSeparator(byte[] page, int slot) {
        int offset = SlottedPage.offset(page, slot);
        return compare(page, offset + 2, SlottedPage.length(page, offset) - TreePage.CHILD_BYTES);
    }

    /// Whether what this search wants lies to the right of the page.
    boolean beyond(byte[] page, boolean strictly) {
        int high = SlottedPage.highKey(page);
        if (high == 0) {
            return false;
        }
        int order = compare(page, high + 2, SlottedPage.length(page, high));
        return strictly ? order < 0 : order <= 0;
    }

    int compare(byte[] key) {
        return compare(key, 0, key.length);
    }

    @Override
    public int compareTo(Cut other) {
        int mismatch = Arrays.mismatch(bytes, other.bytes);
        if (mismatch < 0) {
            return Boolean.compare(behind, other.behind);
        }
        if (mismatch == bytes.length) {
            return behind ? 1 : -1;
        }
        if (mismatch == other.bytes.length) {
            return other.behind ? -1 : 1;
        }
        return Byte.compareUnsigned(bytes[mismatch], other.bytes[mismatch]);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Cut cut && behind == cut.behind && sameBytes(cut);
    }

    @Override
    public int hashCode() {
        return 2 * Arrays.hashCode(bytes) + (behind ? 1 : 0);
    }

    @Override
    public String toString() {
        return (behind ? "behind " : "before ") + HexFormat.of().formatHex(bytes);
    }

    byte[] bytes() {
        return bytes;
    }

    boolean sameBytes(Cut other) {
        return Arrays.equals(bytes, other.bytes);
    }

    /// The number of bytes that tell where this is.
    public int length() {
        return bytes.length;
    }

    /// In front of the strings that begin with the first bytes of these.
    public Cut beforePrefix(int length) {
        return new Cut(Arrays.copyOf(bytes, length), false);
    }
}
