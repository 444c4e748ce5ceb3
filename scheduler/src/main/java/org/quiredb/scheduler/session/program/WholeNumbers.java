package org.quiredb.scheduler.session.program;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.sql.program.Text;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// Sums and comparisons of two whole numbers with signs, as loops count and end by: no server need
/// be asked what they come to. Anything else it is asked, and whatever is out of range.
final class WholeNumbers {
    private static final Map<String, Long> GREATEST =
            Map.of(
                    "TINYINT", (long) Byte.MAX_VALUE,
                    "BOOL", (long) Byte.MAX_VALUE,
                    "BOOLEAN", (long) Byte.MAX_VALUE,
                    "SMALLINT", (long) Short.MAX_VALUE,
                    "MEDIUMINT", (1L << 23) - 1,
                    "INT", (long) Integer.MAX_VALUE,
                    "INTEGER", (long) Integer.MAX_VALUE,
                    "BIGINT", Long.MAX_VALUE);

    private WholeNumbers() {}

    /// `a + b` or `a - b`, as a variable of the type takes it; null for any other.
    static @Nullable Value sum(String type, Text expression, BlockScope scope) {
        Tokens tokens = expression.tokens();
        boolean adds = tokens.is(1, '+');
        if (tokens.size() != 3 || !(adds || tokens.is(1, '-'))) {
            return null;
        }
        Value left = operand(expression, 0, scope);
        Value right = operand(expression, 2, scope);
        long greatest = greatest(type);
        if (left == null || right == null || greatest == 0) {
            return null;
        }
        if (!(left.value() instanceof SqlValue.IntegerValue(long a, boolean _))
                || !(right.value() instanceof SqlValue.IntegerValue(long b, boolean _))) {
            return Value.NULL;
        }
        long sum = adds ? a + b : a - b;
        boolean overflows = adds ? ((a ^ sum) & (b ^ sum)) < 0 : ((a ^ b) & (a ^ sum)) < 0;
        return overflows || sum > greatest || sum < -greatest ? null : Value.of(sum);
    }

    /// Whether `a < b`, or the like, holds, as it does not of NULL; null for any other.
    static @Nullable Boolean holds(Text condition, BlockScope scope) {
        Tokens tokens = condition.tokens();
        int last = tokens.size() - 1;
        if (last != 2 && last != 3) {
            return null;
        }
        Value left = operand(condition, 0, scope);
        Value right = operand(condition, last, scope);
        if (left == null || right == null) {
            return null;
        }
        boolean known =
                left.value() instanceof SqlValue.IntegerValue
                        && right.value() instanceof SqlValue.IntegerValue;
        int order = known ? Long.compare(number(left), number(right)) : 0;
        return switch (tokens.text(1, last)) {
            case "<" -> known && order < 0;
            case "<=" -> known && order <= 0;
            case "=" -> known && order == 0;
            case ">=" -> known && order >= 0;
            case ">" -> known && order > 0;
            case "<>", "!=" -> known && order != 0;
            default -> null;
        };
    }

    private static long number(Value value) {
        return value.value() instanceof SqlValue.IntegerValue(long number, boolean _) ? number : 0;
    }

    /// A variable with a sign, which may be NULL, or a constant; null for any other.
    private static @Nullable Value operand(Text text, int at, BlockScope scope) {
        if (text.tokens().get(at) instanceof Token.Constant constant) {
            return constant.value() instanceof SqlValue.IntegerValue(long number, boolean huge)
                            && !huge
                    ? Value.of(number)
                    : null;
        }
        for (Text.Operand operand : text.operands()) {
            if (operand.at() == at) {
                BlockScope.Variable variable = scope.variable(operand.name());
                return greatest(variable.type) > 0 ? variable.value : null;
            }
        }
        return null;
    }

    /// 0 of what is no whole number, or has no sign.
    private static long greatest(String type) {
        Tokens tokens = Tokens.of(type);
        boolean plain = !tokens.has("UNSIGNED") && !tokens.has("ZEROFILL");
        return plain ? GREATEST.getOrDefault(tokens.upper(0), 0L) : 0;
    }
}
