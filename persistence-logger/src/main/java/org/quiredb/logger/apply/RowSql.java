package org.quiredb.logger.apply;

import com.mysql.cj.jdbc.JdbcConnection;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.common.writeset.RowShape;
import org.quiredb.common.writeset.UnkeyedRow;

/// Net changes of rows as statements: rows of a table share one as far as their length allows.
///
/// Values are literals that any server reads back the same in the session of a {@link
/// RecordRunner}, but for the long ones of a large row, which are sent as they are. A row is looked
/// for by comparisons that are exact: a FLOAT with its value as a double, a text without a primary
/// key by its bytes.
///
/// Many rows of a table without any index are looked for in one scan ({@link UnkeyedRow}). Where it
/// holds more of a kind than go, that finds too many, and a scan is made for each after all.
///
/// Threads: one.
final class RowSql {
    /// Of one DELETE or INSERT; a list of a thousand is made a subquery by MariaDB.
    private static final int MAXIMUM_ROWS = 200;

    /// Of one list of rows without a key: as long as may be, since each is a scan.
    private static final int MAXIMUM_VALUES = 900;

    /// Fewer are looked for each by itself.
    private static final int ROWS_OF_A_LIST = 8;

    /// A row of more is written by a statement of its own.
    private static final int LARGE_ROW = 1 << 18;

    /// Of its values those that are longer are no part of the text: of the shorter ones all
    /// columns' literals fit into the least packet that a backend may have.
    private static final int LONG_VALUE = 256;

    /// One statement.
    ///
    /// @param rows that it is to find, change or add
    /// @param values one for each `?`, which are sent in pieces, so that each may be as large as a
    ///   packet and is never a literal of twice its length
    /// @param list what it deletes where it may find another number of rows, and is to be taken
    ///   back then; empty where that is an error
    record Counted(String sql, long rows, List<SqlValue> values, List<UnkeyedRow> list) {
        Counted(String sql, long rows) {
            this(sql, rows, List.of(), List.of());
        }

        private static Counted of(UnkeyedRow row) {
            return new Counted(row.delete(), row.count());
        }

        /// @param statement of the session to run it in
        /// @return how many rows it found
        long run(Statement statement) throws SQLException {
            if (values.isEmpty()) {
                return statement.executeLargeUpdate(sql);
            }
            JdbcConnection server = statement.getConnection().unwrap(JdbcConnection.class);
            try (PreparedStatement prepared = server.serverPrepareStatement(sql)) {
                for (int i = 0; i < values.size(); i++) {
                    byte[] bytes =
                            values.get(i) instanceof SqlValue.BytesValue(byte[] value)
                                    ? value
                                    : ((SqlValue.StringValue) values.get(i))
                                            .value()
                                            .getBytes(StandardCharsets.UTF_8);
                    prepared.setBinaryStream(i + 1, new ByteArrayInputStream(bytes), bytes.length);
                }
                return prepared.executeLargeUpdate();
            }
        }

        /// The same in another's words.
        Counted as(String other) {
            return new Counted(other, rows, values, list);
        }

        /// In the place of one that was taken back.
        List<Counted> oneByOne() {
            return list.stream().map(Counted::of).toList();
        }
    }

    private final int maximumCharacters;
    private final Predicate<RowShape> scanned;
    private final List<Counted> statements = new ArrayList<>();

    /// @param maximumCharacters past which no further row is added to a statement
    /// @param scanned whether a table has no index by which its rows could be found
    RowSql(int maximumCharacters, Predicate<RowShape> scanned) {
        this.maximumCharacters = maximumCharacters;
        this.scanned = scanned;
    }

