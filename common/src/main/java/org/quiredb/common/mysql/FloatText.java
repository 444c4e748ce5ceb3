package org.quiredb.common.mysql;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/// Floating-point numbers as MySQL writes them: the shortest decimal that reads back the same (six
/// digits for FLOAT), with an exponent where the point would be further than fifteen digits away.
///
/// Source: MySQL's my_gcvt, which switches to the exponent at DBL_DIG.
final class FloatText {
    private static final int DIGITS_OF_DOUBLE = 15;
    private static final MathContext DIGITS_OF_FLOAT = new MathContext(6, RoundingMode.HALF_EVEN);

    private FloatText() {}

    static String ofDouble(double value) {
        return general(value, new BigDecimal(Double.toString(finite(value))));
    }

    static String ofFloat(float value) {
        return general(value, new BigDecimal(finite(value)).round(DIGITS_OF_FLOAT));
    }

    static String fixed(double value, int decimals) {
        return sign(value)
                + new BigDecimal(finite(Math.abs(value)))
                        .setScale(decimals, RoundingMode.HALF_EVEN)
                        .toPlainString();
    }

    private static String general(double value, BigDecimal number) {
        if (number.signum() == 0) {
            return sign(value) + "0";
        }
        BigDecimal shortest = number.abs().stripTrailingZeros();
        int point = shortest.precision() - shortest.scale();
        if (point > -DIGITS_OF_DOUBLE && point <= DIGITS_OF_DOUBLE) {
            return sign(value) + shortest.toPlainString();
        }
        String digits = shortest.unscaledValue().toString();
        String fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
        return sign(value) + digits.charAt(0) + fraction + "e" + (point - 1);
    }

    private static String sign(double value) {
        return Double.doubleToRawLongBits(value) < 0 ? "-" : "";
    }

    private static double finite(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("MySQL has no " + value);
        }
        return value;
    }
}
