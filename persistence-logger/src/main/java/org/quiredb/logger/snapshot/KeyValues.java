package org.quiredb.logger.snapshot;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.sql.SqlValue;

/// Values of a row's key as they are named in the log, from what a backend shows for them: numbers
/// and bytes by their type, all else as its text.
public final class KeyValues {
    private KeyValues() {}

    public static ColumnDefinition column(TableDefinition table, String name) {
        return table.columns().stream()
                .filter(column -> column.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(table.name() + " has no column " + name));
    }

    /// What to select, for all of a value is shown of a FLOAT only as a DOUBLE.
    public static String selected(List<ColumnDefinition> columns) {
        return columns.stream()
                .map(column ->
                        base(column).equals("float")
                                ? "CAST(%s AS DOUBLE)".formatted(Quoting.name(column.name()))
                                : Quoting.name(column.name()))
                .collect(Collectors.joining(", "));
    }

    /// Of a row of {@link #selected} columns.
    public static List<SqlValue> of(ResultSet row, List<ColumnDefinition> columns)
            throws SQLException {
        List<SqlValue> values = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            byte[] shown = row.getBytes(i + 1);
            values.add(shown == null ? SqlValue.NULL : of(shown, columns.get(i)));
        }
        return List.copyOf(values);
    }

    private static SqlValue of(byte[] shown, ColumnDefinition column) {
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
