package org.quiredb.replica.page;

import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.writeset.PageOperations;

/// A transaction's own copy of one page; each change is recorded as an operation of {@link
/// PageOperations}.
///
/// Puts that touch or overlap the put before them are recorded as one.
///
/// Threads: one, its transaction's.
public final class PageWriter {
    private static final int NONE = -1;

    private final long pageId;
    private final boolean recorded;
    private final byte[] bytes;
    private final ByteWriter operations = new ByteWriter(128);
    private int putStart = NONE;
    private int putEnd = NONE;

    /// Copies the page on top of which the transaction writes.
    public PageWriter(long pageId, byte[] base) {
        this(pageId, base.clone(), true);
    }

    private PageWriter(long pageId, byte[] bytes, boolean recorded) {
        this.pageId = pageId;
        this.bytes = bytes;
        this.recorded = recorded;
    }

    /// Writes to the array itself and records nothing.
    static PageWriter unrecorded(long pageId, byte[] bytes) {
        return new PageWriter(pageId, bytes, false);
    }

    public long pageId() {
        return pageId;
    }

    /// The page as it is now, not to be written to by others.
    public byte[] bytes() {
        return bytes;
    }

    public void put(int offset, byte[] source, int from, int length) {
        System.arraycopy(source, from, bytes, offset, length);
        recordPut(offset, length);
    }

    public void put(int offset, byte[] source) {
        put(offset, source, 0, source.length);
    }

    public void putByte(int offset, int value) {
        bytes[offset] = (byte) value;
        recordPut(offset, 1);
    }

    /// Big-endian.
    public void putShort(int offset, int value) {
        bytes[offset] = (byte) (value >>> 8);
        bytes[offset + 1] = (byte) value;
        recordPut(offset, 2);
    }

    /// Big-endian.
    public void putInt(int offset, int value) {
        for (int i = 0; i < 4; i++) {
            bytes[offset + i] = (byte) (value >>> (24 - 8 * i));
        }
        recordPut(offset, 4);
    }

    /// Big-endian, the lower 48 bits: a row locator.
    public void putLocator(int offset, long value) {
        for (int i = 0; i < 6; i++) {
            bytes[offset + i] = (byte) (value >>> (40 - 8 * i));
        }
        recordPut(offset, 6);
    }

    /// Moves bytes within the page; the regions may overlap.
    public void move(int to, int from, int length) {
        if (length == 0 || to == from) {
            return;
        }
        if (recorded) {
            flush();
            PageOperations.move(operations, to, from, length);
        }
        System.arraycopy(bytes, from, bytes, to, length);
    }

    /// Everything recorded so far; a single put of the whole page where that is shorter.
    public byte[] operations() {
        flush();
        if (operations.size() <= PageOperations.PAGE_BYTES) {
            return operations.toByteArray();
        }
        ByteWriter whole = new ByteWriter(PageOperations.PAGE_BYTES + 8);
        PageOperations.put(whole, 0, bytes, 0, PageOperations.PAGE_BYTES);
        return whole.toByteArray();
    }

    /// Whether anything is recorded.
    public boolean changed() {
        return putStart != NONE || operations.size() > 0;
    }

    private void recordPut(int offset, int length) {
        if (!recorded || length == 0) {
            return;
        }
        if (putStart != NONE && offset <= putEnd && offset + length >= putStart) {
            putStart = Math.min(putStart, offset);
            putEnd = Math.max(putEnd, offset + length);
            return;
        }
        flush(offset, length);
        putStart = offset;
        putEnd = offset + length;
    }

    private void flush() {
        if (putStart != NONE) {
            PageOperations.put(operations, putStart, bytes, putStart, putEnd - putStart);
            putStart = NONE;
        }
    }

    /// The page already holds the next put, which touches nothing of the one that is flushed.
    private void flush(int nextOffset, int nextLength) {
        assert putStart == NONE || nextOffset > putEnd || nextOffset + nextLength < putStart;
        flush();
    }
}
