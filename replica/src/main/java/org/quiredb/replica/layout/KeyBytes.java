package org.quiredb.replica.layout;

import org.quiredb.common.wire.ByteWriter;

/// Parts of keys: bytes whose unsigned order is that of the values.
public final class KeyBytes {
    private static final byte[] NOT_NULL = {1};

    private KeyBytes() {}

    /// Everything but NULL in the first column begins with this.
    public static byte[] notNull() {
        return NOT_NULL;
    }

    /// Its bytes in a row, the sign bit turned.
    public static void number(ByteWriter key, int width, long number) {
        int shift = 8 * (width - 1);
        key.u8((int) (number >> shift) ^ 0x80);
        while (shift > 0) {
            shift -= 8;
            key.u8((int) (number >> shift));
        }
    }
}
