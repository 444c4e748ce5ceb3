package org.quiredb.common.mysql;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.sql.SqlValue.BytesValue;
import org.quiredb.common.sql.SqlValue.DateTimeValue;
import org.quiredb.common.sql.SqlValue.DateValue;
import org.quiredb.common.sql.SqlValue.DecimalValue;
import org.quiredb.common.sql.SqlValue.DoubleValue;
import org.quiredb.common.sql.SqlValue.IntegerValue;
import org.quiredb.common.sql.SqlValue.Null;
import org.quiredb.common.sql.SqlValue.StringValue;
import org.quiredb.common.sql.SqlValue.TimeValue;

/// A value in the text form that MySQL shows for its column's type.
public final class ValueText {
    private ValueText() {}

    public static byte @Nullable [] of(SqlValue value, ColumnMetadata column) {
        if (value instanceof Null) {
            return null;
        }
        return switch (column.type()) {
            case MySqlType.TINY,
                    MySqlType.SHORT,
                    MySqlType.INT24,
                    MySqlType.LONG,
                    MySqlType.LONGLONG,
                    MySqlType.YEAR ->
                    ascii(integer(value, column));
            case MySqlType.FLOAT, MySqlType.DOUBLE ->
                    ascii(padded(floating(value, column), column));
            case MySqlType.DECIMAL, MySqlType.NEWDECIMAL -> ascii(decimal(value, column));
            case MySqlType.BIT -> bits(value, column);
            default -> plain(value, column);
        };
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String integer(SqlValue value, ColumnMetadata column) {
        if (value instanceof StringValue(String shown) && column.has(ColumnFlag.ZEROFILL)) {
            return shown; // a backend has padded it, to a width that its driver may forget
        }
        String text = toInteger(value).toString();
        boolean year = column.type() == MySqlType.YEAR;
        return year ? "0".repeat(Math.max(0, 4 - text.length())) + text : padded(text, column);
    }

    private static String floating(SqlValue value, ColumnMetadata column) {
        double number = toDouble(value);
        if (column.decimals() < ColumnMetadata.UNSPECIFIED_DECIMALS) {
            return FloatText.fixed(number, column.decimals());
        }
        return column.type() == MySqlType.FLOAT
                ? FloatText.ofFloat((float) number)
                : FloatText.ofDouble(number);
    }

    /// Of ZEROFILL, to the width that the column is declared to have.
    private static String padded(String text, ColumnMetadata column) {
        int width = (int) Math.min(column.length(), 255);
        boolean shorter = column.has(ColumnFlag.ZEROFILL) && text.length() < width;
        return shorter ? "0".repeat(width - text.length()) + text : text;
    }

    private static String decimal(SqlValue value, ColumnMetadata column) {
        BigDecimal number = toDecimal(value);
        BigDecimal scaled =
                column.decimals() < ColumnMetadata.UNSPECIFIED_DECIMALS
                        ? number.setScale(column.decimals(), RoundingMode.HALF_UP)
                        : number;
        return padded(scaled.toPlainString(), column);
    }

    private static byte[] bits(SqlValue value, ColumnMetadata column) {
        if (value instanceof BytesValue(byte[] bytes)) {
            return bytes;
        }
        long number = toInteger(value).longValue();
        byte[] bytes = new byte[Math.clamp((column.length() + 7) / 8, 1, 8)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (number >>> (8 * (bytes.length - 1 - i)));
        }
        return bytes;
    }

    private static byte[] plain(SqlValue value, ColumnMetadata column) {
        return switch (value) {
            case Null() -> throw new IllegalArgumentException("NULL has no text");
            case BytesValue(byte[] bytes) -> bytes;
            case StringValue(String text) ->
                    TemporalText.of(text, column).getBytes(StandardCharsets.UTF_8);
            case DecimalValue(String text) -> ascii(text);
            case IntegerValue integer -> ascii(toInteger(integer).toString());
            case DoubleValue(double number) -> ascii(FloatText.ofDouble(number));
            case DateValue(LocalDate date) -> ascii(TemporalText.of(date.atStartOfDay(), column));
            case DateTimeValue(LocalDateTime time) -> ascii(TemporalText.of(time, column));
            case TimeValue(Duration time) -> ascii(TemporalText.of(time, column));
        };
    }

    static BigInteger toInteger(SqlValue value) {
        if (value instanceof IntegerValue(long number, boolean unsigned)) {
            return unsigned && number < 0
                    ? new BigInteger(Long.toUnsignedString(number))
                    : BigInteger.valueOf(number);
        }
        if (value instanceof DateValue(LocalDate date)) {
            return BigInteger.valueOf(date.getYear());
        }
        return toDecimal(value).setScale(0, RoundingMode.HALF_UP).toBigInteger();
    }

    static double toDouble(SqlValue value) {
        return switch (value) {
            case DoubleValue(double number) -> number;
            case StringValue(String text) -> Double.parseDouble(text); // keeps the sign of a zero
            default -> toDecimal(value).doubleValue();
        };
    }

    /// @throws IllegalArgumentException when the value is no number: the column's type was
    ///   announced wrongly
    static BigDecimal toDecimal(SqlValue value) {
        try {
            return switch (value) {
                case IntegerValue integer -> new BigDecimal(toInteger(integer));
                case DoubleValue(double number) -> BigDecimal.valueOf(number);
                case DecimalValue(String text) -> new BigDecimal(text.strip());
                case StringValue(String text) -> new BigDecimal(text.strip());
                case BytesValue(byte[] bytes) -> new BigDecimal(new BigInteger(1, bytes));
                case Null n -> throw notANumber(n);
                case DateValue d -> throw notANumber(d);
                case DateTimeValue d -> throw notANumber(d);
                case TimeValue t -> throw notANumber(t);
            };
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("a value for a numeric column is not a number", e);
        }
    }

    private static IllegalArgumentException notANumber(SqlValue value) {
        return new IllegalArgumentException(value.getClass().getSimpleName() + " is not a number");
    }
}
