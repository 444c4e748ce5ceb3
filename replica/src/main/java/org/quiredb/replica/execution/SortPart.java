package org.quiredb.replica.execution;

import org.quiredb.common.wire.ByteWriter;

/// What rows are sorted, grouped or told apart by: a value of a row as bytes of which none begin
/// others, and whose unsigned order is that of the values.
///
/// @param lastLevel behind which no table has part in it
public record SortPart(Value value, boolean descending, int lastLevel) {
    /// Writes a row's value.
    @FunctionalInterface
    public interface Value {
        void append(ByteWriter key, RowContext at);
    }

    void append(ByteWriter key, RowContext at) {
        int from = key.size();
        value.append(key, at);
        if (descending) {
            byte[] bytes = key.array();
            for (int i = from; i < key.size(); i++) {
                bytes[i] = (byte) ~bytes[i];
            }
        }
    }

    static byte[] key(SortPart[] parts, ByteWriter scratch, RowContext at) {
        scratch.cut(0);
        for (SortPart part : parts) {
            part.append(scratch, at);
        }
        return scratch.toByteArray();
    }
}
