package org.quiredb.logger.snapshot;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.ShownValues;
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
                .map(column -> ShownValues.selected(Quoting.name(column.name()), column))
                .collect(Collectors.joining(", "));
    }

    /// Of a row of {@link #selected} columns.
    public static List<SqlValue> of(ResultSet row, List<ColumnDefinition> columns)
            throws SQLException {
        List<SqlValue> values = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            values.add(ShownValues.of(row.getBytes(i + 1), columns.get(i)));
        }
        return List.copyOf(values);
    }
}
