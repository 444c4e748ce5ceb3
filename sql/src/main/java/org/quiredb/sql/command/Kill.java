package org.quiredb.sql.command;

import org.jspecify.annotations.Nullable;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// KILL [HARD | SOFT] [CONNECTION | QUERY [ID]] id, as MySQL and MariaDB know it.
public sealed interface Kill {
    /// @param statement only its statement is ended, not the connection
    record Of(Victim victim, boolean statement) implements Kill {}

    record Unsupported(String what) implements Kill {}

    record Mistake() implements Kill {}

    sealed interface Victim {
        record Id(long id) implements Victim {}

        /// The statement's only `?`.
        record Parameter() implements Victim {}

        /// CONNECTION_ID()
        record Oneself() implements Victim {}
    }

    static Kill read(Tokens tokens) {
        Cursor cursor = new Cursor(tokens, 1);
        boolean _ = cursor.take("HARD") || cursor.take("SOFT");
        boolean query = cursor.take("QUERY");
        boolean _ = !query && cursor.take("CONNECTION");
        if (query && cursor.take("ID")) {
            return new Unsupported("KILL QUERY ID");
        }
        if (cursor.take("USER")) {
            return new Unsupported("KILL USER");
        }
        Victim victim = victim(cursor);
        cursor.take(';');
        return victim == null || !cursor.ended() ? new Mistake() : new Of(victim, query);
    }

    private static @Nullable Victim victim(Cursor cursor) {
        if (cursor.take("CONNECTION_ID")) {
            return cursor.take('(') && cursor.take(')') ? new Victim.Oneself() : null;
        }
        if (cursor.ended()) {
            return null;
        }
        return switch (cursor.tokens.get(cursor.at++)) {
            case Token.Marker _ -> new Victim.Parameter();
            case Token.Constant constant -> id(constant);
            default -> null;
        };
    }

    private static @Nullable Victim id(Token.Constant constant) {
        try {
            return constant.value() instanceof SqlValue.BytesValue
                    ? null
                    : new Victim.Id(Long.parseLong(constant.plainText()));
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
