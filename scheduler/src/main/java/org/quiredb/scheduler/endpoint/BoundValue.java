package org.quiredb.scheduler.endpoint;

import java.time.Duration;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.Locale;
import java.util.regex.Pattern;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.mysql.PacketReader;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.characters.CharacterSet;

/// A parameter's value in the binary protocol.
final class BoundValue {
    private static final int UNSIGNED = 0x8000;
    private static final int MAX_HOURS = 838;
    private static final int MAX_MICROS = 999_999;

    /// Sign, point and 65 digits before and behind it; more digits no decimal has.
    private static final int MAX_DECIMAL_CHARACTERS = 132;

    private static final Pattern DECIMAL = Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)");

    private BoundValue() {}

    /// @param type the MySQL type, with the highest bit for unsigned
    /// @param set of texts
    static SqlValue read(PacketReader reader, int type, CharacterSet set) {
        boolean unsigned = (type & UNSIGNED) != 0;
        return switch (type & 0xFF) {
            case MySqlType.NULL -> SqlValue.NULL;
            case MySqlType.TINY ->
                    integer(unsigned ? reader.int1() : (byte) reader.int1(), unsigned);
            case MySqlType.SHORT, MySqlType.YEAR ->
                    integer(unsigned ? reader.int2() : (short) reader.int2(), unsigned);
            case MySqlType.LONG, MySqlType.INT24 ->
                    integer(unsigned ? reader.int4() : (int) reader.int4(), unsigned);
            case MySqlType.LONGLONG -> integer(reader.int8(), unsigned);
            case MySqlType.FLOAT ->
                    number(
                            Double.parseDouble(
                                    Float.toString(Float.intBitsToFloat((int) reader.int4()))));
            case MySqlType.DOUBLE -> number(Double.longBitsToDouble(reader.int8()));
            case MySqlType.DATE, MySqlType.DATETIME, MySqlType.TIMESTAMP ->
                    date(reader, type & 0xFF);
            case MySqlType.TIME -> time(reader);
            case MySqlType.DECIMAL, MySqlType.NEWDECIMAL -> decimal(reader.lenencString());
            case MySqlType.TINY_BLOB, MySqlType.MEDIUM_BLOB, MySqlType.LONG_BLOB, MySqlType.BLOB ->
                    new SqlValue.BytesValue(reader.lenencBytes());
            default -> textOrBytes(reader.lenencBytes(), set);
        };
    }

    static SqlValue ofLongData(byte[] data, int type, CharacterSet set) {
        return switch (type & 0xFF) {
            case MySqlType.TINY_BLOB, MySqlType.MEDIUM_BLOB, MySqlType.LONG_BLOB, MySqlType.BLOB ->
                    new SqlValue.BytesValue(data);
            default -> textOrBytes(data, set);
        };
    }

    private static SqlValue integer(long value, boolean unsigned) {
        return new SqlValue.IntegerValue(value, unsigned);
    }

    private static SqlValue textOrBytes(byte[] bytes, CharacterSet set) {
        return set.has(bytes)
                ? new SqlValue.StringValue(set.decode(bytes))
                : new SqlValue.BytesValue(bytes);
    }

    /// MySQL has no literal for these: they would be stored here and nowhere else.
    private static SqlValue number(double value) {
        if (!Double.isFinite(value)) {
            throw new QuireException(
                    ErrorCode.ILLEGAL_VALUE, "Illegal double '" + value + "' value found");
        }
        return new SqlValue.DoubleValue(value);
    }

    /// What is no decimal is a text, whose meaning as a number is that of any other text: a decimal
    /// is sent to the backend as it stands.
    private static SqlValue decimal(String text) {
        return text.length() <= MAX_DECIMAL_CHARACTERS && DECIMAL.matcher(text).matches()
                ? new SqlValue.DecimalValue(text)
                : new SqlValue.StringValue(text);
    }

    /// Days, months and years that no calendar has are MySQL's zero, but zeroes are kept.
    private static SqlValue date(PacketReader reader, int type) {
        int length = reader.int1();
        int year = length >= 4 ? reader.int2() : 0;
        int month = length >= 4 ? reader.int1() : 0;
        int day = length >= 4 ? reader.int1() : 0;
        int hour = length >= 7 ? reader.int1() : 0;
        int minute = length >= 7 ? reader.int1() : 0;
        int second = length >= 7 ? reader.int1() : 0;
        long micros = length >= 11 ? reader.int4() : 0;
        boolean known =
                year <= 9999
                        && month <= 12
                        && day <= 31
                        && hour <= 23
                        && minute <= 59
                        && second <= 59
                        && micros <= MAX_MICROS;
        if (!known) {
            return new SqlValue.StringValue(
                    type == MySqlType.DATE ? "0000-00-00" : "0000-00-00 00:00:00");
        }
        boolean dateOnly = type == MySqlType.DATE && length <= 4;
        if (month == 0 || day == 0 || day > YearMonth.of(year, month).lengthOfMonth()) {
            String text = String.format(Locale.ROOT, "%04d-%02d-%02d", year, month, day);
            String time = String.format(Locale.ROOT, " %02d:%02d:%02d", hour, minute, second);
            String fraction = micros == 0 ? "" : String.format(Locale.ROOT, ".%06d", micros);
            return new SqlValue.StringValue(dateOnly ? text : text + time + fraction);
        }
        LocalDate date = LocalDate.of(year, month, day);
        return dateOnly
                ? new SqlValue.DateValue(date)
                : new SqlValue.DateTimeValue(
                        date.atTime(hour, minute, second).plusNanos(micros * 1000));
    }

    /// What is longer than a TIME can be is the longest.
    private static SqlValue time(PacketReader reader) {
        int length = reader.int1();
        if (length == 0) {
            return new SqlValue.TimeValue(Duration.ZERO);
        }
        boolean negative = reader.int1() == 1;
        Duration magnitude =
                Duration.ofDays(reader.int4())
                        .plusHours(reader.int1())
                        .plusMinutes(reader.int1())
                        .plusSeconds(reader.int1());
        if (length > 8) {
            magnitude = magnitude.plusNanos(reader.int4() * 1000);
        }
        if (magnitude.toHours() > MAX_HOURS) {
            magnitude = Duration.ofHours(MAX_HOURS).plusMinutes(59).plusSeconds(59);
        }
        return new SqlValue.TimeValue(negative ? magnitude.negated() : magnitude);
    }
}
