package org.quiredb.scheduler.session;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.SavepointStep;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.sql.text.Nesting;
import org.quiredb.sql.text.NormalizedSql;
import org.quiredb.sql.text.Tokens;

/// A statement as the client sent it, and normalised.
///
/// @param cut its text in tokens; null where they would take too much for as long as it runs
/// @param nesting how deep it goes
/// @param bound one value for each `?` of a prepared statement
/// @param binaryRows the answer's rows are to be in the binary protocol
/// @param moreResults other statements of the same command follow
/// @param savepoint what it does to one, if that is what it is for
public record ClientStatement(
        String sql,
        @Nullable Tokens cut,
        NormalizedSql normalized,
        Nesting nesting,
        List<SqlValue> bound,
        boolean binaryRows,
        boolean moreResults,
        @Nullable SavepointStep savepoint) {
    private static final int MOST_CHARACTERS_CUT = 64 * 1024;

    /// @throws QuireException a syntax error, when quotes do not end or values are missing
    public static ClientStatement of(
            String text, List<SqlValue> bound, boolean binaryRows, boolean moreResults) {
        Tokens tokens = Tokens.of(text);
        NormalizedSql normalized = NormalizedSql.of(tokens);
        if (normalized.parameterCount() != bound.size()) {
            throw new QuireException(
                    ErrorCode.SYNTAX_ERROR,
                    "You have an error in your SQL syntax near '?': a parameter without a value");
        }
        return new ClientStatement(
                text,
                text.length() > MOST_CHARACTERS_CUT ? null : tokens.plain(),
                normalized,
                Nesting.of(tokens),
                bound,
                binaryRows,
                moreResults,
                null);
    }

    /// Cut anew where they are not kept: not to be asked for again and again.
    Tokens tokens() {
        return cut == null ? Tokens.of(sql).plain() : cut;
    }

    /// The same, for what it does to a savepoint.
    ClientStatement at(SavepointStep step) {
        return new ClientStatement(
                sql, cut, normalized, nesting, bound, binaryRows, moreResults, step);
    }
}
