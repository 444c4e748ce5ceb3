package org.quiredb.replica.h2.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.h2.result.SearchRow;
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
import org.quiredb.common.sql.SqlValue;
import org.quiredb.replica.layout.ColumnType;
import org.quiredb.replica.layout.RowFormat;
import org.quiredb.replica.layout.RowLayout;

/// H2's values as the numbers and bytes that rows and keys hold.
///
/// A date is H2's date value (year, month and day in bits, in order); a timestamp has it above its
/// microseconds of the day.
public final class StoredValues {
    private static final int MICROS_BITS = 37;
    private static final long NANOS_PER_MICRO = 1000;

    private StoredValues() {}

    /// The value as a number whose order is the values' order.
    public static long number(ColumnType type, Value value) {
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
            case TIME -> DatesAndTimes.micros(value);
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
            case TIME -> DatesAndTimes.time(number);
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
    public static boolean same(ColumnType type, Value a, Value b) {
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

    /// A row's bytes.
    public static byte[] encode(RowLayout rows, SearchRow row) {
        RowFormat format = rows.format();
        int end = format.variableOffset();
        byte[] bytes = new byte[end];
        for (int i = 0; i < rows.columns(); i++) {
            ColumnType type = rows.type(i);
            Value value = row.getValue(i);
            boolean absent = value == null || value instanceof ValueNull;
            if (absent) {
                bytes[i >> 3] |= (byte) (1 << (i & 7));
            }
            if (type.width() > 0) {
                if (!absent) {
                    putNumber(bytes, format.fixedOffset(i), type.width(), number(type, value));
                }
                continue;
            }
            if (!absent) {
                byte[] content = bytes(type, value);
                bytes = Arrays.copyOf(bytes, end + content.length);
                System.arraycopy(content, 0, bytes, end, content.length);
                end += content.length;
            }
            putNumber(bytes, format.endOffset(i), format.endWidth(), end);
        }
        return bytes;
    }

    private static void putNumber(byte[] bytes, int offset, int width, long number) {
        for (int i = 0; i < width; i++) {
            bytes[offset + i] = (byte) (number >> (8 * (width - 1 - i)));
        }
    }

    /// A column's value in a row.
    public static Value of(RowLayout rows, byte[] page, int offset, int column) {
        if (rows.isNull(page, offset, column)) {
            return ValueNull.INSTANCE;
        }
        ColumnType type = rows.type(column);
        if (type.width() > 0) {
            return ofNumber(type, rows.number(page, offset, column));
        }
        int from = rows.variableFrom(page, offset, column);
        return ofBytes(type, page, from, rows.variableTo(page, offset, column) - from);
    }

    /// The same as the protocol's.
    public static SqlValue shown(RowLayout rows, byte[] page, int offset, int column) {
        return Values.fromH2(of(rows, page, offset, column));
    }

    /// The value that a row keeps as this number, as the protocol's.
    public static SqlValue shown(ColumnType type, long number) {
        return Values.fromH2(ofNumber(type, number));
    }

    /// The protocol's as the number that a row keeps.
    public static long number(ColumnType type, SqlValue value) {
        return number(type, Values.toH2(value));
    }
}
