package org.quiredb.logger.apply;

import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/// What a backend said of a schema change that it carried out.
///
/// @param error of a statement that stopped half-way, as `DROP TABLE there, missing`
public record SchemaOutcome(long affectedRows, int warnings, @Nullable SQLException error) {
    /// Of one that was found done.
    static final SchemaOutcome DONE = new SchemaOutcome(0, 0, null);

    static SchemaOutcome of(Statement executed) throws SQLException {
        int warnings = 0;
        for (SQLWarning w = executed.getWarnings(); w != null; w = w.getNextWarning()) {
            warnings++;
        }
        return new SchemaOutcome(Math.max(executed.getLargeUpdateCount(), 0), warnings, null);
    }
}
