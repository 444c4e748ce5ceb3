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
/// Each row that is looked for without a key is a scan of its table. So many are looked for in one,
/// in a list that the server sorts; where the table holds more of a kind than go, the list finds
/// too many, and the scans are made after all.
///
/// Threads: one.
final class RowSql {
    /// Of one DELETE or INSERT; a list of a thousand is made a subquery by MariaDB.
    private static final int MAXIMUM_ROWS = 200;

    /// Of one list of rows without a key: as long as may be, since each is a scan.
    private static final int MAXIMUM_ALIKE = 900;

    /// To MySQL no text equals a value of its type JSON. What may be one is compared by its bytes
    /// only.
    private static final Pattern JSON =
            Pattern.compile("'(\\\\?[\\[{\"\\-0-9]|(true|false|null)')");

    /// A longer text is not said twice.
    private static final int INDEXABLE_CHARACTERS = 1000;

    /// Fewer are looked for each by itself: each may find an index that a list does not.
    private static final int ROWS_OF_A_LIST = 8;

    private static final String BYTES = "CAST(CONVERT(%s USING utf8mb4) AS BINARY)";

    /// One statement.
    ///
    /// @param rows that it is to find, change or add
    /// @param exactly in its place where it finds another number of rows; empty where that is an
    ///   error
    record Counted(String sql, long rows, List<Counted> exactly) {
        Counted(String sql, long rows) {
            this(sql, rows, List.of());
        }
    }

    /// Rows of a table without a primary key that nothing tells apart.
    private record Alike(RowChange row, int count) {
        private boolean isNull(int column) {
            return row.key().get(column) instanceof SqlValue.Null;
        }

        private boolean indexable(int column) {
            String literal = row.key().get(column).literal();
            return literal.length() < INDEXABLE_CHARACTERS && !JSON.matcher(literal).lookingAt();
        }

        /// In a list MariaDB finds a text of another character set than the connection's only where
        /// it has the same bytes in both.
        private boolean indexableInList(int column) {
            return indexable(column)
                    && row.key().get(column).literal().chars().allMatch(c -> c < 0x80);
        }

        private boolean text(int column) {
            return row.shape().columns().contains(row.shape().key().get(column));
        }

        private Counted exactly() {
            return new Counted(
                    "DELETE FROM %s WHERE %s LIMIT %d".formatted(name(row.shape()), like(), count),
                    count);
        }

        private String like() {
            StringJoiner conditions = new StringJoiner(" AND ");
            for (int i = 0; i < row.shape().key().size(); i++) {
                String column = quote(row.shape().key().get(i));
                String literal = row.key().get(i).literal();
                if (!text(i) || indexable(i)) {
                    conditions.add(column + " <=> " + literal);
                }
                if (text(i)) {
                    conditions.add(
                            BYTES.formatted(column) + " <=> CAST(" + literal + " AS BINARY)");
                }
            }
            return conditions.toString();
        }

        /// What rows of one list have in common: their columns that are NULL, and what stands
        /// before its IN.
        private String beginOfList() {
            StringBuilder nulls = new StringBuilder();
            StringJoiner compared = new StringJoiner(", ", "(", ")");
            for (int i = 0; i < row.shape().key().size(); i++) {
                String column = quote(row.shape().key().get(i));
                if (isNull(i)) {
                    nulls.append(column).append(" IS NULL AND ");
                    continue;
                }
                if (!text(i) || indexableInList(i)) {
                    compared.add(column);
                }
                if (text(i)) {
                    compared.add(BYTES.formatted(column));
                }
            }
            return "DELETE FROM " + name(row.shape()) + " WHERE " + nulls + compared + " IN (";
        }

        private String inList() {
            StringJoiner values = new StringJoiner(", ", "(", ")");
            for (int i = 0; i < row.shape().key().size(); i++) {
                String literal = row.key().get(i).literal();
                if (isNull(i)) {
                    continue;
                }
                if (!text(i) || indexableInList(i)) {
                    values.add(literal);
                }
                if (text(i)) {
                    values.add("CAST(" + literal + " AS BINARY)");
                }
            }
            return values.toString();
        }
    }

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
                        deletesAlike(rows);
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

    private void deletesAlike(List<RowChange> rows) {
        Map<String, List<RowChange>> alike = new LinkedHashMap<>();
        rows.forEach(
                row -> alike.computeIfAbsent(literals(row.key()), k -> new ArrayList<>()).add(row));
        Map<String, List<Alike>> lists = new LinkedHashMap<>();
        alike.values()
                .forEach(each -> {
                    Alike one = new Alike(each.getFirst(), each.size());
                    lists.computeIfAbsent(one.beginOfList(), k -> new ArrayList<>()).add(one);
                });
        lists.forEach((begin, list) -> {
            if (list.size() < ROWS_OF_A_LIST) {
                list.forEach(one -> statements.add(one.exactly()));
            } else {
                deleteLists(begin, list);
            }
        });
    }

    private void deleteLists(String begin, List<Alike> alike) {
        StringJoiner sql = new StringJoiner(", ", begin, ")");
        List<Counted> exactly = new ArrayList<>();
        for (Alike next : alike) {
            String values = next.inList();
            boolean full =
                    exactly.size() == MAXIMUM_ALIKE
                            || sql.length() + values.length() > maximumCharacters;
            if (full && !exactly.isEmpty()) {
                statements.add(list(sql, exactly));
                sql = new StringJoiner(", ", begin, ")");
                exactly = new ArrayList<>();
            }
            sql.add(values);
            exactly.add(next.exactly());
        }
        statements.add(list(sql, exactly));
    }

    private static Counted list(StringJoiner sql, List<Counted> exactly) {
        long rows = exactly.stream().mapToLong(Counted::rows).sum();
        return new Counted(sql.toString(), rows, List.copyOf(exactly));
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
