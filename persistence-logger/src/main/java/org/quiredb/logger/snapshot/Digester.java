package org.quiredb.logger.snapshot;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.RowDigest;
import org.quiredb.common.message.TableDigest;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.TableDefinition;

/// Digests of tables in a snapshot.
public final class Digester {
    private Digester() {}

    public static TableDigest table(BackendSnapshot snapshot, TableDefinition table)
            throws SQLException {
        long[] rowsAndSum = new long[2];
        snapshot.rows(
                table,
                row -> {
                    rowsAndSum[0]++;
                    rowsAndSum[1] += RowDigest.of(row);
                });
        return new TableDigest(
                snapshot.backend().index(),
                table.schema(),
                table.name(),
                rowsAndSum[0],
                rowsAndSum[1],
                false);
    }

    /// Row by row, with the primary key's text, or all columns' where there is no primary key.
    public static void rows(
            BackendSnapshot snapshot, TableDefinition table, Consumer<RowDigest> digests)
            throws SQLException {
        List<Integer> key = keyColumns(table);
        snapshot.rows(
                table,
                row -> {
                    List<byte @Nullable []> values = new ArrayList<>(key.size());
                    key.forEach(column -> values.add(row.get(column)));
                    digests.accept(new RowDigest(RowDigest.key(values), RowDigest.of(row)));
                });
    }

    private static List<Integer> keyColumns(TableDefinition table) {
        List<String> names = table.columns().stream().map(ColumnDefinition::name).toList();
        return table.indexes().stream()
                .filter(IndexDefinition::primary)
                .findFirst()
                .map(IndexDefinition::columns)
                .orElse(names)
                .stream()
                .map(names::indexOf)
                .toList();
    }
}
