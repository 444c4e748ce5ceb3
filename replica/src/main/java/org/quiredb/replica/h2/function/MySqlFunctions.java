package org.quiredb.replica.h2.function;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.replica.binding.Declarations;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.h2.statement.Statement;
import org.quiredb.replica.h2.value.DatesAndTimes;
import org.quiredb.replica.h2.value.NegativeZero;

/// Functions with MySQL's meaning, which H2 calls; public for H2 alone.
///
/// Threads: any.
public final class MySqlFunctions {
    /// The variable div_precision_increment at its default.
    private static final int MORE_DIGITS = 4;

    private static final int MAXIMUM_SCALE = 30;
    private static final int DIGITS_OF_A_WORD = 9;

    private static final BigDecimal MOST_SIGNED = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final BigDecimal MOST_UNSIGNED = new BigDecimal(Long.toUnsignedString(-1));

    private MySqlFunctions() {}

    public static List<String> declarations() {
        String prefix = " FOR '" + MySqlFunctions.class.getName() + ".";
        List<String> all = new ArrayList<>();
        all.addAll(
                Declarations.of(
                        MySqlFunctions.class,
                        "divide shownQuotient rounded floating negative unsigned bigUnsigned moment floor ceiling round truncate mod div sign greatest least bitsAnd bitsOr bitsXor bitsLeft bitsRight bitsNot"));
        all.addAll(TextFunctions.declarations());
        all.addAll(TimeFunctions.declarations());
        all.addAll(Casts.declarations());
        all.addAll(Moments.declarations());
        all.addAll(Joining.declarations());
        all.addAll(RegularExpressions.declarations());
        all.add("CREATE ALIAS QUIRE_RAND" + prefix + "rand'");
        all.add("CREATE ALIAS QUIRE_UUID" + prefix + "uuid'");
        all.add("CREATE ALIAS QUIRE_LAST_INSERT_ID" + prefix + "lastInsertId'");
        all.add("CREATE ALIAS QUIRE_NOW FOR '" + TimeFunctions.class.getName() + ".now'");
        return all;
    }

    public static @Nullable BigDecimal bitsAnd(Value left, Value right) {
        return anyNull(left, right) ? null : ofBits(bits(left) & bits(right));
    }

    public static @Nullable BigDecimal bitsOr(Value left, Value right) {
        return anyNull(left, right) ? null : ofBits(bits(left) | bits(right));
    }

    public static @Nullable BigDecimal bitsXor(Value left, Value right) {
        return anyNull(left, right) ? null : ofBits(bits(left) ^ bits(right));
    }

    public static @Nullable BigDecimal bitsLeft(Value left, Value right) {
        return anyNull(left, right)
                ? null
                : ofBits(places(right) < Long.SIZE ? bits(left) << places(right) : 0);
    }

    public static @Nullable BigDecimal bitsRight(Value left, Value right) {
        return anyNull(left, right)
                ? null
                : ofBits(places(right) < Long.SIZE ? bits(left) >>> places(right) : 0);
    }

    public static @Nullable BigDecimal bitsNot(Value whole) {
        return isNull(whole) ? null : ofBits(~bits(whole));
    }

    /// MariaDB looks at 32 bits of it.
    private static long places(Value count) {
        return bits(count) & 0xFFFF_FFFFL;
    }

    private static long bits(Value whole) {
        return switch (whole.getValueType()) {
            case Value.BOOLEAN, Value.TINYINT, Value.SMALLINT, Value.INTEGER, Value.BIGINT ->
                    whole.getLong();
            case Value.NUMERIC -> {
                BigDecimal number = whole.getBigDecimal();
                if (number.stripTrailingZeros().scale() > 0) {
                    throw Errors.unsupported("bits of such a number");
                }
                yield number.toBigInteger().longValue();
            }
            default -> throw Errors.unsupported("bits of such a value");
        };
    }

    private static BigDecimal ofBits(long bits) {
        return new BigDecimal(Long.toUnsignedString(bits));
    }

    /// `/`: MySQL counts decimals in words of nine digits, has four more than the dividend's at
    /// least, and cuts off what is behind the last word.
    public static @Nullable BigDecimal divide(Value dividend, Value divisor) {
        if (isNull(dividend) || isNull(divisor)) {
            return null;
        }
        BigDecimal by = divisor.getBigDecimal();
        if (nullFor(by)) {
            return null;
        }
        BigDecimal number = dividend.getBigDecimal();
        int more = MORE_DIGITS - unused(number) - unused(by);
        int digits = words(number) + words(by) + Math.max(more, 0);
        return number.divide(by, wholeWords(digits), RoundingMode.DOWN);
    }

