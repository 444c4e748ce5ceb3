package org.quiredb.scheduler.fallback;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.fallback.connection.Outcome;

/// What a change of rows has come to on the backend.
///
/// @param failure what has ended a CALL; the rows are what it had changed by then
public record Evaluated(Outcome outcome, List<Row> rows, @Nullable RuntimeException failure) {
    Evaluated(Outcome outcome, List<Row> rows) {
        this(outcome, rows, null);
    }

    public Evaluated {
        rows = List.copyOf(rows);
    }

    /// One row's change.
    ///
    /// @param columns that both have values of
    /// @param key the places of the primary key's among them
    /// @param before null for a new row
    /// @param after null for one that is gone
    public record Row(
            TableDefinition table,
            List<ColumnDefinition> columns,
            List<Integer> key,
            @Nullable List<SqlValue> before,
            @Nullable List<SqlValue> after) {}
}
