package org.quiredb.common.schema;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.sql.SqlValue;

/// Values of columns from what a backend shows for them: numbers and bytes by the column's type,
/// all else as its text.
public final class ShownValues {
    private ShownValues() {}

    /// What to select of a column, for all of a value is shown of a FLOAT only as a DOUBLE.
    ///
    /// @param name as SQL
    public static String selected(String name, ColumnDefinition column) {
        return base(column).equals("float") ? "CAST(%s AS DOUBLE)".formatted(name) : name;
    }

    /// @param shown of what is {@link #selected}
    public static SqlValue of(byte @Nullable [] shown, ColumnDefinition column) {
        if (shown == null) {
            return SqlValue.NULL;
        }
        if (column.geometry()) {
            return new SqlValue.BytesValue(shown);
        }
        return switch (base(column)) {
            case "tinyint", "smallint", "mediumint", "int", "integer", "bigint", "year", "bool" ->
                    integer(text(shown));
            case "decimal", "numeric", "dec", "fixed" -> new SqlValue.DecimalValue(text(shown));
            case "float", "double", "real" ->
                    new SqlValue.DoubleValue(Double.parseDouble(text(shown)));
            case "bit" -> new SqlValue.IntegerValue(bits(shown), true);
            case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob" ->
                    new SqlValue.BytesValue(shown);
            default -> SqlValue.of(text(shown));
        };
    }

    private static SqlValue integer(String text) {
        try {
            return SqlValue.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return new SqlValue.DecimalValue(text); // beyond a signed one
        }
    }

    private static long bits(byte[] shown) {
        long number = 0;
        for (byte b : shown) {
            number = (number << 8) | (b & 0xFF);
        }
        return number;
    }

    private static String base(ColumnDefinition column) {
        return column.type().toLowerCase(Locale.ROOT).split("[ (]", 2)[0];
    }

    private static String text(byte[] shown) {
        return new String(shown, StandardCharsets.UTF_8);
    }
}
