package org.quiredb.scheduler.session;

import java.util.Iterator;
import java.util.List;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.classify.Token;
import org.quiredb.scheduler.classify.Tokens;

/// KILL [HARD | SOFT] [CONNECTION | QUERY [ID]] id, as MySQL and MariaDB know it.
///
/// @param statement only its statement is ended, not the connection
record KillStatement(long id, boolean statement) {
    /// @param own the id that CONNECTION_ID() is
    /// @throws QuireException a syntax error
    static KillStatement of(String sql, List<SqlValue> bound, int own) {
        Iterator<Token> tokens = Tokens.of(sql).stream().skip(1).iterator();
        Token next = next(tokens, sql);
        if (next.is("HARD") || next.is("SOFT")) {
            next = next(tokens, sql);
        }
        boolean query = next.is("QUERY");
        if (query || next.is("CONNECTION")) {
            next = next(tokens, sql);
        }
        if (query && next.is("ID")) {
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET, "Quire does not support KILL QUERY ID");
        }
        if (next.is("USER")) {
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET, "Quire does not support KILL USER");
        }
        long id = next.is("CONNECTION_ID") ? own : number(next, bound, sql);
        if (next.is("CONNECTION_ID") && !(next(tokens, sql).is("(") && next(tokens, sql).is(")"))) {
            throw mistake(sql);
        }
        if (tokens.hasNext() && !next(tokens, sql).is(";")) {
            throw mistake(sql);
        }
        return new KillStatement(id, query);
    }

    private static long number(Token token, List<SqlValue> bound, String sql) {
        if (token.is("?") && bound.getFirst() instanceof SqlValue.IntegerValue(long value, var _)) {
            return value;
        }
        try {
            return Long.parseLong(token.text());
        } catch (NumberFormatException e) {
            throw mistake(sql);
        }
    }

    private static Token next(Iterator<Token> tokens, String sql) {
        if (!tokens.hasNext()) {
            throw mistake(sql);
        }
        return tokens.next();
    }

    private static QuireException mistake(String sql) {
        return new QuireException(
                ErrorCode.SYNTAX_ERROR,
                "You have an error in your SQL syntax near '"
                        + sql.substring(0, Math.min(80, sql.length()))
                        + "' at line 1");
    }
}
