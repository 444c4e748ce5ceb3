package org.quiredb.scheduler.session;

import java.util.Optional;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// MariaDB's `SET STATEMENT max_statement_time = seconds FOR statement`, as which its JDBC driver
/// sends a statement with a timeout.
///
/// @param millis for how long the statement may run, 0 for as long as it likes
/// @param sql the statement
record StatementLimit(long millis, String sql) {
    private static final int VALUE = 4;

    /// @return empty for anything else, with other variables too
    static Optional<StatementLimit> of(Tokens tokens) {
        boolean limits =
                tokens.are(0, "SET", "STATEMENT", "max_statement_time")
                        && tokens.is(3, '=')
                        && tokens.isConstant(VALUE)
                        && tokens.is(VALUE + 1, "FOR")
                        && tokens.size() > VALUE + 2;
        if (!limits || !(tokens.get(VALUE) instanceof Token.Constant constant)) {
            return Optional.empty();
        }
        double seconds =
                switch (constant.value()) {
                    case SqlValue.IntegerValue(long value, boolean _) -> value;
                    case SqlValue.DecimalValue(String value) -> Double.parseDouble(value);
                    default -> -1;
                };
        return seconds < 0
                ? Optional.empty()
                : Optional.of(
                        new StatementLimit(
                                (long) Math.ceil(seconds * 1000),
                                tokens.text(VALUE + 2, tokens.size())));
    }
}
