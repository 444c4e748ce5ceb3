package org.quiredb.replica.sql;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import org.h2.result.SearchRow;
import org.h2.value.Value;
import org.h2.value.ValueNull;

/// The keys of an index: bytes whose unsigned order is H2's order of the values, no key a prefix of
/// another.
///
/// A value begins with 0 for NULL or 1. Numbers follow with eight bytes, the sign bit turned;
/// strings as three-byte UTF-16 units at most, without case where the collation has none, ended by
/// two zeroes.
final class KeyCodec {
    private static final int BIG_DECIMAL_BYTES = 28;
    private final int[] columnIds;
    private final RowLayout layout;

    KeyCodec(RowLayout layout, int[] columnIds) {
        this.layout = layout;
        this.columnIds = columnIds;
    }

    int[] columnIds() {
        return columnIds;
    }

    byte[] key(SearchRow row) {
        ByteArrayOutputStream key = new ByteArrayOutputStream(columnIds.length * 9);
        for (int column : columnIds) {
            append(key, layout.type(column), row.getValue(column));
        }
        return key.toByteArray();
    }

    static void append(ByteArrayOutputStream key, ColumnType type, Value value) {
        if (value == null || value instanceof ValueNull) {
            key.write(0);
            return;
        }
        key.write(1);
        switch (type.storage()) {
            case INTEGER, DECIMAL, DATE, TIMESTAMP, TIME ->
                    number(key, Storable.number(type, value) ^ Long.MIN_VALUE);
            case FLOAT, DOUBLE -> floating(key, value.getDouble());
            case BIG_DECIMAL -> big(key, Storable.unscaled(type, value));
            case STRING -> string(key, value.getString(), false);
            case FOLDED_STRING -> string(key, value.getString(), true);
            case BYTES -> bytes(key, value.getBytesNoCopy());
        }
    }

    private static void number(ByteArrayOutputStream key, long bits) {
        for (int shift = 56; shift >= 0; shift -= 8) {
            key.write((int) (bits >>> shift));
        }
    }

    private static void floating(ByteArrayOutputStream key, double value) {
        long bits = Double.doubleToLongBits(value == 0 ? 0.0 : value);
        number(key, bits < 0 ? ~bits : bits ^ Long.MIN_VALUE);
    }

    private static void big(ByteArrayOutputStream key, BigInteger unscaled) {
        byte[] bytes =
                unscaled.add(BigInteger.ONE.shiftLeft(8 * BIG_DECIMAL_BYTES - 1)).toByteArray();
        int skipped = Math.max(bytes.length - BIG_DECIMAL_BYTES, 0);
        for (int i = bytes.length; i < BIG_DECIMAL_BYTES; i++) {
            key.write(0);
        }
        key.write(bytes, skipped, bytes.length - skipped);
    }

    private static void string(ByteArrayOutputStream key, String value, boolean folded) {
        for (int i = 0; i < value.length(); i++) {
            char c =
                    folded
                            ? Character.toLowerCase(Character.toUpperCase(value.charAt(i)))
                            : value.charAt(i);
            if (c == 0) {
                key.write(0);
                key.write(0xFF);
            } else if (c < 0x80) {
                key.write(c);
            } else if (c < 0x800) {
                key.write(0xC0 | (c >> 6));
                key.write(0x80 | (c & 0x3F));
            } else {
                key.write(0xE0 | (c >> 12));
                key.write(0x80 | ((c >> 6) & 0x3F));
                key.write(0x80 | (c & 0x3F));
            }
        }
        key.write(0);
        key.write(0);
    }

    private static void bytes(ByteArrayOutputStream key, byte[] value) {
        for (byte b : value) {
            key.write(b);
            if (b == 0) {
                key.write(0xFF);
            }
        }
        key.write(0);
        key.write(0);
    }
}
