package org.quiredb.scheduler.session;

import java.util.List;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.sql.text.NormalizedSql;
import org.quiredb.common.sql.SqlValue;

/// A statement as the client sent it, and normalised.
///
/// @param bound one value for each `?` of a prepared statement
/// @param binaryRows the answer's rows are to be in the binary protocol
/// @param moreResults other statements of the same command follow
public record ClientStatement(
        String sql,
        NormalizedSql normalized,
        List<SqlValue> bound,
        boolean binaryRows,
        boolean moreResults) {
    /// @throws QuireException a syntax error, when quotes do not end or values are missing
    public static ClientStatement of(
            String text, List<SqlValue> bound, boolean binaryRows, boolean moreResults) {
        NormalizedSql normalized = NormalizedSql.of(text);
        if (normalized.parameterCount() != bound.size()) {
            throw new QuireException(
                    ErrorCode.SYNTAX_ERROR,
                    "You have an error in your SQL syntax near '?': a parameter without a value");
        }
        return new ClientStatement(text, normalized, bound, binaryRows, moreResults);
    }
}