    /// One row's change alone.
    static Counted one(RowChange change) {
        NetChanges changes = new NetChanges();
        changes.add(change);
        return new RowSql(Integer.MAX_VALUE, shape -> false).of(changes).getFirst();
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
                        unkeyed(shape, rows);
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

    private void unkeyed(RowShape shape, List<RowChange> changes) {
        Map<String, List<RowChange>> kinds = new LinkedHashMap<>();
        changes.forEach(
                row -> kinds.computeIfAbsent(literals(row.key()), k -> new ArrayList<>()).add(row));
        List<UnkeyedRow> rows =
                kinds.values().stream().map(k -> new UnkeyedRow(k.getFirst(), k.size())).toList();
        if (rows.size() < ROWS_OF_A_LIST || !scanned.test(shape)) {
            rows.forEach(row -> statements.add(Counted.of(row)));
            return;
        }
        Map<String, List<UnkeyedRow>> lists = new LinkedHashMap<>();
        rows.forEach(
                row -> lists.computeIfAbsent(row.beginOfList(), k -> new ArrayList<>()).add(row));
        lists.forEach((begin, list) -> lists(begin, list, MAXIMUM_VALUES / shape.key().size()));
    }

    private void lists(String begin, List<UnkeyedRow> rows, int maximumRows) {
        StringJoiner sql = new StringJoiner(", ", begin, ")");
        List<UnkeyedRow> list = new ArrayList<>();
        for (UnkeyedRow next : rows) {
            String values = next.inList();
            boolean full =
                    list.size() >= maximumRows
                            || sql.length() + values.length() > maximumCharacters;
            if (full && !list.isEmpty()) {
                statements.add(list(sql, list));
                sql = new StringJoiner(", ", begin, ")");
                list = new ArrayList<>();
            }
            sql.add(values);
            list.add(next);
        }
        statements.add(list(sql, list));
    }

    private static Counted list(StringJoiner sql, List<UnkeyedRow> list) {
        if (list.size() == 1) {
            return Counted.of(list.getFirst());
        }
        long rows = list.stream().mapToLong(UnkeyedRow::count).sum();
        return new Counted(sql.toString(), rows, List.of(), List.copyOf(list));
    }

    private void update(RowChange row) {
        StringJoiner assignments = new StringJoiner(", ");
        List<SqlValue> sent = new ArrayList<>();
        boolean large = isLarge(row);
        for (int i = 0; i < row.shape().columns().size(); i++) {
            SqlValue value = row.assigned().get(i);
            assignments.add(
                    quote(row.shape().columns().get(i))
                            + " = "
                            + (large ? marker(value, sent) : value.literal()));
        }
        statements.add(
                new Counted(
                        "UPDATE "
                                + name(row.shape())
                                + " SET "
                                + assignments
                                + " WHERE "
                                + where(row),
                        1,
                        sent,
                        List.of()));
    }

    private static boolean isLarge(RowChange row) {
        long size = 0;
        for (SqlValue value : row.values()) {
            size += length(value);
        }
        return size > LARGE_ROW;
    }

    private static int length(SqlValue value) {
        return switch (value) {
            case SqlValue.BytesValue(byte[] bytes) -> bytes.length;
            case SqlValue.StringValue(String text) -> text.length();
            default -> 0; // a number or a moment
        };
    }

    /// A text is sent as its bytes, which any column takes as those of a text when told so.
    private static String marker(SqlValue value, List<SqlValue> sent) {
        if (length(value) <= LONG_VALUE) {
            return value.literal();
        }
        sent.add(value);
        return value instanceof SqlValue.BytesValue ? "?" : "CONVERT(? USING utf8mb4)";
    }

    private void inserts(NetChanges.Table table) {
        shapes(table.inserts())
                .forEach((shape, rows) -> {
                    StringJoiner columns = new StringJoiner(", ", " (", ") VALUES ");
                    shape.columns().forEach(column -> columns.add(quote(column)));
                    String begin = "INSERT INTO " + name(shape) + columns;
                    Map<Boolean, List<RowChange>> large =
                            rows.stream().collect(Collectors.partitioningBy(RowSql::isLarge));
                    together(
                            begin,
                            ", ",
                            "",
                            large.getOrDefault(false, List.of()),
                            row -> "(" + literals(row.values()) + ")");
                    large.getOrDefault(true, List.of()).forEach(row -> insert(begin, row));
                });
    }

    private void insert(String begin, RowChange row) {
        StringJoiner values = new StringJoiner(", ", "(", ")");
        List<SqlValue> sent = new ArrayList<>();
        row.values().forEach(value -> values.add(marker(value, sent)));
        statements.add(new Counted(begin + values, 1, sent, List.of()));
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
