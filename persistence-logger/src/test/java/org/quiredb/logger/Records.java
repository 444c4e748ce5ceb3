package org.quiredb.logger;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.quiredb.common.schema.SchemaNames;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.Effects;
import org.quiredb.common.writeset.LoggedStatement;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.common.writeset.RowShape;
import org.quiredb.common.writeset.RowShape.Kind;

/// Commit records as a master would make them. Tables are those of the schema `shop`, and their
/// primary key is `id`.
public final class Records {
    private static final List<String> KEY = List.of("id");

    private Records() {}

    public static CommitRecord of(long number, long transactionId, RowChange... changes) {
        return new CommitRecord(
                number, transactionId, new Effects(RowChanges.of(Arrays.asList(changes))));
    }

    /// Sets the amount in the one row of `total`.
    static CommitRecord total(long number, long transactionId, long amount) {
        return of(number, transactionId, total(amount));
    }

    static RowChange total(long amount) {
        return update("total", 1, Map.of("amount", SqlValue.of(amount)));
    }

    public static RowChange insert(String table, Map<String, SqlValue> row) {
        return new RowChange(
                new RowShape(Kind.INSERT, "shop", table, KEY, List.copyOf(row.keySet()), "id"),
                List.copyOf(row.values()));
    }

    public static RowChange update(String table, long id, Map<String, SqlValue> changed) {
        List<SqlValue> values = new ArrayList<>(List.of(SqlValue.of(id)));
        values.addAll(changed.values());
        return new RowChange(
                new RowShape(Kind.UPDATE, "shop", table, KEY, List.copyOf(changed.keySet()), ""),
                values);
    }

    public static RowChange delete(String table, long id) {
        return new RowChange(
                new RowShape(Kind.DELETE, "shop", table, KEY, List.of(), ""),
                List.of(SqlValue.of(id)));
    }

    static CommitRecord schemaChange(long number, String sql, long micros, String... settings) {
        return new CommitRecord(
                number,
                1000 + number,
                new LoggedStatement("shop", sql, micros, List.of(settings), names(sql)));
    }

    /// As far as the statements of these tests need it.
    private static SchemaNames names(String sql) {
        List<String> words = List.of(sql.toLowerCase(Locale.ROOT).split("\\W+", -1));
        String first = words.getFirst();
        return new SchemaNames(
                "",
                List.of(),
                List.of(),
                List.of(),
                first.equals("drop"),
                !first.equals("create"),
                Set.copyOf(words));
    }
}