    /// The decimals as they lie in whole words.
    private static int words(BigDecimal number) {
        return wholeWords(Math.max(number.scale(), 0));
    }

    private static int unused(BigDecimal number) {
        return words(number) - Math.max(number.scale(), 0);
    }

    private static int wholeWords(int digits) {
        return (digits + DIGITS_OF_A_WORD - 1) / DIGITS_OF_A_WORD * DIGITS_OF_A_WORD;
    }

    /// A quotient that is shown: four decimals more than the dividend has.
    public static @Nullable BigDecimal shownQuotient(Value dividend, Value divisor) {
        BigDecimal exact = divide(dividend, divisor);
        if (exact == null) {
            return null;
        }
        int scale = Math.max(dividend.getBigDecimal().scale(), 0) + MORE_DIGITS;
        return exact.setScale(Math.min(scale, MAXIMUM_SCALE), RoundingMode.HALF_UP);
    }

    /// What a quotient is part of, as it leaves arithmetic.
    public static @Nullable BigDecimal rounded(Value number, int digits) {
        return isNull(number)
                ? null
                : number.getBigDecimal().setScale(digits, RoundingMode.HALF_UP);
    }

    /// `+`, `-`, `*` or `/` of doubles.
    public static Value floating(String operator, Value left, Value right) {
        if (isNull(left) || isNull(right)) {
            return ValueNull.INSTANCE;
        }
        double a = NegativeZero.number(left);
        double b = NegativeZero.number(right);
        if (operator.equals("/") && b == 0) {
            nullFor(BigDecimal.ZERO);
            return ValueNull.INSTANCE;
        }
        double result =
                switch (operator) {
                    case "+" -> a + b;
                    case "-" -> a - b;
                    case "*" -> a * b;
                    default -> a / b;
                };
        if (!Double.isFinite(result)) {
            throw outOfRange("DOUBLE");
        }
        return NegativeZero.ofDouble(result);
    }

    /// `-` before a double.
    public static Value negative(Value number) {
        return isNull(number)
                ? ValueNull.INSTANCE
                : NegativeZero.ofDouble(-NegativeZero.number(number));
    }

    private static QuireException outOfRange(String type) {
        return Statement.CURRENT.isBound() && Statement.current().queries()
                ? Errors.unsupported("a number out of range")
                : new QuireException(
                        ErrorCode.RESULT_OUT_OF_RANGE, type + " value is out of range");
    }

    public static @Nullable BigDecimal floor(Value number) {
        return to(number, 0, RoundingMode.FLOOR);
    }

    public static @Nullable BigDecimal ceiling(Value number) {
        return to(number, 0, RoundingMode.CEILING);
    }

    public static @Nullable BigDecimal round(Value... parts) {
        return anyNull(parts) ? null : to(parts[0], digits(parts), RoundingMode.HALF_UP);
    }

    public static @Nullable BigDecimal truncate(Value... parts) {
        return anyNull(parts) ? null : to(parts[0], digits(parts), RoundingMode.DOWN);
    }

    private static int digits(Value... parts) {
        return parts.length < 2 ? 0 : Math.clamp(whole(parts[1]), -MAXIMUM_SCALE, MAXIMUM_SCALE);
    }

    private static @Nullable BigDecimal to(Value number, int digits, RoundingMode mode) {
        if (isNull(number)) {
            return null;
        }
        BigDecimal exact = exact(number);
        int scale = Math.min(digits, Math.max(exact.scale(), 0));
        return exact.setScale(scale, mode).setScale(Math.max(scale, 0), RoundingMode.UNNECESSARY);
    }

    public static @Nullable BigDecimal mod(Value dividend, Value divisor) {
        if (isNull(dividend) || isNull(divisor)) {
            return null;
        }
        BigDecimal number = exact(dividend);
        BigDecimal by = exact(divisor);
        if (nullFor(by)) {
            return null;
        }
        int scale = Math.max(Math.max(number.scale(), by.scale()), 0);
        return number.remainder(by).setScale(scale, RoundingMode.UNNECESSARY);
    }

    public static @Nullable BigDecimal div(Value dividend, Value divisor) {
        if (isNull(dividend) || isNull(divisor) || nullFor(exact(divisor))) {
            return null;
        }
        return exact(dividend).divideToIntegralValue(exact(divisor)).setScale(0, RoundingMode.DOWN);
    }

    public static @Nullable Integer sign(Value number) {
        return isNull(number) ? null : exact(number).signum();
    }

