package org.quiredb.common.schema;

import java.util.Locale;

/// The CHECK by which MariaDB has a column of JSON: it says nothing but that the column is JSON.
public final class JsonCheck {
    private JsonCheck() {}

    /// Whether it is one of the table's columns that it says so of.
    public static boolean of(TableDefinition table, CheckDefinition check) {
        return table.columns().stream().anyMatch(column -> of(column, check));
    }

    public static boolean of(ColumnDefinition column, CheckDefinition check) {
        String name = column.name().toLowerCase(Locale.ROOT);
        String expression = check.expression().toLowerCase(Locale.ROOT).strip();
        return expression.equals("json_valid(`" + name + "`)");
    }
}
