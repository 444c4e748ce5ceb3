package org.quiredb.replica.sql;

import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.quiredb.common.sql.NormalizedSql;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.sql.Token;

/// Names the types of numbers that are computed with.
///
/// Beside a column of integers H2 takes a `?` for an integer before it knows its value, and rounds
/// the 1.5 that is bound to it.
///
/// Threads: one.
final class TypedMarkers {
    private static final String OPERATORS = "+-*";
    private static final Set<String> BRANCHES = Set.of("THEN", "ELSE");
    private static final Set<String> NO_FUNCTIONS =
            Set.of("VALUES", "VALUE", "IN", "AND", "OR", "NOT", "WHERE", "ON", "SELECT", "FROM");

    private final List<Token> tokens;
    private final Deque<Boolean> functions = new ArrayDeque<>();

    private TypedMarkers(String sql) {
        this.tokens = NormalizedSql.tokens(sql);
    }

    /// @param values one for each `?` of the text
    static String of(String sql, List<SqlValue> values) {
        boolean computes = sql.indexOf('+') >= 0 || sql.indexOf('-') >= 0 || sql.contains(" * ");
        for (SqlValue value : values) {
            if (!type(value, computes).isEmpty()) {
                return new TypedMarkers(sql).typed(values);
            }
        }
        return sql;
    }

    private String typed(List<SqlValue> values) {
        List<Token> typed = new ArrayList<>(tokens.size());
        int next = 0;
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (symbol(i, '(')) {
                functions.push(afterFunctionName(i));
            } else if (symbol(i, ')') && !functions.isEmpty()) {
                functions.pop();
            } else if (token instanceof Token.Marker) {
                boolean operand = operator(i - 1) || operator(i + 1);
                String type = type(values.get(next++), operand);
                if (!type.isEmpty() && (operand || chosen(i))) {
                    typed.add(new Token.Word("CAST(? AS " + type + ")", true));
                    continue;
                }
            }
            typed.add(token);
        }
        return NormalizedSql.text(typed);
    }

    /// Empty for anything that H2 takes rightly.
    ///
    /// @param operand of an operator: MySQL adds all integers as those of 64 bits
    private static String type(SqlValue value, boolean operand) {
        return switch (value) {
            case SqlValue.DecimalValue(String text) -> {
                BigDecimal number = new BigDecimal(text);
                int scale = Math.max(number.scale(), 0);
                int digits = Math.max(number.precision() - number.scale(), 1);
                yield "NUMERIC(" + (digits + scale) + ", " + scale + ")";
            }
            case SqlValue.DoubleValue d -> "DOUBLE PRECISION";
            case SqlValue.IntegerValue(long number, boolean unsigned) ->
                    number == (int) number
                            ? operand ? "BIGINT" : ""
                            : unsigned ? "NUMERIC(20)" : "BIGINT";
            case SqlValue.Null n -> "";
            case SqlValue.StringValue s -> "";
            case SqlValue.BytesValue b -> "";
            case SqlValue.DateValue d -> "";
            case SqlValue.DateTimeValue d -> "";
            case SqlValue.TimeValue t -> "";
        };
    }

    /// As the result of a function or a branch, perhaps.
    private boolean chosen(int i) {
        return branch(i - 1) || functions.contains(true);
    }

    private boolean operator(int i) {
        return i >= 0
                && i < tokens.size()
                && tokens.get(i) instanceof Token.Symbol symbol
                && OPERATORS.indexOf(symbol.character()) >= 0;
    }

    private boolean branch(int i) {
        return i >= 0
                && tokens.get(i) instanceof Token.Word word
                && BRANCHES.contains(word.text().toUpperCase(Locale.ROOT));
    }

    private boolean afterFunctionName(int i) {
        return i > 0
                && tokens.get(i - 1) instanceof Token.Word word
                && !NO_FUNCTIONS.contains(word.text().toUpperCase(Locale.ROOT))
                && !(i > 1
                        && tokens.get(i - 2) instanceof Token.Word before
                        && before.is("INTO")); // a table before its columns
    }

    private boolean symbol(int i, char character) {
        return TokenText.symbol(tokens, i, character);
    }
}
