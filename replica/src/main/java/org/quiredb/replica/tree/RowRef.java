package org.quiredb.replica.tree;

/// Where a row's bytes are; valid as long as its page is not written to.
@SuppressWarnings("ArrayRecordComponent") // a view of a page, never compared
public record RowRef(byte[] page, int offset, int length) {
    public byte[] toByteArray() {
        byte[] copy = new byte[length];
        System.arraycopy(page, offset, copy, 0, length);
        return copy;
    }
}
