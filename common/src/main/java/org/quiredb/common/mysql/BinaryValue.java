package org.quiredb.common.mysql;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.sql.SqlValue.DateTimeValue;
import org.quiredb.common.sql.SqlValue.DateValue;
import org.quiredb.common.sql.SqlValue.TimeValue;

/// A value in the binary protocol's form for its column's type; everything without a form of its
/// own travels as text.
final class BinaryValue {
    private static final Pattern DATE_TEXT =
            Pattern.compile(
                    "(\\d{4})-(\\d{2})-(\\d{2})(?:[ T](\\d{2}):(\\d{2}):(\\d{2})(?:\\.(\\d{1,6}))?)?");
    private static final Pattern TIME_TEXT =
            Pattern.compile("(-?)(\\d{1,3}):(\\d{2}):(\\d{2})(?:\\.(\\d{1,6}))?");

    private BinaryValue() {}

    static void write(PacketWriter out, SqlValue value, ColumnMetadata column) {
        switch (column.type()) {
            case MySqlType.TINY -> out.int1(ValueText.toInteger(value).intValue());
            case MySqlType.SHORT, MySqlType.YEAR -> out.int2(ValueText.toInteger(value).intValue());
            case MySqlType.INT24, MySqlType.LONG ->
                    out.int4(ValueText.toInteger(value).longValue());
            case MySqlType.LONGLONG -> out.int8(ValueText.toInteger(value).longValue());
            case MySqlType.FLOAT ->
                    out.int4(Float.floatToRawIntBits((float) ValueText.toDouble(value)));
            case MySqlType.DOUBLE ->
                    out.int8(Double.doubleToRawLongBits(ValueText.toDouble(value)));
            case MySqlType.DATE, MySqlType.DATETIME, MySqlType.TIMESTAMP ->
                    dateTime(out, value, column);
            case MySqlType.TIME -> time(out, value, column);
            default -> out.lenencBytes(text(value, column));
        }
    }

    private static byte[] text(SqlValue value, ColumnMetadata column) {
        return Objects.requireNonNull(ValueText.of(value, column), "only NULL has no text");
    }

    private static void dateTime(PacketWriter out, SqlValue value, ColumnMetadata column) {
        if (value instanceof DateValue(LocalDate date)) {
            dateTime(out, date.atStartOfDay(), column);
        } else if (value instanceof DateTimeValue(LocalDateTime time)) {
            dateTime(out, time, column);
        } else {
            dateTimeText(out, new String(text(value, column), StandardCharsets.UTF_8));
        }
    }

    private static void dateTime(PacketWriter out, LocalDateTime value, ColumnMetadata column) {
        LocalDateTime time =
                column.type() == MySqlType.DATE ? value.toLocalDate().atStartOfDay() : value;
        fields(
                out,
                new int[] {time.getYear(), time.getMonthValue(), time.getDayOfMonth()},
                new int[] {time.getHour(), time.getMinute(), time.getSecond()},
                time.getNano() / 1000);
    }

    /// Dates that Java has no type for, such as 0000-00-00, come as text.
    private static void dateTimeText(PacketWriter out, String text) {
        Matcher matcher = DATE_TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("a value for a date column is not a date");
        }
        fields(
                out,
                new int[] {number(matcher, 1), number(matcher, 2), number(matcher, 3)},
                new int[] {number(matcher, 4), number(matcher, 5), number(matcher, 6)},
                micros(matcher, 7));
    }

    private static void fields(PacketWriter out, int[] date, int[] time, int micros) {
        boolean noTime = micros == 0 && (time[0] | time[1] | time[2]) == 0;
        boolean nothing = noTime && (date[0] | date[1] | date[2]) == 0;
        out.int1(nothing ? 0 : noTime ? 4 : micros == 0 ? 7 : 11);
        if (!nothing) {
            out.int2(date[0]).int1(date[1]).int1(date[2]);
        }
        if (!noTime) {
            out.int1(time[0]).int1(time[1]).int1(time[2]);
        }
        if (micros != 0) {
            out.int4(micros);
        }
    }

    private static void time(PacketWriter out, SqlValue value, ColumnMetadata column) {
        if (value instanceof TimeValue(Duration time)) {
            Duration magnitude = time.abs();
            time(out, time.isNegative(), magnitude.toSeconds(), magnitude.toNanosPart() / 1000);
            return;
        }
        Matcher matcher =
                TIME_TEXT.matcher(new String(text(value, column), StandardCharsets.UTF_8));
        if (!matcher.matches()) {
            throw new IllegalArgumentException("a value for a time column is not a time");
        }
        long seconds = number(matcher, 2) * 3600L + number(matcher, 3) * 60L + number(matcher, 4);
        time(out, "-".equals(matcher.group(1)), seconds, micros(matcher, 5));
    }

    private static void time(PacketWriter out, boolean negative, long seconds, int micros) {
        if (seconds == 0 && micros == 0) {
            out.int1(0);
            return;
        }
        out.int1(micros == 0 ? 8 : 12).int1(negative ? 1 : 0).int4(seconds / 86_400);
        out.int1((int) (seconds / 3600 % 24))
                .int1((int) (seconds / 60 % 60))
                .int1((int) (seconds % 60));
        if (micros != 0) {
            out.int4(micros);
        }
    }

    private static int number(Matcher matcher, int group) {
        String text = matcher.group(group);
        return text == null ? 0 : Integer.parseInt(text);
    }

    private static int micros(Matcher matcher, int group) {
        String text = matcher.group(group);
        return text == null ? 0 : Integer.parseInt((text + "000000").substring(0, 6));
    }
}
