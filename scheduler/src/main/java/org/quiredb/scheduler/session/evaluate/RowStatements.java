package org.quiredb.scheduler.session.evaluate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.fallback.Evaluated.Row;

/// Changes of named rows as statements that every master runs: by primary key, with the values
/// themselves. Without one a row is named by all that it holds, as are those that are alike.
///
/// Threads: one.
final class RowStatements {
    private static final int ROWS_AT_ONCE = 50;

    /// @param rows what it does row by row, where it is of several
    /// @param count how many rows it changes
    /// @param changed the row that it changes, where that stays
    record One(
            TableDefinition table,
            String sql,
            List<SqlValue> values,
            List<One> rows,
            int count,
            @Nullable Row changed) {
        /// Whether a row may have been changed, or be gone, with another one.
        boolean follows() {
            return !table.foreignKeys().isEmpty() && !ChangedRows.isBare(table);
        }
    }

    private RowStatements() {}

    /// Has all of the rows go before one of them comes back as it is to be, so that they may swap
    /// unique values. Of use where no foreign key is looked at.
    static List<One> replacing(List<Row> rows) {
        List<One> statements = new ArrayList<>();
        Map<TableDefinition, List<Row>> tables = byTable(rows);
        tables.values().forEach(part -> together(part, RowStatements::delete, statements));
        tables.values().forEach(part -> together(part, RowStatements::insert, statements));
        return statements;
    }

    /// Rows go before others change, and come last, so that keys are free.
    static List<One> of(List<Row> rows) {
        Map<TableDefinition, List<Row>> tables = byTable(rows);
        List<One> statements = new ArrayList<>();
        for (List<Row> ofTable : tables.values()) {
            List<Row> gone = ofTable.stream().filter(row -> row.after() == null).toList();
            if (ChangedRows.isBare(ofTable.getFirst().table())) {
                alike(gone, statements);
            } else {
                together(gone, RowStatements::delete, statements);
            }
        }
        for (List<Row> ofTable : tables.values()) {
            for (Row row : ofTable) {
                if (row.before() != null && row.after() != null) {
                    statements.add(update(row, row.before(), row.after()));
                }
            }
        }
        for (List<Row> ofTable : tables.values()) {
            together(
                    ofTable.stream().filter(row -> row.before() == null).toList(),
                    RowStatements::insert,
                    statements);
        }
        return statements;
    }

    private static Map<TableDefinition, List<Row>> byTable(List<Row> rows) {
        Map<TableDefinition, List<Row>> tables = new LinkedHashMap<>();
        rows.forEach(row -> tables.computeIfAbsent(row.table(), t -> new ArrayList<>()).add(row));
        return tables;
    }

    private static void together(
            List<Row> rows, Function<List<Row>, One> several, List<One> statements) {
        for (int from = 0; from < rows.size(); from += ROWS_AT_ONCE) {
            List<Row> part = rows.subList(from, Math.min(rows.size(), from + ROWS_AT_ONCE));
            One all = several.apply(part);
            statements.add(
                    part.size() == 1
                            ? all
                            : new One(
                                    all.table(),
                                    all.sql(),
                                    all.values(),
                                    part.stream().map(row -> several.apply(List.of(row))).toList(),
                                    all.count(),
                                    null));
        }
    }

    /// All that are alike go at once, so that no others are taken for them unseen.
    private static void alike(List<Row> rows, List<One> statements) {
        List<List<Row>> kinds =
                List.copyOf(
                        rows.stream()
                                .collect(
                                        Collectors.groupingBy(
                                                row -> literals(row.before()),
                                                LinkedHashMap::new,
                                                Collectors.toList()))
                                .values());
        for (int from = 0; from < kinds.size(); from += ROWS_AT_ONCE) {
            List<List<Row>> part = kinds.subList(from, Math.min(kinds.size(), from + ROWS_AT_ONCE));
            StringJoiner any = new StringJoiner(" OR ");
            List<SqlValue> values = new ArrayList<>();
            for (List<Row> kind : part) {
                any.add(whole(kind.getFirst(), values));
            }
            TableDefinition table = rows.getFirst().table();
            statements.add(
                    new One(
                            table,
                            "DELETE FROM " + name(table) + " WHERE " + any,
                            values,
                            List.of(),
                            part.stream().mapToInt(List::size).sum(),
                            null));
        }
    }

