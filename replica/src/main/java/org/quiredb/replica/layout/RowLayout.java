package org.quiredb.replica.layout;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.replica.layout.ColumnType.Storage;

/// The bytes of a table's rows: null bitmap, values of fixed width, end offsets of the others,
/// their bytes.
///
/// {@link RowFormat} says where each is.
public final class RowLayout {
    private final ColumnType[] types;
    private final RowFormat format;
    private final boolean fractions;
    private final boolean cased;
    private final @Nullable Collation collation;

    RowLayout(List<ColumnType> columns) {
        types = columns.toArray(ColumnType[]::new);
        int[] widths = new int[types.length];
        long[] lengths = new long[types.length];
        for (int i = 0; i < types.length; i++) {
            widths[i] = types[i].width();
            lengths[i] = types[i].length();
        }
        format = new RowFormat(widths, lengths);
        fractions = fractions(types);
        cased = Arrays.stream(types).anyMatch(t -> t.storage() == Storage.STRING);
        collation = collation(types);
    }

    /// Where the values are among the bytes.
    public RowFormat format() {
        return format;
    }

    public int columns() {
        return types.length;
    }

    public ColumnType type(int column) {
        return types[column];
    }

    /// Whether two rows have the same bytes in a column.
    public boolean same(byte[] row, byte[] other, int column) {
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

    public boolean isNull(byte[] page, int offset, int column) {
        return format.isNull(page, offset, column);
    }

    /// The one collation without case that the columns have, OTHER where H2 cannot compare them
    /// all, null for none.
    public @Nullable Collation collation() {
        return collation;
    }

    private static @Nullable Collation collation(ColumnType[] types) {
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
    public boolean cased() {
        return cased;
    }

    /// Whether a column has fractions of seconds.
    public boolean fractions() {
        return fractions;
    }

    private static boolean fractions(ColumnType[] types) {
        return Arrays.stream(types)
                .anyMatch(t ->
                        (t.storage() == Storage.TIMESTAMP || t.storage() == Storage.TIME)
                                && t.decimals() > 0);
    }

    /// Whether the column's bytes are its text in UTF-8.
    public boolean text(int column) {
        Storage storage = types[column].storage();
        return storage == Storage.STRING || storage == Storage.FOLDED_STRING;
    }

    /// Where the bytes of a column of variable width begin on the page.
    public int variableFrom(byte[] page, int offset, int column) {
        return format.variableFrom(page, offset, column);
    }

    public int variableTo(byte[] page, int offset, int column) {
        return format.variableTo(page, offset, column);
    }

    /// What a column of fixed width holds.
    public long number(byte[] page, int offset, int column) {
        return format.number(page, offset, column);
    }
}