    public static @Nullable BigDecimal greatest(Value... numbers) {
        return extreme(1, numbers);
    }

    public static @Nullable BigDecimal least(Value... numbers) {
        return extreme(-1, numbers);
    }

    /// With as many digits as the one of them that has most.
    private static @Nullable BigDecimal extreme(int sign, Value... numbers) {
        if (anyNull(numbers)) {
            return null;
        }
        BigDecimal extreme = exact(numbers[0]);
        int scale = 0;
        for (Value value : numbers) {
            BigDecimal number = exact(value);
            scale = Math.max(scale, number.scale());
            extreme = number.compareTo(extreme) * sign > 0 ? number : extreme;
        }
        return extreme.setScale(Math.max(scale, extreme.scale()), RoundingMode.UNNECESSARY);
    }

    /// By zero a query divides to NULL, and a change not at all.
    private static boolean nullFor(BigDecimal divisor) {
        if (divisor.signum() != 0) {
            return false;
        }
        if (Statement.CURRENT.isBound() && Statement.current().queries()) {
            if (Statement.current().plain()) { // a warning
                throw Errors.unsupported("a division by zero");
            }
            return true;
        }
        throw new QuireException(ErrorCode.DIVISION_BY_ZERO, "Division by 0");
    }

    /// `+`, `-` or `*` with an operand that is unsigned.
    public static @Nullable Long unsigned(String operator, Value left, Value right) {
        BigDecimal result = bigUnsigned(operator, left, right);
        if (result == null) {
            return null;
        }
        if (result.compareTo(MOST_SIGNED) > 0) {
            throw Errors.unsupported("integers of this size");
        }
        return result.longValueExact();
    }

    /// The same of 64 bits.
    public static @Nullable BigDecimal bigUnsigned(String operator, Value left, Value right) {
        if (isNull(left) || isNull(right)) {
            return null;
        }
        BigDecimal a = exact(left);
        BigDecimal b = exact(right);
        BigDecimal result =
                switch (operator) {
                    case "+" -> a.add(b);
                    case "-" -> a.subtract(b);
                    default -> a.multiply(b);
                };
        if (result.signum() < 0 || result.compareTo(MOST_UNSIGNED) > 0) {
            throw outOfRange("BIGINT UNSIGNED");
        }
        return result;
    }

    /// A number that is not a floating-point one.
    static BigDecimal exact(Value number) {
        return switch (number.getValueType()) {
            case Value.BOOLEAN -> number.getBoolean() ? BigDecimal.ONE : BigDecimal.ZERO;
            case Value.TINYINT,
                    Value.SMALLINT,
                    Value.INTEGER,
                    Value.BIGINT,
                    Value.NUMERIC,
                    Value.DECFLOAT ->
                    number.getBigDecimal();
            default -> throw Errors.unsupported("this function of such a value");
        };
    }

    /// As an argument that counts something.
    static long whole(Value number) {
        BigDecimal whole = exact(number).setScale(0, RoundingMode.HALF_UP);
        boolean fits =
                whole.precision() - whole.scale() <= 19
                        && whole.toBigInteger().bitLength() < Long.SIZE;
        if (!fits) {
            throw Errors.unsupported("a number beyond BIGINT that counts something");
        }
        return whole.longValue();
    }

    /// A date that H2 may not take for one.
    public static Value moment(String text) {
        return DatesAndTimes.parse(text);
    }

    public static double rand() {
        return ThreadLocalRandom.current().nextDouble();
    }

    /// LAST_INSERT_ID(id): the statement's answer has it, and its client's next LAST_INSERT_ID().
    public static @Nullable Long lastInsertId(Value id) {
        boolean integer =
                switch (id.getValueType()) {
                    case Value.NULL, Value.TINYINT, Value.SMALLINT, Value.INTEGER, Value.BIGINT ->
                            true;
                    case Value.NUMERIC -> id.getBigDecimal().scale() <= 0;
                    default -> false;
                };
        Statement statement = Statement.current();
        if (!integer || statement.queries() || (!isNull(id) && id.getBigDecimal().signum() < 0)) {
            throw Errors.unsupported("LAST_INSERT_ID of such a value, or in a query");
        }
        long told = isNull(id) ? 0 : id.getLong();
        statement.tellInsertId(told);
        return isNull(id) ? null : told;
    }

    public static String uuid() {
        return UUID.randomUUID().toString();
    }

    private static boolean isNull(@Nullable Value value) {
        return TextFunctions.isNull(value);
    }

    private static boolean anyNull(Value... values) {
        return TextFunctions.anyNull(values);
    }
}
