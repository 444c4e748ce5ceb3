package org.quiredb.replica.h2.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Objects;
import org.h2.util.DateTimeUtils;
import org.h2.util.JSR310Utils;
import org.h2.value.TypeInfo;
import org.h2.value.Value;
import org.h2.value.ValueBigint;
import org.h2.value.ValueDate;
import org.h2.value.ValueNull;
import org.h2.value.ValueNumeric;
import org.h2.value.ValueTimestamp;
import org.h2.value.ValueVarbinary;
import org.h2.value.ValueVarchar;
import org.h2.value.ValueVarcharIgnoreCase;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.sql.SqlValue.BytesValue;
import org.quiredb.common.sql.SqlValue.DateTimeValue;
import org.quiredb.common.sql.SqlValue.DateValue;
import org.quiredb.common.sql.SqlValue.DecimalValue;
import org.quiredb.common.sql.SqlValue.DoubleValue;
import org.quiredb.common.sql.SqlValue.IntegerValue;
import org.quiredb.common.sql.SqlValue.StringValue;
import org.quiredb.common.sql.SqlValue.TimeValue;
import org.quiredb.replica.layout.ColumnType;

/// H2's values as the protocol's, and back.
public final class Values {
    private static final int ZERO_DATE_LENGTH = "0000-0-0".length();
    private static final int LONGEST_DATE = 32;

    private Values() {}

    public static Value toH2(SqlValue value) {
        return switch (value) {
            case SqlValue.Null() -> ValueNull.INSTANCE;
            case IntegerValue(long number, boolean unsigned) ->
                    unsigned && number < 0
                            ? ValueNumeric.get(new BigDecimal(Long.toUnsignedString(number)))
                            : ValueBigint.get(number);
            case DoubleValue(double number) -> NegativeZero.ofDouble(number);
            case DecimalValue(String text) -> ValueNumeric.get(new BigDecimal(text));
            case StringValue(String text) -> text(text);
            case BytesValue(byte[] bytes) -> ValueVarbinary.get(bytes);
            case DateValue(var date) ->
                    ValueDate.fromDateValue(
                            DateTimeUtils.dateValue(
                                    date.getYear(), date.getMonthValue(), date.getDayOfMonth()));
            case DateTimeValue(LocalDateTime time) -> JSR310Utils.localDateTimeToValue(time);
            case TimeValue(Duration time) -> DatesAndTimes.time(time.toNanos() / 1000);
        };
    }

    public static SqlValue fromH2(Value value) {
        return switch (value.getValueType()) {
            case Value.NULL -> SqlValue.NULL;
            case Value.BOOLEAN -> SqlValue.of(value.getBoolean() ? 1 : 0);
            case Value.TINYINT, Value.SMALLINT, Value.INTEGER, Value.BIGINT ->
                    SqlValue.of(value.getLong());
            case Value.NUMERIC, Value.DECFLOAT ->
                    new DecimalValue(value.getBigDecimal().toPlainString());
            case Value.REAL, Value.DOUBLE -> new DoubleValue(NegativeZero.number(value));
            case Value.DATE -> DatesAndTimes.date((ValueDate) value);
            case Value.TIMESTAMP -> DatesAndTimes.dateTime((ValueTimestamp) value);
            case Value.TIMESTAMP_TZ ->
                    new DateTimeValue(
                            JSR310Utils.valueToLocalDateTime(
                                    ValueTimestamp.fromDateValueAndNanos(
                                            ((org.h2.value.ValueTimestampTimeZone) value)
                                                    .getDateValue(),
                                            ((org.h2.value.ValueTimestampTimeZone) value)
                                                    .getTimeNanos()),
                                    null));
            case Value.INTERVAL_HOUR_TO_SECOND -> new TimeValue(DatesAndTimes.duration(value));
            case Value.VARBINARY, Value.BINARY, Value.BLOB -> new BytesValue(value.getBytes());
            case Value.UUID -> SqlValue.of(Uuids.text(value));
            default -> SqlValue.of(value.getString());
        };
    }

    /// A value from the text that MySQL shows for it.
    public static Value ofText(ColumnType type, byte[] text) {
        return switch (type.storage()) {
            case BYTES -> ValueVarbinary.get(text);
            case UUID -> Objects.requireNonNull(Uuids.ofText(string(text)));
            case STRING -> ValueVarchar.get(string(text));
            case FOLDED_STRING -> ValueVarcharIgnoreCase.get(string(text));
            case INTEGER ->
                    ValueBigint.get(
                            type.mysql() == MySqlType.BIT
                                    ? bits(text)
                                    : Long.parseLong(string(text)));
            case DECIMAL, BIG_DECIMAL ->
                    ValueNumeric.get(
                            type.mysql() == MySqlType.BIT
                                    ? new BigDecimal(new BigInteger(1, text))
                                    : new BigDecimal(string(text)));
            case FLOAT, DOUBLE -> NegativeZero.ofDouble(Double.parseDouble(string(text)));
            case DATE -> ValueDate.fromDateValue(DatesAndTimes.parse(string(text)).getDateValue());
            case TIMESTAMP -> DatesAndTimes.parse(string(text));
            case TIME -> Objects.requireNonNull(DatesAndTimes.parseTime(string(text)));
        };
    }

    /// Of the texts that MySQL takes for dates, H2 does not take those with zeroes.
    private static Value text(String text) {
        Value zero = zeroDate(text);
        return zero == null ? ValueVarchar.get(text) : zero;
    }

    private static @Nullable Value zeroDate(String text) {
        boolean perhaps = text.length() >= ZERO_DATE_LENGTH && text.length() <= LONGEST_DATE;
        return perhaps && text.contains("-0") ? DatesAndTimes.parseZero(text) : null;
    }

    /// Whether it is taken for a date although no calendar has it.
    public static boolean isZeroDate(String text) {
        return zeroDate(text) != null;
    }

    private static String string(byte[] text) {
        return new String(text, StandardCharsets.UTF_8);
    }

    private static long bits(byte[] text) {
        long number = 0;
        for (byte b : text) {
            number = (number << 8) | (b & 0xFF);
        }
        return number;
    }

    /// Whether H2's declared type is one that results show as text.
    public static boolean isText(TypeInfo type) {
        int kind = type.getValueType();
        return kind == Value.VARCHAR
                || kind == Value.VARCHAR_IGNORECASE
                || kind == Value.CHAR
                || kind == Value.CLOB;
    }
}
