package org.quiredb.scheduler.session.state;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.TransactionStep;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.version.VersionVector;
import org.quiredb.sql.command.SessionTerms;
import org.quiredb.sql.text.Nesting;
import org.quiredb.sql.text.NormalizedSql;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// A statement as the client sent it, and normalised.
///
/// @param cut its text in tokens; null where they would take too much for as long as it runs
/// @param nesting how deep it goes
/// @param bound one value for each `?` of a prepared statement
/// @param limits which `?` stand in a LIMIT, counted from 0; their values are whole numbers
/// @param binaryRows the answer's rows are to be in the binary protocol
/// @param moreResults other statements of the same command follow
/// @param ofSession it may ask for what only its session knows
/// @param step what it does in its transaction, where that is no statement
/// @param database that was the current one when it was prepared; null for that of its execution
/// @param schemaChanges of the only state at which the tier reads it as it is normalised; 0 for any
public record ClientStatement(
        String sql,
        @Nullable Tokens cut,
        NormalizedSql normalized,
        Nesting nesting,
        List<SqlValue> bound,
        Set<Integer> limits,
        boolean binaryRows,
        boolean moreResults,
        boolean ofSession,
        @Nullable TransactionStep step,
        @Nullable String database,
        long schemaChanges) {
    private static final int MOST_CHARACTERS_CUT = 64 * 1024;

    /// A long text that is cut into few is one of long values.
    private static final int MOST_TOKENS = 1024;

    /// @throws QuireException a syntax error, when quotes do not end or values are missing
    public static ClientStatement of(
            String text, List<SqlValue> bound, boolean binaryRows, boolean moreResults) {
        Tokens tokens = Tokens.of(text);
        NormalizedSql normalized = NormalizedSql.of(tokens);
        requireAll(normalized, bound);
        Set<Integer> limits = bound.isEmpty() ? Set.of() : LimitValue.places(tokens);
        return new ClientStatement(
                text,
                text.length() > MOST_CHARACTERS_CUT && tokens.size() > MOST_TOKENS
                        ? null
                        : tokens.plain(),
                normalized,
                Nesting.of(tokens),
                LimitValue.in(bound, limits),
                limits,
                binaryRows,
                moreResults,
                SessionTerms.mayBeIn(tokens),
                null,
                null,
                0);
    }

    /// Whether a statement of these adds rows.
    public static boolean inserts(Tokens tokens) {
        return tokens.is(0, "INSERT") || tokens.is(0, "REPLACE");
    }

    private static void requireAll(NormalizedSql normalized, List<SqlValue> bound) {
        if (normalized.parameterCount() != bound.size()) {
            throw new QuireException(
                    ErrorCode.SYNTAX_ERROR,
                    "You have an error in your SQL syntax near '?': a parameter without a value");
        }
    }

    /// The same with other values.
    ///
    /// @param values none where it is only kept for others
    public ClientStatement with(List<SqlValue> values) {
        if (!values.isEmpty()) {
            requireAll(normalized, values);
        }
        return new ClientStatement(
                sql,
                cut,
                normalized,
                nesting,
                LimitValue.in(values, limits),
                limits,
                binaryRows,
                moreResults,
                ofSession,
                step,
                database,
                schemaChanges);
    }

    /// The same, as it was prepared in a database; empty where none was the current one.
    public ClientStatement preparedIn(String prepared) {
        return new ClientStatement(
                sql,
                cut,
                normalized,
                nesting,
                bound,
                limits,
                binaryRows,
                moreResults,
                ofSession,
                step,
                prepared.isEmpty() ? null : prepared,
                schemaChanges);
    }

    /// Cut anew where they are not kept: not to be asked for again and again.
    public Tokens tokens() {
        return cut == null ? Tokens.of(sql).plain() : cut;
    }

    /// No statement, but a step of its transaction.
    public static ClientStatement of(TransactionStep step) {
        return of("DO 0", List.of(), false, true).at(step);
    }

    /// The same, for a step of its transaction.
    public ClientStatement at(TransactionStep does) {
        return new ClientStatement(
                sql,
                cut,
                normalized,
                nesting,
                bound,
                limits,
                binaryRows,
                moreResults,
                ofSession,
                does,
                database,
                schemaChanges);
    }

    /// The same, as the tier is to read it.
    public ClientStatement normalizedAs(NormalizedSql other) {
        return normalizedAs(other, schemaChanges);
    }

    /// The same, as the tier is to read it at states of so many schema changes, neither before nor
    /// after.
    public ClientStatement normalizedAs(NormalizedSql other, long changes) {
        return new ClientStatement(
                sql,
                cut,
                other,
                nesting,
                bound,
                limits,
                binaryRows,
                moreResults,
                ofSession,
                step,
                database,
                changes);
    }

    /// Whether the tier may read it at a state as it is normalised.
    public boolean isReadAt(VersionVector tag) {
        return schemaChanges == 0 || tag.schemaChanges() == schemaChanges;
    }

    /// How many rows of a query's result its LIMIT leaves out before the first.
    public long skipped() {
        Tokens tokens = cut;
        int last = tokens == null ? 0 : tokens.size() - 1;
        if (tokens == null || last < 3) {
            return 0;
        }
        boolean offset = tokens.is(last - 1, "OFFSET") && tokens.is(last - 3, "LIMIT");
        boolean comma = tokens.is(last - 1, ',') && tokens.is(last - 3, "LIMIT");
        return offset ? number(tokens, last, 1) : comma ? number(tokens, last - 2, 2) : 0;
    }

    private long number(Tokens tokens, int at, int fromEnd) {
        @Nullable SqlValue value =
                switch (tokens.get(at)) {
                    case Token.Constant constant -> constant.value();
                    case Token.Marker _ when bound.size() >= fromEnd ->
                            bound.get(bound.size() - fromEnd);
                    default -> null;
                };
        return value instanceof SqlValue.IntegerValue(long number, boolean _) ? number : 0;
    }
}
