package org.quiredb.replica.binding;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.sql.SqlValue;

/// A statement's changes of one table, as H2 is to make them.
///
/// @param rows how many rows an INSERT names in all, 0 where a query decides
/// @param choice a query for the locators of the rows to change and behind them what the action is
///   to be given for each, null where the action finds the rows
/// @param computed how many values the choice gives for a row; none: the action runs once for all
/// @param duplicates an UPDATE of the one row that is in the way of an INSERT's, null without ON
///   DUPLICATE KEY UPDATE
/// @param returned the columns of its rows that an INSERT or a DELETE shows; none without RETURNING
public record TableChange(
        Kind kind,
        boolean ignore,
        int rows,
        @Nullable Part choice,
        int computed,
        Part action,
        @Nullable Part duplicates,
        List<Returned> returned) {
    TableChange(
            Kind kind, boolean ignore, int rows, @Nullable Part choice, int computed, Part action) {
        this(kind, ignore, rows, choice, computed, action, null, List.of());
    }

    /// @param place of the column in its table
    public record Returned(int place, String tableAlias, String heading) {}

    public enum Kind {
        INSERT,
        UPSERT,
        REPLACE,
        UPDATE,
        DELETE
    }

    /// A text for H2.
    ///
    /// @param values for each `?` which of the statement's values it is, or `-1 - column` for that
    ///   of the row to be inserted
    public record Part(String sql, List<Integer> values) {
        public List<SqlValue> bound(List<SqlValue> all) {
            List<SqlValue> bound = new ArrayList<>(values.size());
            for (int value : values) {
                bound.add(all.get(value));
            }
            return bound;
        }
    }

    public boolean inserts() {
        return kind != Kind.UPDATE && kind != Kind.DELETE;
    }
}
