package org.quiredb.scheduler.session.backend;

import java.util.Iterator;
import java.util.List;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// A statement's text with what only the session knows filled in.
public final class ReplicaText {
    private ReplicaText() {}

    /// Replaces calls of a function without arguments by its value.
    static void withValue(String function, String value, Tokens tokens, Edits edits) {
        for (int i = 0; i + 2 < tokens.size(); i++) {
            if (tokens.is(i, function) && tokens.is(i + 1, '(') && tokens.is(i + 2, ')')) {
                edits.replace(i, i + 3, value);
            }
        }
    }

    /// Has @@max_allowed_packet be what this scheduler takes, where that is less than what the
    /// backend does.
    static void withPackets(int mostBytes, Tokens tokens, Edits edits) {
        for (int i = 0; i + 2 < tokens.size(); i++) {
            boolean scoped = tokens.is(i + 3, '.');
            int name = scoped ? i + 4 : i + 2;
            if (tokens.is(i, '@')
                    && tokens.is(i + 1, '@')
                    && tokens.name(name).equalsIgnoreCase("max_allowed_packet")) {
                edits.replace(
                        i,
                        name + 1,
                        "CAST(LEAST(%s, %d) AS UNSIGNED)"
                                .formatted(tokens.text(i, name + 1), mostBytes));
            }
        }
    }

    /// Whether a `?` may stand in the select list.
    static boolean selectsParameter(Tokens tokens) {
        boolean seen = false;
        boolean before = false;
        boolean from = false;
        for (int i = 0; i < tokens.size(); i++) {
            seen |= tokens.get(i) instanceof Token.Marker;
            if (tokens.is(i, "FROM")) {
                from = true;
                before = seen;
            }
        }
        return from ? before : seen;
    }

    /// Replaces every `?` by its value's literal, for the backend.
    public static void withLiterals(List<SqlValue> values, Tokens tokens, Edits edits) {
        Iterator<SqlValue> next = values.iterator();
        for (int i = 0; i < tokens.size() && next.hasNext(); i++) {
            if (tokens.get(i) instanceof Token.Marker) {
                edits.replace(i, i + 1, next.next().literal());
            }
        }
    }

    /// Whoever dumps all databases stops at the first that it may not use.
    static void withoutLog(Tokens tokens, Edits edits) {
        boolean ends = tokens.size() == 2 || (tokens.size() == 3 && tokens.is(2, ';'));
        if (ends && (tokens.are(0, "SHOW", "DATABASES") || tokens.are(0, "SHOW", "SCHEMAS"))) {
            edits.replace(1, 2, "DATABASES WHERE `Database` <> 'quire'");
        }
    }

    /// A thread of the server's own would add rows later, and past the transaction.
    static void atOnce(Tokens tokens, Edits edits) {
        for (int i = 1; i < tokens.size(); i++) {
            if (tokens.is(i, "DELAYED")
                    && (tokens.is(i - 1, "INSERT") || tokens.is(i - 1, "REPLACE"))) {
                edits.replace(i, i + 1, "");
            }
        }
        boolean unclear = tokens.dependsOnVersion() && !tokens.is(0, "SELECT");
        if (unclear && Tokens.mentions(tokens.text(), "DELAYED")) {
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET,
                    "Quire does not support DELAYED beside a comment for some versions");
        }
    }
}