    private static List<String> literals(@Nullable List<SqlValue> values) {
        return values == null ? List.of() : values.stream().map(SqlValue::literal).toList();
    }

    /// @param values gets those of the condition
    private static String whole(Row row, List<SqlValue> values) {
        StringJoiner all = new StringJoiner(" AND ", "(", ")");
        List<SqlValue> before = row.before() == null ? List.of() : row.before();
        for (int i = 0; i < before.size(); i++) {
            ColumnDefinition column = row.columns().get(i);
            if (before.get(i).equals(SqlValue.NULL)) {
                all.add(quote(column.name()) + " IS NULL");
            } else if (column.geometry() // which is compared with none of its bytes
                    && before.get(i) instanceof SqlValue.BytesValue(byte[] bytes)) {
                all.add("HEX(" + quote(column.name()) + ") = ?");
                values.add(SqlValue.of(HexFormat.of().withUpperCase().formatHex(bytes)));
            } else {
                all.add(quote(column.name()) + " = ?");
                values.add(before.get(i));
            }
        }
        return all.toString();
    }

    private static One delete(List<Row> rows) {
        StringJoiner any = new StringJoiner(" OR ");
        List<SqlValue> values = new ArrayList<>();
        for (Row row : rows) {
            any.add("(" + where(row) + ")");
            values.addAll(key(row, row.before() == null ? List.of() : row.before()));
        }
        TableDefinition table = rows.getFirst().table();
        String sql = "DELETE FROM " + name(table) + " WHERE " + any;
        return new One(table, sql, values, List.of(), rows.size(), null);
    }

    private static One insert(List<Row> rows) {
        return adding("INSERT INTO ", rows);
    }

    /// @param verb what it begins with, which may pass over some of the rows
    static One adding(String verb, List<Row> rows) {
        Row first = rows.getFirst();
        StringJoiner columns = new StringJoiner(", ", " (", ") VALUES ");
        first.columns().forEach(column -> columns.add(quote(column.name())));
        String row =
                "(" + String.join(", ", Collections.nCopies(first.columns().size(), "?")) + ")";
        List<SqlValue> values = new ArrayList<>();
        for (Row one : rows) {
            if (one.after() != null) {
                values.addAll(one.after());
            }
        }
        String sql =
                verb
                        + name(first.table())
                        + columns
                        + String.join(", ", Collections.nCopies(rows.size(), row));
        return new One(first.table(), sql, values, List.of(), rows.size(), null);
    }

    /// What ON UPDATE would change by itself is said, too: the backend has done that already.
    private static One update(Row row, List<SqlValue> before, List<SqlValue> after) {
        StringJoiner assignments = new StringJoiner(", ");
        List<SqlValue> values = new ArrayList<>();
        for (int i = 0; i < row.columns().size(); i++) {
            ColumnDefinition column = row.columns().get(i);
            boolean same = before.get(i).literal().equals(after.get(i).literal());
            if (!same || column.onUpdateNow()) {
                assignments.add(quote(column.name()) + " = ?");
                values.add(after.get(i));
            }
        }
        values.addAll(key(row, before));
        String sql = "UPDATE " + name(row.table()) + " SET " + assignments + " WHERE " + where(row);
        return new One(row.table(), sql, values, List.of(), 1, row);
    }

    private static List<SqlValue> key(Row row, List<SqlValue> values) {
        return row.key().stream().map(values::get).toList();
    }

    private static String where(Row row) {
        StringJoiner all = new StringJoiner(" AND ");
        row.key().forEach(i -> all.add(quote(row.columns().get(i).name()) + " = ?"));
        return all.toString();
    }

    private static String name(TableDefinition table) {
        return quote(table.schema()) + "." + quote(table.name());
    }

    private static String quote(String name) {
        return "`" + name.replace("`", "``") + "`";
    }
}
