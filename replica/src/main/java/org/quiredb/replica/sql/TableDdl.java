package org.quiredb.replica.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.ForeignKeyDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.replica.sql.ColumnType.Storage;

/// A table definition as H2's DDL. Index and constraint names get the table's id, as H2 wants them
/// unique in a schema.
final class TableDdl {
    private final int tableId;
    private final TableDefinition table;

    TableDdl(int tableId, TableDefinition table) {
        this.tableId = tableId;
        this.table = table;
    }

    static String quote(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    static String name(String schema, String name) {
        return quote(schema) + "." + quote(name);
    }

    private static String list(List<String> columns) {
        return columns.stream().map(TableDdl::quote).collect(Collectors.joining(", ", "(", ")"));
    }

    /// Table first, then its indexes; without foreign keys.
    List<String> create() {
        return create(false);
    }

    /// Without what only matters when rows are changed.
    List<String> createForReads() {
        return create(true);
    }

    /// What of the definition decides a new row's values and does so in MySQL's words; null for
    /// nothing.
    @Nullable String beyondH2() {
        for (ColumnDefinition column : table.columns()) {
            String value = column.defaultExpression();
            if (column.generation() != null) {
                return "a table with a generated column";
            }
            if (value != null
                    && !value.startsWith("'")
                    && value.contains("(")
                    && !value.toLowerCase(Locale.ROOT).startsWith("current_timestamp")) {
                return "a table with a DEFAULT that is computed";
            }
        }
        return null;
    }

    private List<String> create(boolean forReads) {
        List<String> parts = new ArrayList<>();
        table.columns().forEach(column -> parts.add(forReads ? plain(column) : column(column)));
        List<String> statements = new ArrayList<>();
        for (IndexDefinition index : table.indexes()) {
            if (index.primary()) {
                parts.add("PRIMARY KEY " + list(index.columns()));
            } else {
                statements.add(
                        "CREATE "
                                + (index.unique() ? "UNIQUE " : "")
                                + "INDEX "
                                + name(table.schema(), "i" + tableId + "_" + index.name())
                                + " ON "
                                + name(table.schema(), table.name())
                                + list(index.columns()));
            }
        }
        for (String check : table.checks()) {
            if (!forReads && !check.toLowerCase(Locale.ROOT).contains("json_valid")) {
                parts.add("CHECK (" + check + ")");
            }
        }
        statements.addFirst(
                "CREATE TABLE "
                        + name(table.schema(), table.name())
                        + " ("
                        + String.join(", ", parts)
                        + ")");
        return statements;
    }

    private static String plain(ColumnDefinition column) {
        return quote(column.name()) + ' ' + ColumnType.of(column).h2();
    }

    private static String column(ColumnDefinition column) {
        StringBuilder sql =
                new StringBuilder(quote(column.name()))
                        .append(' ')
                        .append(ColumnType.of(column).h2());
        String defaultExpression = column.defaultExpression();
        if (defaultExpression != null && !defaultExpression.equalsIgnoreCase("null")) {
            sql.append(" DEFAULT ").append(expression(column, defaultExpression));
        }
        if (column.onUpdateNow()) {
            sql.append(" ON UPDATE LOCALTIMESTAMP(6)");
        }
        return sql.append(column.nullable() ? "" : " NOT NULL").toString();
    }

    private static String expression(ColumnDefinition column, String mysql) {
        Storage storage = ColumnType.of(column).storage();
        if ((storage == Storage.DATE || storage == Storage.TIMESTAMP) && mysql.startsWith("'")) {
            return "PUBLIC.QUIRE_MOMENT(" + mysql + ")";
        }
        String lower = mysql.toLowerCase(Locale.ROOT);
        if (lower.startsWith("current_timestamp") || lower.startsWith("now(")) {
            return "LOCALTIMESTAMP(6)";
        }
        if (lower.startsWith("b'") && lower.endsWith("'")) {
            return Long.toString(Long.parseLong(lower.substring(2, lower.length() - 1), 2));
        }
        return mysql.replace("\\\\", "\\");
    }

    String foreignKey(ForeignKeyDefinition key) {
        return "ALTER TABLE "
                + name(table.schema(), table.name())
                + " ADD CONSTRAINT "
                + name(table.schema(), "f" + tableId + "_" + key.name())
                + " FOREIGN KEY "
                + list(key.columns())
                + " REFERENCES "
                + name(key.referencedSchema(), key.referencedTable())
                + list(key.referencedColumns())
                + " ON DELETE "
                + key.onDelete()
                + " ON UPDATE "
                + key.onUpdate()
                + " NOCHECK";
    }
}
