package org.quiredb.common.writeset;

import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;

/// The two primitive operations on a page, encoded one after another: *put* bytes, and *move* bytes
/// within the page.
///
/// Layout of one operation: varint(offset * 2 + kind), then for a put (kind 0) varint(length) and
/// the bytes, for a move (kind 1) varint(from) and varint(length), `offset` being where the bytes
/// go. Regions of a move may overlap.
public final class PageOperations {
    /// Every page of every table has this size. 8 KB copies in half the time of 16 KB and locks
    /// half as many rows.
    public static final int PAGE_BYTES = 8192;

    private PageOperations() {}

    public static void put(ByteWriter operations, int offset, byte[] source, int from, int length) {
        operations.varint((long) offset << 1).varint(length).raw(source, from, length);
    }

    public static void move(ByteWriter operations, int to, int from, int length) {
        operations.varint((long) to << 1 | 1).varint(from).varint(length);
    }

    /// Checks that every operation stays within a page; done once when a write set arrives, before
    /// anything is applied.
    public static void check(byte[] operations) {
        run(operations, null);
    }

    /// Applies operations that {@link #check} has accepted.
    public static void apply(byte[] operations, byte[] page) {
        run(operations, page);
    }

    private static void run(byte[] operations, byte @org.jspecify.annotations.Nullable [] page) {
        ByteReader reader = new ByteReader(operations);
        while (reader.remaining() > 0) {
            int head = reader.count(PAGE_BYTES * 2 + 1);
            int to = head >> 1;
            int from = (head & 1) == 1 ? reader.count(PAGE_BYTES) : 0;
            int length = reader.count(PAGE_BYTES);
            if (to + length > PAGE_BYTES || from + length > PAGE_BYTES) {
                throw new MangledMessageException("page operation reaches past the page's end");
            }
            if ((head & 1) == 1) {
                if (page != null) {
                    System.arraycopy(page, from, page, to, length);
                }
            } else {
                int source = reader.skip(length);
                if (page != null) {
                    System.arraycopy(operations, source, page, to, length);
                }
            }
        }
    }
}
