package org.quiredb.logger.apply;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.common.writeset.RowShape;

/// Net changes of rows as statements: rows of a table share one as far as their length allows.
///
/// Values are literals that any server reads back the same in the session of a {@link
/// RecordRunner}. A row is looked for by comparisons that are exact: a FLOAT with its value as a
/// double, a text without a primary key by its bytes.
///
/// Threads: one.
final class RowSql {
    /// Of one DELETE or INSERT; a list of a thousand is made a subquery by MariaDB.
    private static final int MAXIMUM_ROWS = 200;

    /// To MySQL no text equals a value of its type JSON. What may be one is compared by its bytes
    /// only.
    private static final Pattern JSON =
            Pattern.compile("'(\\\\?[\\[{\"\\-0-9]|(true|false|null)')");

    /// A longer text is not said twice.
    private static final int INDEXABLE_CHARACTERS = 1000;

    /// One statement.
    ///
    /// @param rows that it is to find, change or add
    record Counted(String sql, long rows) {}

    private final int maximumCharacters;
    private final List<Counted> statements = new ArrayList<>();

    /// @param maximumCharacters past which no further row is added to a statement
    RowSql(int maximumCharacters) {
        this.maximumCharacters = maximumCharacters;
    }

    /// One row's change alone.
    static String one(RowChange change) {
        NetChanges changes = new NetChanges();
        changes.add(change);
        return new RowSql(Integer.MAX_VALUE).of(changes).getFirst().sql();
    }

    List<Counted> of(NetChanges changes) {
        changes.tables().forEach(this::deletes);
        changes.tables().forEach(table -> table.updates().forEach(this::update));
        changes.tables().forEach(this::inserts);
        return List.copyOf(statements);
    }

    private void deletes(NetChanges.Table table) {
        shapes(table.deletes())
                .forEach((shape, rows) -> {
                    String begin = "DELETE FROM " + name(shape) + " WHERE ";
                    if (shape.kind() == RowShape.Kind.DELETE_LIKE) {
                        rows.forEach(row ->
                                statements.add(new Counted(begin + like(row) + " LIMIT 1", 1)));
                    } else if (shape.key().size() == 1) {
                        String column = quote(shape.key().getFirst());
                        together(
                                begin + column + " IN (",
                                ", ",
                                ")",
                                rows,
                                row -> literals(row.key()));
                    } else {
                        together(begin, " OR ", "", rows, row -> "(" + where(row) + ")");
                    }
                });
    }

    private void update(RowChange row) {
        StringJoiner assignments = new StringJoiner(", ");
        for (int i = 0; i < row.shape().columns().size(); i++) {
            assignments.add(
                    quote(row.shape().columns().get(i)) + " = " + row.assigned().get(i).literal());
        }
        statements.add(
                new Counted(
                        "UPDATE "
                                + name(row.shape())
                                + " SET "
                                + assignments
                                + " WHERE "
                                + where(row),
                        1));
    }

    private void inserts(NetChanges.Table table) {
        shapes(table.inserts())
                .forEach((shape, rows) -> {
                    StringJoiner columns = new StringJoiner(", ", " (", ") VALUES ");
                    shape.columns().forEach(column -> columns.add(quote(column)));
                    together(
                            "INSERT INTO " + name(shape) + columns,
                            ", ",
                            "",
                            rows,
                            row -> "(" + literals(row.values()) + ")");
                });
    }

    private interface Text {
        String of(RowChange row);
    }

    private void together(
            String begin, String between, String end, List<RowChange> rows, Text text) {
        StringBuilder sql = new StringBuilder(begin);
        int count = 0;
        for (RowChange row : rows) {
            String next = text.of(row);
            boolean full =
                    count == MAXIMUM_ROWS || sql.length() + next.length() > maximumCharacters;
            if (count > 0 && full) {
                statements.add(new Counted(sql.append(end).toString(), count));
                sql = new StringBuilder(begin);
                count = 0;
            }
            sql.append(count++ == 0 ? "" : between).append(next);
        }
        if (count > 0) {
            statements.add(new Counted(sql.append(end).toString(), count));
        }
    }

    private static Map<RowShape, List<RowChange>> shapes(List<RowChange> changes) {
        Map<RowShape, List<RowChange>> shapes = new LinkedHashMap<>();
        for (RowChange change : changes) {
            shapes.computeIfAbsent(change.shape(), s -> new ArrayList<>()).add(change);
        }
        return shapes;
    }

    private static String where(RowChange row) {
        StringJoiner conditions = new StringJoiner(" AND ");
        for (int i = 0; i < row.shape().key().size(); i++) {
            conditions.add(quote(row.shape().key().get(i)) + " = " + row.key().get(i).literal());
        }
        return conditions.toString();
    }

    private static String like(RowChange row) {
        StringJoiner conditions = new StringJoiner(" AND ");
        List<String> texts = row.shape().columns();
        for (int i = 0; i < row.shape().key().size(); i++) {
            String column = row.shape().key().get(i);
            String literal = row.key().get(i).literal();
            boolean text = texts.contains(column);
            boolean indexable =
                    literal.length() < INDEXABLE_CHARACTERS && !JSON.matcher(literal).lookingAt();
            if (!text || indexable) {
                conditions.add(quote(column) + " <=> " + literal);
            }
            if (text) {
                conditions.add(
                        "CAST(CONVERT(%s USING utf8mb4) AS BINARY) <=> CAST(%s AS BINARY)"
                                .formatted(quote(column), literal));
            }
        }
        return conditions.toString();
    }

    private static String literals(List<SqlValue> values) {
        StringJoiner literals = new StringJoiner(", ");
        values.forEach(value -> literals.add(value.literal()));
        return literals.toString();
    }

    static String name(RowShape shape) {
        return quote(shape.schema()) + "." + quote(shape.table());
    }

    static String quote(String name) {
        return "`" + name.replace("`", "``") + "`";
    }
}
