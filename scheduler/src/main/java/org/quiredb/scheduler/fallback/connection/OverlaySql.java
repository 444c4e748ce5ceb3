package org.quiredb.scheduler.fallback.connection;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.common.writeset.RowShape;
import org.quiredb.common.writeset.RowShape.Kind;
import org.quiredb.common.writeset.UnkeyedRow;

/// A transaction's whole rows as statements, in an order in which no key is taken before it is
/// free: rows go, rows change, rows come.
///
/// Rows that go or change are found one by one, by an equation of the primary key: a list would
/// make a server that finds its table small look at all of it, and lock that. Of a table without a
/// key it does look at all, which nobody else may change meanwhile.
public final class OverlaySql {
    private static final int MOST_ROWS = 200;
    private static final int MOST_CHARACTERS = 1 << 18;

    /// @param rows that it is to find or add
    public record Counted(String sql, long rows) {}

    private OverlaySql() {}

    public static List<Counted> of(RowChanges rows) {
        Map<Kind, Map<RowShape, List<RowChange>>> kinds = new EnumMap<>(Kind.class);
        for (RowChange row : rows) {
            kinds.computeIfAbsent(row.shape().kind(), k -> new LinkedHashMap<>())
                    .computeIfAbsent(row.shape(), s -> new ArrayList<>())
                    .add(row);
        }
        List<Counted> statements = new ArrayList<>();
        kinds.getOrDefault(Kind.DELETE, Map.of())
                .values()
                .forEach(gone -> gone.forEach(row -> statements.add(delete(row))));
        kinds.getOrDefault(Kind.DELETE_LIKE, Map.of())
                .values()
                .forEach(gone -> gone.forEach(row -> statements.add(deleteLike(row))));
        kinds.getOrDefault(Kind.UPDATE, Map.of())
                .values()
                .forEach(changed -> changed.forEach(row -> statements.add(update(row))));
        kinds.getOrDefault(Kind.INSERT, Map.of())
                .forEach((shape, come) -> insert(shape, come, statements));
        return statements;
    }

    private static Counted delete(RowChange row) {
        return new Counted("DELETE FROM " + name(row.shape()) + where(row), 1);
    }

    private static Counted deleteLike(RowChange row) {
        return new Counted(new UnkeyedRow(row, 1).delete(), 1);
    }

    private static Counted update(RowChange row) {
        StringJoiner assignments = new StringJoiner(", ", " SET ", "");
        for (int i = 0; i < row.shape().columns().size(); i++) {
            assignments.add(
                    quote(row.shape().columns().get(i)) + " = " + row.assigned().get(i).literal());
        }
        return new Counted("UPDATE " + name(row.shape()) + assignments + where(row), 1);
    }

    private static void insert(RowShape shape, List<RowChange> rows, List<Counted> statements) {
        StringJoiner columns = new StringJoiner(", ", " (", ") VALUES ");
        shape.columns().forEach(column -> columns.add(quote(column)));
        String begin = "INSERT INTO " + name(shape) + columns;
        StringBuilder sql = new StringBuilder(begin);
        int count = 0;
        for (RowChange row : rows) {
            StringJoiner values = new StringJoiner(", ", "(", ")");
            row.values().forEach(value -> values.add(value.literal()));
            if (count == MOST_ROWS || (count > 0 && sql.length() > MOST_CHARACTERS)) {
                statements.add(new Counted(sql.toString(), count));
                sql = new StringBuilder(begin);
                count = 0;
            }
            sql.append(count++ == 0 ? "" : ", ").append(values);
        }
        statements.add(new Counted(sql.toString(), count));
    }

    private static String where(RowChange row) {
        StringJoiner conditions = new StringJoiner(" AND ", " WHERE ", "");
        for (int i = 0; i < row.shape().key().size(); i++) {
            conditions.add(quote(row.shape().key().get(i)) + " = " + row.key().get(i).literal());
        }
        return conditions.toString();
    }

    public static String name(RowShape shape) {
        return quote(shape.schema()) + "." + quote(shape.table());
    }

    public static String quote(String name) {
        return "`" + name.replace("`", "``") + "`";
    }
}
