package org.quiredb.replica.h2.value;

import java.math.BigInteger;
import java.util.Arrays;
import org.h2.result.SearchRow;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.h2.value.ValueVarbinary;
import org.h2.value.ValueVarchar;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.replica.layout.ColumnType;
import org.quiredb.replica.layout.KeyBytes;
import org.quiredb.replica.layout.RowLayout;
import org.quiredb.replica.layout.StringKey;
import org.quiredb.replica.layout.TableLayout;

/// The keys of an index: bytes whose unsigned order is H2's order of the values, no key a prefix of
/// another.
///
/// A value begins with 0 for NULL or 1. Numbers follow with the bytes they have in a row, the sign
/// bit turned; strings as their collation weighs them, three bytes a UTF-16 unit at most, ended by
/// two zeroes.
public final class KeyCodec {
    private static final int BIG_DECIMAL_BYTES = 28;
    private final int[] columnIds;
    private final int[] prefixes;
    private final RowLayout layout;

    public KeyCodec(RowLayout layout, int[] columnIds) {
        this(layout, columnIds, new int[columnIds.length]);
    }

    /// @param prefixes how many characters or bytes of each column the key has, 0 for all
    public KeyCodec(RowLayout layout, int[] columnIds, int[] prefixes) {
        this.layout = layout;
        this.columnIds = columnIds;
        this.prefixes = prefixes;
    }

    /// Of the table's index at this place.
    public static KeyCodec of(TableLayout table, int index) {
        int[] prefixes =
                table.definition().indexes().get(index).prefixes().stream()
                        .mapToInt(i -> i)
                        .toArray();
        return new KeyCodec(table.rows(), table.keyColumns(index), prefixes);
    }

    public int[] columnIds() {
        return columnIds;
    }

    public byte[] key(SearchRow row) {
        ByteWriter key = new ByteWriter(columnIds.length * 9);
        for (int i = 0; i < columnIds.length; i++) {
            append(key, layout.type(columnIds[i]), part(row, i));
        }
        return key.toByteArray();
    }

    /// What a key has of a row in one of its columns.
    public Value part(SearchRow row, int place) {
        int column = columnIds[place];
        Value value = row.getValue(column);
        return prefixes[place] == 0 ? value : prefix(layout.type(column), value, prefixes[place]);
    }

    private static Value prefix(ColumnType type, Value value, int length) {
        if (value == null || value instanceof ValueNull) {
            return value;
        }
        if (type.storage() == ColumnType.Storage.BYTES) {
            byte[] bytes = value.getBytesNoCopy();
            return ValueVarbinary.get(Arrays.copyOf(bytes, Math.min(length, bytes.length)));
        }
        String text = value.getString();
        int end =
                text.codePointCount(0, text.length()) <= length
                        ? text.length()
                        : text.offsetByCodePoints(0, length);
        return ValueVarchar.get(text.substring(0, end));
    }

    /// One value alone.
    public static byte[] of(ColumnType type, Value value) {
        ByteWriter key = new ByteWriter(Long.BYTES + 1);
        append(key, type, value);
        return key.toByteArray();
    }

    public static void append(ByteWriter key, ColumnType type, Value value) {
        if (value == null || value instanceof ValueNull) {
            key.u8(0);
            return;
        }
        key.u8(1);
        switch (type.storage()) {
            case INTEGER, DECIMAL, DATE, TIMESTAMP, TIME ->
                    KeyBytes.number(key, type.width(), StoredValues.number(type, value));
            case FLOAT, DOUBLE -> floating(key, value.getDouble());
            case BIG_DECIMAL -> big(key, StoredValues.unscaled(type, value));
            case STRING, FOLDED_STRING ->
                    StringKey.append(key, type.collation(), value.getString());
            case BYTES -> bytes(key, value.getBytesNoCopy());
            case UUID -> key.raw(Uuids.kept(value), 0, Uuids.BYTES);
        }
    }

    private static void floating(ByteWriter key, double value) {
        long bits = Double.doubleToLongBits(value == 0 ? 0.0 : value);
        KeyBytes.number(key, Long.BYTES, bits < 0 ? bits ^ Long.MAX_VALUE : bits);
    }

    private static void big(ByteWriter key, BigInteger unscaled) {
        byte[] bytes =
                unscaled.add(BigInteger.ONE.shiftLeft(8 * BIG_DECIMAL_BYTES - 1)).toByteArray();
        int skipped = Math.max(bytes.length - BIG_DECIMAL_BYTES, 0);
        for (int i = bytes.length; i < BIG_DECIMAL_BYTES; i++) {
            key.u8(0);
        }
        key.raw(bytes, skipped, bytes.length - skipped);
    }

    private static void bytes(ByteWriter key, byte[] value) {
        for (byte b : value) {
            key.u8(b);
            if (b == 0) {
                key.u8(0xFF);
            }
        }
        key.u8(0);
        key.u8(0);
    }
}
