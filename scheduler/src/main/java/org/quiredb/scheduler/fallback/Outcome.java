package org.quiredb.scheduler.fallback;

import java.util.List;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.sql.SqlValue;

/// What became of a statement on the backend.
///
/// @param hasRows they have gone out; otherwise it changed some
/// @param conditions its warnings
/// @param then what was to be asked after it
public record Outcome(
        boolean hasRows, long affectedRows, List<Condition> conditions, List<Cell> then) {
    /// A value as text, or bytes, or NULL.
    public record Cell(ColumnMetadata column, SqlValue value) {}

    public Outcome {
        conditions = List.copyOf(conditions);
        then = List.copyOf(then);
    }
}
