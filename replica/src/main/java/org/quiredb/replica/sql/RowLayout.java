package org.quiredb.replica.sql;

import java.util.Arrays;
import java.util.List;
import org.h2.result.SearchRow;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.jspecify.annotations.Nullable;
import org.quiredb.replica.sql.ColumnType.Storage;

/// The bytes of a table's rows: null bitmap, values of fixed width, end offsets of the others,
/// their bytes.
///
/// Every value is read without its neighbours being decoded. End offsets are counted from the row's
/// beginning, in two bytes or, where a row can be longer than these can say, in four.
final class RowLayout {
    private final ColumnType[] types;
    private final int[] fixedOffsets;
    private final int[] variableNumbers;
    private final int endsOffset;
    private final int endWidth;
    private final int variableOffset;

    RowLayout(List<ColumnType> columns) {
        types = columns.toArray(ColumnType[]::new);
        fixedOffsets = new int[types.length];
        variableNumbers = new int[types.length];
        int offset = (types.length + 7) / 8;
        int variables = 0;
        for (int i = 0; i < types.length; i++) {
            if (types[i].width() > 0) {
                fixedOffsets[i] = offset;
                offset += types[i].width();
            } else {
                variableNumbers[i] = variables++;
            }
        }
        endsOffset = offset;
        long longest = offset + 4L * variables;
        for (ColumnType type : types) {
            longest += type.width() > 0 ? 0 : type.length();
        }
        endWidth = longest > 0xFFFF ? 4 : 2;
        variableOffset = offset + endWidth * variables;
    }

    int columns() {
        return types.length;
    }

    ColumnType type(int column) {
        return types[column];
    }

    byte[] encode(SearchRow row) {
        byte[] bytes = new byte[variableOffset];
        int end = variableOffset;
        for (int i = 0; i < types.length; i++) {
            Value value = row.getValue(i);
            boolean absent = value == null || value instanceof ValueNull;
            if (absent) {
                bytes[i >> 3] |= (byte) (1 << (i & 7));
            }
            if (types[i].width() > 0) {
                if (!absent) {
                    putNumber(
                            bytes,
                            fixedOffsets[i],
                            types[i].width(),
                            Storable.number(types[i], value));
                }
                continue;
            }
            if (!absent) {
                byte[] content = Storable.bytes(types[i], value);
                bytes = Arrays.copyOf(bytes, end + content.length);
                System.arraycopy(content, 0, bytes, end, content.length);
                end += content.length;
            }
            putNumber(bytes, endsOffset + endWidth * variableNumbers[i], endWidth, end);
        }
        return bytes;
    }

    Value value(byte[] page, int offset, int column) {
        if (isNull(page, offset, column)) {
            return ValueNull.INSTANCE;
        }
        ColumnType type = types[column];
        if (type.width() > 0) {
            return Storable.ofNumber(type, number(page, offset, column));
        }
        int from = variableFrom(page, offset, column);
        return Storable.ofBytes(type, page, from, variableTo(page, offset, column) - from);
    }

    /// Whether two rows have the same bytes in a column.
    boolean same(byte[] row, byte[] other, int column) {
        boolean absent = isNull(row, 0, column);
        if (absent || isNull(other, 0, column)) {
            return absent == isNull(other, 0, column);
        }
        return types[column].width() > 0
                ? number(row, 0, column) == number(other, 0, column)
                : Arrays.equals(
                        row,
                        variableFrom(row, 0, column),
                        variableTo(row, 0, column),
                        other,
                        variableFrom(other, 0, column),
                        variableTo(other, 0, column));
    }

    boolean isNull(byte[] page, int offset, int column) {
        return (page[offset + (column >> 3)] & (1 << (column & 7))) != 0;
    }

    /// The one collation without case that the columns have, OTHER where H2 cannot compare them
    /// all, null for none.
    @Nullable Collation collation() {
        Collation found = null;
        for (ColumnType type : types) {
            if (type.collation() != Collation.BINARY) {
                found =
                        found == null || found == type.collation()
                                ? type.collation()
                                : Collation.OTHER;
            }
        }
        return found;
    }

    /// Whether a text column tells cases apart.
    boolean cased() {
        return Arrays.stream(types).anyMatch(t -> t.storage() == Storage.STRING);
    }

    /// Whether a column has fractions of seconds.
    boolean fractions() {
        return Arrays.stream(types)
                .anyMatch(t ->
                        (t.storage() == Storage.TIMESTAMP || t.storage() == Storage.TIME)
                                && t.decimals() > 0);
    }

    /// Whether the column's bytes are its text in UTF-8.
    boolean text(int column) {
        Storage storage = types[column].storage();
        return storage == Storage.STRING || storage == Storage.FOLDED_STRING;
    }

    /// Where the bytes of a column of variable width begin on the page.
    int variableFrom(byte[] page, int offset, int column) {
        int number = variableNumbers[column];
        return offset + (number == 0 ? variableOffset : end(page, offset, number - 1));
    }

    int variableTo(byte[] page, int offset, int column) {
        return offset + end(page, offset, variableNumbers[column]);
    }

    private int end(byte[] page, int offset, int number) {
        int at = offset + endsOffset + endWidth * number;
        int end = 0;
        for (int i = 0; i < endWidth; i++) {
            end = (end << 8) | (page[at + i] & 0xFF);
        }
        return end;
    }

    private static void putNumber(byte[] bytes, int offset, int width, long number) {
        for (int i = 0; i < width; i++) {
            bytes[offset + i] = (byte) (number >> (8 * (width - 1 - i)));
        }
    }

    /// What a column of fixed width holds.
    long number(byte[] page, int offset, int column) {
        int at = offset + fixedOffsets[column];
        long number = page[at];
        for (int i = 1; i < types[column].width(); i++) {
            number = (number << 8) | (page[at + i] & 0xFF);
        }
        return number;
    }
}
