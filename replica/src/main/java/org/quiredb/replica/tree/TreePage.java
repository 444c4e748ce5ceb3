package org.quiredb.replica.tree;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// Reads the entries of tree pages: in a leaf key and locator, in an inner page separator and
/// child's page number.
final class TreePage {
    /// Enough for a locator: 23 bits of page number, 16 of slot, one that makes it provisional.
    static final int LOCATOR_BYTES = 5;

    static final int CHILD_BYTES = 4;

    private TreePage() {}

    static byte[] leafEntry(byte[] key, long locator) {
        byte[] entry = Arrays.copyOf(key, key.length + LOCATOR_BYTES);
        for (int i = 0; i < LOCATOR_BYTES; i++) {
            entry[key.length + i] = (byte) (locator >>> (8 * (LOCATOR_BYTES - 1 - i)));
        }
        return entry;
    }

    static byte[] keyOf(byte[] entry) {
        return Arrays.copyOf(entry, entry.length - LOCATOR_BYTES);
    }

    static long locatorOf(byte[] entry) {
        return locatorAt(entry, entry.length - LOCATOR_BYTES);
    }

    /// The key of a tree that is ordered by locator; no key of columns has these bytes.
    static byte[] locatorKey(long locator) {
        return ByteBuffer.allocate(Long.BYTES).putLong(locator).array();
    }

    static byte[] innerEntry(byte[] separator, int child) {
        byte[] entry = Arrays.copyOf(separator, separator.length + CHILD_BYTES);
        for (int i = 0; i < CHILD_BYTES; i++) {
            entry[separator.length + i] = (byte) (child >>> (24 - 8 * i));
        }
        return entry;
    }

    static byte[] entry(byte[] page, int slot) {
        return bytes(page, SlottedPage.offset(page, slot), 0);
    }

    static byte[] key(byte[] page, int slot) {
        return bytes(page, SlottedPage.offset(page, slot), LOCATOR_BYTES);
    }

    /// Whether the key of a leaf's entry has these bytes somewhere.
    static boolean keyContains(byte[] page, int slot, byte[] part) {
        int offset = SlottedPage.offset(page, slot);
        int length = SlottedPage.length(page, offset) - LOCATOR_BYTES;
        return contains(page, offset + 2, offset + 2 + length, part);
    }

    static boolean contains(byte[] bytes, int from, int to, byte[] part) {
        int last = to - part.length;
        byte first = part[0];
        for (int at = from; at <= last; at++) {
            if (bytes[at] == first && isAt(bytes, at, part)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAt(byte[] bytes, int at, byte[] part) {
        for (int i = 1; i < part.length; i++) {
            if (bytes[at + i] != part[i]) {
                return false;
            }
        }
        return true;
    }

    static byte[] separator(byte[] page, int slot) {
        return bytes(page, SlottedPage.offset(page, slot), CHILD_BYTES);
    }

    static byte[] highKey(byte[] page) {
        return bytes(page, SlottedPage.highKey(page), 0);
    }

    static long locator(byte[] page, int slot) {
        int offset = SlottedPage.offset(page, slot);
        return locatorAt(page, offset + 2 + SlottedPage.length(page, offset) - LOCATOR_BYTES);
    }

    private static long locatorAt(byte[] bytes, int at) {
        return (bytes[at] & 0xFFL) << 32 | (SlottedPage.integer(bytes, at + 1) & 0xFFFF_FFFFL);
    }

    static int child(byte[] page, int slot) {
        int offset = SlottedPage.offset(page, slot);
        return SlottedPage.integer(
                page, offset + 2 + SlottedPage.length(page, offset) - CHILD_BYTES);
    }

    private static byte[] bytes(byte[] page, int offset, int without) {
        return Arrays.copyOfRange(
                page, offset + 2, offset + 2 + SlottedPage.length(page, offset) - without);
    }
}
