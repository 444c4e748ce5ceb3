package org.quiredb.replica.sql;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;

/// Functions with MySQL's meaning, which H2 calls; public for H2 alone.
///
/// Threads: any.
public final class MySqlFunctions {
    /// The variable div_precision_increment at its default.
    private static final int MORE_DIGITS = 4;

    private static final int MAXIMUM_SCALE = 30;
    private static final int DIGITS_OF_A_WORD = 9;

    private MySqlFunctions() {}

    static String[] declarations() {
        String prefix = " FOR '" + MySqlFunctions.class.getName() + ".";
        return new String[] {
            "CREATE ALIAS QUIRE_DIVIDE DETERMINISTIC" + prefix + "divide'",
            "CREATE ALIAS QUIRE_SHOWN DETERMINISTIC" + prefix + "shownQuotient'",
            "CREATE ALIAS QUIRE_CONCAT DETERMINISTIC" + prefix + "concat'",
            "CREATE ALIAS QUIRE_LENGTH DETERMINISTIC" + prefix + "length'",
            "CREATE ALIAS QUIRE_MOMENT DETERMINISTIC" + prefix + "moment'",
            "CREATE ALIAS QUIRE_RAND" + prefix + "rand'",
            "CREATE ALIAS QUIRE_UUID" + prefix + "uuid'"
        };
    }

    /// `/`: MySQL counts decimals in words of nine digits, has four more than the dividend's at
    /// least, and cuts off what is behind the last word.
    public static @Nullable BigDecimal divide(Value dividend, Value divisor) {
        if (isNull(dividend) || isNull(divisor)) {
            return null;
        }
        BigDecimal by = divisor.getBigDecimal();
        if (by.signum() == 0) {
            throw new QuireException(ErrorCode.DIVISION_BY_ZERO, "Division by 0");
        }
        if (floating(dividend) || floating(divisor)) {
            return BigDecimal.valueOf(dividend.getDouble() / divisor.getDouble());
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
        if (exact == null || floating(dividend) || floating(divisor)) {
            return exact;
        }
        int scale = Math.max(dividend.getBigDecimal().scale(), 0) + MORE_DIGITS;
        return exact.setScale(Math.min(scale, MAXIMUM_SCALE), RoundingMode.HALF_UP);
    }

    private static boolean floating(Value value) {
        int type = value.getValueType();
        return type == Value.DOUBLE || type == Value.REAL || type == Value.VARCHAR;
    }

    /// NULL where one part is.
    public static @Nullable String concat(Value... parts) {
        StringBuilder text = new StringBuilder();
        for (Value part : parts) {
            if (isNull(part)) {
                return null;
            }
            text.append(Texts.of(part));
        }
        return text.toString();
    }

    /// In bytes.
    public static @Nullable Integer length(Value text) {
        if (isNull(text)) {
            return null;
        }
        return text.getValueType() == Value.VARBINARY
                ? text.getBytesNoCopy().length
                : text.getString().getBytes(StandardCharsets.UTF_8).length;
    }

    /// A date that H2 may not take for one.
    public static Value moment(String text) {
        return Moments.parse(text);
    }

    public static double rand() {
        return ThreadLocalRandom.current().nextDouble();
    }

    public static String uuid() {
        return UUID.randomUUID().toString();
    }

    private static boolean isNull(Value value) {
        return value == null || value instanceof ValueNull;
    }
}
