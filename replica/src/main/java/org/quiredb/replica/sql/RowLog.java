package org.quiredb.replica.sql;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.h2.result.Row;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.writeset.LoggedStatement;

/// A statement's changes of one table as statements of their own, each of which names its row: by
/// the primary key, else by all its columns.
///
/// Threads: the statement's own.
final class RowLog {
    private static final int ROWS_PER_INSERT = 500;
    private static final int BYTES_PER_INSERT = 1 << 20;

    private final TableLayout table;
    private final String name;
    private final long timestampMicros;
    private final List<String> settings;
    private final List<LoggedStatement> statements = new ArrayList<>();
    private final StringBuilder inserts = new StringBuilder();
    private int insertedRows;

    static List<LoggedStatement> of(
            TableLayout table,
            long timestampMicros,
            List<String> settings,
            List<Statement.RowChange> changes) {
        RowLog log = new RowLog(table, timestampMicros, settings);
        for (Statement.RowChange change : changes) {
            Row before = change.before();
            Row after = change.after();
            if (before == null && after != null) {
                log.inserted(after);
            } else if (before != null && after == null) {
                log.deleted(before);
            } else if (before != null && after != null) {
                log.updated(before, after);
            }
        }
        log.flush();
        return List.copyOf(log.statements);
    }

    private RowLog(TableLayout table, long timestampMicros, List<String> settings) {
        this.settings = settings;
        this.table = table;
        this.timestampMicros = timestampMicros;
        this.name = quote(table.definition().schema()) + "." + quote(table.definition().name());
    }

    private void inserted(Row row) {
        if (insertedRows == ROWS_PER_INSERT || inserts.length() > BYTES_PER_INSERT) {
            flush();
        }
        if (insertedRows++ == 0) {
            inserts.append("INSERT INTO ")
                    .append(name)
                    .append(
                            stored().stream()
                                    .map(i -> quote(column(i).name()))
                                    .collect(Collectors.joining(", ", " (", ") VALUES ")));
        } else {
            inserts.append(", ");
        }
        inserts.append(
                stored().stream()
                        .map(i -> literal(row, i))
                        .collect(Collectors.joining(", ", "(", ")")));
    }

    private void updated(Row before, Row after) {
        String assignments =
                stored().stream()
                        .filter(i -> column(i).onUpdateNow() || !same(before, after, i))
                        .map(i -> quote(column(i).name()) + " = " + literal(after, i))
                        .collect(Collectors.joining(", "));
        if (!assignments.isEmpty()) {
            flush();
            add("UPDATE " + name + " SET " + assignments + where(before), 1);
        }
    }

    private void deleted(Row row) {
        flush();
        add("DELETE FROM " + name + where(row), 1);
    }

    private void flush() {
        if (insertedRows > 0) {
            add(inserts.toString(), insertedRows);
            inserts.setLength(0);
            insertedRows = 0;
        }
    }

    private void add(String sql, int rows) {
        statements.add(new LoggedStatement("", sql, timestampMicros, 0, rows, settings));
    }

    private String where(Row row) {
        int primary = table.primary();
        List<Integer> columns =
                primary < 0
                        ? stored()
                        : Arrays.stream(table.keys(primary).columnIds()).boxed().toList();
        return columns.stream()
                .map(i -> quote(column(i).name()) + " <=> " + literal(row, i))
                .collect(Collectors.joining(" AND ", " WHERE ", primary < 0 ? " LIMIT 1" : ""));
    }

    private boolean same(Row before, Row after, int i) {
        return Storable.same(table.rows().type(i), before.getValue(i), after.getValue(i));
    }

    /// Generated columns are computed by whoever stores the row.
    private List<Integer> stored() {
        List<Integer> columns = new ArrayList<>();
        for (int i = 0; i < table.rows().columns(); i++) {
            if (column(i).generation() == null) {
                columns.add(i);
            }
        }
        return columns;
    }

    private String literal(Row row, int i) {
        SqlValue value = Values.fromH2(row.getValue(i));
        boolean single = table.rows().type(i).mysql() == MySqlType.FLOAT;
        return single && value instanceof SqlValue.DoubleValue(double number)
                ? Float.toString((float) number)
                : value.literal();
    }

    private ColumnDefinition column(int i) {
        return table.definition().columns().get(i);
    }

    private static String quote(String name) {
        return "`" + name.replace("`", "``") + "`";
    }
}
