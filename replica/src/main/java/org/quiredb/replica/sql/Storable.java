package org.quiredb.replica.sql;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.h2.value.Value;
import org.h2.value.ValueBigint;
import org.h2.value.ValueDate;
import org.h2.value.ValueInteger;
import org.h2.value.ValueNull;
import org.h2.value.ValueNumeric;
import org.h2.value.ValueSmallint;
import org.h2.value.ValueTimestamp;
import org.h2.value.ValueTinyint;
import org.h2.value.ValueVarbinary;
import org.h2.value.ValueVarchar;
import org.h2.value.ValueVarcharIgnoreCase;

/// H2's values as the numbers and bytes that rows and keys hold.
///
/// A date is H2's date value (year, month and day in bits, in order); a timestamp has it above its
/// microseconds of the day.
final class Storable {
    private static final int MICROS_BITS = 37;
    private static final long NANOS_PER_MICRO = 1000;

    private Storable() {}

    /// The value as a number whose order is the values' order.
    static long number(ColumnType type, Value value) {
        return switch (type.storage()) {
            case INTEGER -> value.getLong();
            case DECIMAL ->
                    value.getBigDecimal()
                            .setScale(type.decimals(), RoundingMode.HALF_UP)
                            .unscaledValue()
                            .longValueExact();
            case FLOAT -> Float.floatToIntBits((float) NegativeZero.number(value));
            case DOUBLE -> Double.doubleToLongBits(NegativeZero.number(value));
            case DATE -> ((ValueDate) value).getDateValue();
            case TIMESTAMP -> {
                ValueTimestamp timestamp = (ValueTimestamp) value;
                yield (timestamp.getDateValue() << MICROS_BITS)
                        | timestamp.getTimeNanos() / NANOS_PER_MICRO;
            }
            case TIME -> Moments.micros(value);
            case BIG_DECIMAL, STRING, FOLDED_STRING, BYTES, UUID ->
                    throw new IllegalStateException("not a number: " + type);
        };
    }

    static Value ofNumber(ColumnType type, long number) {
        return switch (type.storage()) {
            case INTEGER -> integer(type.width(), number);
            case DECIMAL -> ValueNumeric.get(BigDecimal.valueOf(number, type.decimals()));
            case FLOAT -> NegativeZero.ofSingle(Float.intBitsToFloat((int) number));
            case DOUBLE -> NegativeZero.ofDouble(Double.longBitsToDouble(number));
            case DATE -> ValueDate.fromDateValue(number);
            case TIMESTAMP ->
                    ValueTimestamp.fromDateValueAndNanos(
                            number >> MICROS_BITS,
                            (number & ((1L << MICROS_BITS) - 1)) * NANOS_PER_MICRO);
            case TIME -> Moments.time(number);
            case BIG_DECIMAL, STRING, FOLDED_STRING, BYTES, UUID ->
                    throw new IllegalStateException("not a number: " + type);
        };
    }

    private static Value integer(int width, long number) {
        return switch (width) {
            case 1 -> ValueTinyint.get((byte) number);
            case 2 -> ValueSmallint.get((short) number);
            case 4 -> ValueInteger.get((int) number);
            default -> ValueBigint.get(number);
        };
    }

    /// Whether the two are stored alike; equal to a collation is not enough.
    static boolean same(ColumnType type, Value a, Value b) {
        boolean nullA = a == null || a instanceof ValueNull;
        boolean nullB = b == null || b instanceof ValueNull;
        if (nullA || nullB) {
            return nullA == nullB;
        }
        return type.width() > 0
                ? number(type, a) == number(type, b)
                : Arrays.equals(bytes(type, a), bytes(type, b));
    }

    static byte[] bytes(ColumnType type, Value value) {
        return switch (type.storage()) {
            case STRING, FOLDED_STRING -> value.getString().getBytes(StandardCharsets.UTF_8);
            case BYTES -> value.getBytesNoCopy();
            case UUID -> Uuids.kept(value);
            case BIG_DECIMAL -> unscaled(type, value).toByteArray();
            case INTEGER, DECIMAL, FLOAT, DOUBLE, DATE, TIMESTAMP, TIME ->
                    throw new IllegalStateException("of fixed width: " + type);
        };
    }

    static BigInteger unscaled(ColumnType type, Value value) {
        return value.getBigDecimal()
                .setScale(type.decimals(), RoundingMode.HALF_UP)
                .unscaledValue();
    }

    static Value ofBytes(ColumnType type, byte[] page, int offset, int length) {
        return switch (type.storage()) {
            case STRING ->
                    ValueVarchar.get(new String(page, offset, length, StandardCharsets.UTF_8));
            case FOLDED_STRING ->
                    ValueVarcharIgnoreCase.get(
                            new String(page, offset, length, StandardCharsets.UTF_8));
            case BYTES -> ValueVarbinary.get(Arrays.copyOfRange(page, offset, offset + length));
            case UUID -> Uuids.ofKept(page, offset);
            case BIG_DECIMAL ->
                    ValueNumeric.get(
                            new BigDecimal(new BigInteger(page, offset, length), type.decimals()));
            case INTEGER, DECIMAL, FLOAT, DOUBLE, DATE, TIMESTAMP, TIME ->
                    throw new IllegalStateException("of fixed width: " + type);
        };
    }
}
