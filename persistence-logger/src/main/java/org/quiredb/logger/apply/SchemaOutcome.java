package org.quiredb.logger.apply;

import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/// What a backend said of a schema change.
///
/// @param error of a statement that it refuses, or that stopped half-way, as `DROP TABLE there,
///   missing`
/// @param changed false where it has refused and everything is as it was
public record SchemaOutcome(
        long affectedRows, int warnings, @Nullable SQLException error, boolean changed) {
    /// Of one that was found done.
    public static final SchemaOutcome DONE = new SchemaOutcome(0, 0, null, true);

    static SchemaOutcome refused(SQLException error) {
        return new SchemaOutcome(0, 0, error, false);
    }

    static SchemaOutcome halfWay(SQLException error) {
        return new SchemaOutcome(0, 0, error, true);
    }

    static SchemaOutcome of(Statement executed) throws SQLException {
        int warnings = 0;
        for (SQLWarning w = executed.getWarnings(); w != null; w = w.getNextWarning()) {
            warnings++;
        }
        return new SchemaOutcome(Math.max(executed.getLargeUpdateCount(), 0), warnings, null, true);
    }
}
