package org.quiredb.scheduler.session;

import java.util.Iterator;
import java.util.List;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.classify.Token;
import org.quiredb.scheduler.classify.Tokens;

/// A statement's text with what only the session knows filled in.
final class ReplicaText {
    private ReplicaText() {}

    /// Calls of a function without arguments replaced by its value.
    static String withValue(String function, String value, String sql) {
        if (indexOfIgnoringCase(sql, function) < 0) {
            return sql;
        }
        List<Token> tokens = Tokens.of(sql);
        StringBuilder text = new StringBuilder();
        int copied = 0;
        for (int i = 0; i + 2 < tokens.size(); i++) {
            if (tokens.get(i).is(function)
                    && tokens.get(i + 1).is("(")
                    && tokens.get(i + 2).is(")")) {
                text.append(sql, copied, tokens.get(i).start()).append(value);
                copied = tokens.get(i + 2).end();
            }
        }
        return text.append(sql, copied, sql.length()).toString();
    }

    private static int indexOfIgnoringCase(String text, String part) {
        for (int i = 0; i + part.length() <= text.length(); i++) {
            if (text.regionMatches(true, i, part, 0, part.length())) {
                return i;
            }
        }
        return -1;
    }

    /// Whether a `?` may stand in the select list.
    static boolean selectsParameter(String sql) {
        boolean seen = false;
        boolean before = false;
        boolean from = false;
        for (Token token : Tokens.of(sql)) {
            seen |= token.is("?");
            if (token.is("FROM")) {
                from = true;
                before = seen;
            }
        }
        return from ? before : seen;
    }

    /// The text with every `?` replaced by its value's literal, for the backend.
    static String withLiterals(String sql, List<SqlValue> values) {
        if (values.isEmpty()) {
            return sql;
        }
        StringBuilder text = new StringBuilder();
        Iterator<SqlValue> next = values.iterator();
        int copied = 0;
        for (Token token : Tokens.of(sql)) {
            if (token.is("?") && next.hasNext()) {
                text.append(sql, copied, token.start()).append(next.next().literal());
                copied = token.end();
            }
        }
        return text.append(sql, copied, sql.length()).toString();
    }
}
