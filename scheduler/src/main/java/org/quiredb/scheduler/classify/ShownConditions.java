package org.quiredb.scheduler.classify;

import java.util.Optional;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// Reads SHOW WARNINGS, SHOW ERRORS and SHOW COUNT(*) of either.
final class ShownConditions {
    private ShownConditions() {}

    /// Empty for any other SHOW.
    static Optional<Classification> read(Tokens tokens) {
        boolean count =
                tokens.is(1, "COUNT")
                        && tokens.is(2, '(')
                        && tokens.is(3, '*')
                        && tokens.is(4, ')');
        int at = count ? 5 : 1;
        boolean errors = tokens.is(at, "ERRORS");
        if (!errors && !tokens.is(at, "WARNINGS")) {
            return Optional.empty();
        }
        int end = tokens.size();
        if (at + 1 == end) {
            return conditions(errors, count, 0, Long.MAX_VALUE);
        }
        boolean limit = !count && tokens.is(at + 1, "LIMIT");
        if (limit && at + 3 == end) {
            return conditions(errors, false, 0, number(tokens, at + 2));
        }
        if (limit && at + 5 == end && tokens.is(at + 3, ',')) {
            return conditions(errors, false, number(tokens, at + 2), number(tokens, at + 4));
        }
        if (limit && at + 5 == end && tokens.is(at + 3, "OFFSET")) {
            return conditions(errors, false, number(tokens, at + 4), number(tokens, at + 2));
        }
        return Optional.of(new Classification.Mistake(tokens.text(at + 1, end)));
    }

    private static Optional<Classification> conditions(
            boolean errors, boolean count, long offset, long most) {
        return Optional.of(new Classification.Conditions(errors, count, offset, most));
    }

    private static long number(Tokens tokens, int at) {
        return tokens.get(at) instanceof Token.Constant constant
                        && constant.value() instanceof SqlValue.IntegerValue(long value, boolean _)
                ? Math.max(0, value)
                : 0;
    }
}
