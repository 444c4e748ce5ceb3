package org.quiredb.scheduler.session;

import java.util.List;
import java.util.regex.Pattern;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.sql.NormalizedSql;
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
    private static final Pattern OLD_SHARE_LOCK =
            Pattern.compile("\\bLOCK\\s+IN\\s+SHARE\\s+MODE[\\s;]*$", Pattern.CASE_INSENSITIVE);

    /// The older words for FOR SHARE become those, the only ones that are understood further on.
    ///
    /// @throws QuireException a syntax error, when quotes do not end or values are missing
    public static ClientStatement of(
            String text, List<SqlValue> bound, boolean binaryRows, boolean moreResults) {
        String sql = OLD_SHARE_LOCK.matcher(text).replaceFirst("FOR SHARE");
        NormalizedSql normalized = NormalizedSql.of(sql);
        if (normalized.parameterCount() != bound.size()) {
            throw new QuireException(
                    ErrorCode.SYNTAX_ERROR,
                    "You have an error in your SQL syntax near '?': a parameter without a value");
        }
        return new ClientStatement(sql, normalized, bound, binaryRows, moreResults);
    }
}
