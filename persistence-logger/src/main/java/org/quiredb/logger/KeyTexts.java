package org.quiredb.logger;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.RowDigest;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.common.writeset.RowShape;
import org.quiredb.logger.snapshot.KeyValues;

/// The keys of a table's rows as the log names them, from the texts that a comparison has for them.
///
/// Threads: one.
final class KeyTexts {
    private static final Set<String> NO_TEXTS =
            Set.of(
                    ("bit tinyint smallint mediumint int bigint decimal float double year date time"
                                    + " datetime timestamp binary varbinary tinyblob blob mediumblob longblob")
                            .split(" ", -1));

    private final TableDefinition table;
    private final List<ColumnDefinition> shown;
    private final List<ColumnDefinition> key;
    private final RowShape deletion;

    KeyTexts(TableDefinition table) {
        this.table = table;
        Optional<List<ColumnDefinition>> primary =
                table.indexes().stream()
                        .filter(IndexDefinition::primary)
                        .findFirst()
                        .map(index ->
                                index.columns().stream()
                                        .map(name -> KeyValues.column(table, name))
                                        .toList());
        boolean named = primary.isPresent() && primary.get().stream().allMatch(KeyTexts::stored);
        this.shown = primary.orElse(table.columns());
        this.key =
                named ? primary.get() : table.columns().stream().filter(KeyTexts::stored).toList();
        this.deletion =
                new RowShape(
                        named ? RowShape.Kind.DELETE : RowShape.Kind.DELETE_LIKE,
                        table.schema(),
                        table.name(),
                        key.stream().map(ColumnDefinition::name).toList(),
                        named
                                ? List.of()
                                : key.stream()
                                        .filter(KeyTexts::isText)
                                        .map(ColumnDefinition::name)
                                        .toList(),
                        "");
    }

    private static boolean stored(ColumnDefinition column) {
        return column.generation() == null;
    }

    private static boolean isText(ColumnDefinition column) {
        return !NO_TEXTS.contains(column.type().toLowerCase(Locale.ROOT).split("[ (]", 2)[0]);
    }

    /// Of a row that a replica has.
    RowChange of(RowChange insertion) {
        List<SqlValue> values = new ArrayList<>();
        for (ColumnDefinition column : key) {
            values.add(insertion.values().get(insertion.shape().columns().indexOf(column.name())));
        }
        return new RowChange(deletion, values);
    }

    /// Of the rows that a backend has with such keys.
    List<RowChange> on(Connection backend, Set<String> texts) throws SQLException {
        List<RowChange> found = new ArrayList<>();
        try (Statement statement =
                backend.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY)) {
            statement.setFetchSize(Integer.MIN_VALUE); // row by row
            try (ResultSet row = statement.executeQuery(query())) {
                while (row.next()) {
                    List<byte @Nullable []> bytes = new ArrayList<>(shown.size());
                    for (int i = 0; i < shown.size(); i++) {
                        bytes.add(row.getBytes(key.size() + i + 1));
                    }
                    if (texts.contains(RowDigest.key(bytes))) {
                        found.add(new RowChange(deletion, KeyValues.of(row, key)));
                    }
                }
            }
        }
        return found;
    }

    private String query() {
        return "SELECT %s, %s FROM %s.%s"
                .formatted(
                        KeyValues.selected(key),
                        KeyValues.selected(shown),
                        quote(table.schema()),
                        quote(table.name()));
    }

    private static String quote(String name) {
        return "`" + name.replace("`", "``") + "`";
    }
}
