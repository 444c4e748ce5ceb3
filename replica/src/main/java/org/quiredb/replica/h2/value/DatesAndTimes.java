package org.quiredb.replica.h2.value;

import java.math.BigInteger;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.h2.api.IntervalQualifier;
import org.h2.util.DateTimeUtils;
import org.h2.util.IntervalUtils;
import org.h2.util.JSR310Utils;
import org.h2.value.Value;
import org.h2.value.ValueDate;
import org.h2.value.ValueInterval;
import org.h2.value.ValueTimestamp;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.sql.SqlValue.DateTimeValue;
import org.quiredb.common.sql.SqlValue.DateValue;

/// MySQL's dates and times where H2's are narrower: dates with a month or day of zero, which no
/// calendar has and H2's bits hold, and times of up to 838 hours either way, which are intervals
/// here.
public final class DatesAndTimes {
    private static final Pattern DATE =
            Pattern.compile(
                    "(\\d{4})-(\\d\\d?)-(\\d\\d?)(?:[ T](\\d\\d?):(\\d\\d?)(?::(\\d\\d?)(?:\\.(\\d{0,6})\\d*)?)?)?");
    private static final Pattern COMPACT =
            Pattern.compile("(\\d{4})(\\d\\d)(\\d\\d)(?:(\\d\\d)(\\d\\d)(\\d\\d)(\\.\\d*)?)?");
    private static final Pattern TIME =
            Pattern.compile(
                    "(-?)(?:(\\d{1,2}) )?(\\d{1,3}):(\\d\\d?)(?::(\\d\\d?)(?:\\.(\\d{0,6})\\d*)?)?");
    private static final Pattern DIGITS = Pattern.compile("(-?)(\\d{1,7})(?:\\.(\\d{0,6})\\d*)?");
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long MOST_MICROS =
            (838 * 3600L + 59 * 60 + 59) * MICROS_PER_SECOND + MICROS_PER_SECOND - 1;
    private static final BigInteger NANOS_PER_MICRO = BigInteger.valueOf(1000);
    private static final int DAYS_OF_ANY_MONTH = 31;

    private DatesAndTimes() {}

    public static ValueInterval time(long micros) {
        return IntervalUtils.intervalFromAbsolute(
                IntervalQualifier.HOUR_TO_SECOND,
                BigInteger.valueOf(micros).multiply(NANOS_PER_MICRO));
    }

    public static long micros(Value time) {
        return IntervalUtils.intervalToAbsolute((ValueInterval) time)
                .divide(NANOS_PER_MICRO)
                .longValueExact();
    }

    static Duration duration(Value time) {
        return Duration.ofNanos(micros(time) * NANOS_PER_MICRO.longValue());
    }

    /// `[-][days ]hours:minutes[:seconds[.fraction]]`, or the digits of a number; null for anything
    /// else.
    public static @Nullable ValueInterval parseTime(String text) {
        Matcher parts = TIME.matcher(text.strip());
        if (parts.matches()) {
            long hours = number(parts.group(2)) * 24 + number(parts.group(3));
            return time(
                    !parts.group(1).isEmpty(),
                    hours,
                    number(parts.group(4)),
                    number(parts.group(5)),
                    parts.group(6));
        }
        Matcher digits = DIGITS.matcher(text.strip());
        if (digits.matches()) {
            long number = number(digits.group(2));
            return time(
                    !digits.group(1).isEmpty(),
                    number / 10_000,
                    number / 100 % 100,
                    number % 100,
                    digits.group(3));
        }
        return null;
    }

    private static @Nullable ValueInterval time(
            boolean negative, long hours, long minutes, long seconds, @Nullable String fraction) {
        long micros =
                ((hours * 60 + minutes) * 60 + seconds) * MICROS_PER_SECOND + micros(fraction);
        return minutes > 59 || seconds > 59 || micros > MOST_MICROS
                ? null
                : time(negative ? -micros : micros);
    }

    /// A date or a date with a time of day, of a month or a day that is zero and written as MySQL
    /// writes it; null for anything else.
    static @Nullable Value parseZero(String text) {
        Matcher parts = DATE.matcher(text);
        if (!parts.matches() || (number(parts.group(2)) != 0 && number(parts.group(3)) != 0)) {
            return null;
        }
        Value moment = moment(parts);
        return moment != null && moment.getString().equals(text) ? moment : null;
    }

    /// Whether it is written with a year of four digits, and nothing around it.
    public static boolean isDate(String text) {
        return DATE.matcher(text).matches();
    }

    /// As a column of dates takes a text; null for what is no date, or not on the calendar.
    public static @Nullable ValueTimestamp parseAssigned(String text) {
        Matcher compact = COMPACT.matcher(text.strip());
        return parseDate(
                compact.matches()
                        ? compact.replaceFirst(
                                compact.group(4) == null ? "$1-$2-$3" : "$1-$2-$3 $4:$5:$6$7")
                        : text);
    }

    /// As {@link #parseAssigned}, of a text with marks between its parts.
    public static @Nullable ValueTimestamp parseDate(String text) {
        Matcher parts = DATE.matcher(text.strip());
        Value moment = parts.matches() ? moment(parts) : null;
        if (moment == null) {
            return null;
        }
        ValueTimestamp parsed = timestamp(moment);
        return hasZero(parsed) || onCalendar(parsed.getDateValue()) ? parsed : null;
    }

    /// Whether its month or its day is zero, of a date or a date with a time of day.
    public static boolean hasZero(Value moment) {
        long date =
                moment instanceof ValueDate day
                        ? day.getDateValue()
                        : ((ValueTimestamp) moment).getDateValue();
        return DateTimeUtils.monthFromDateValue(date) == 0
                || DateTimeUtils.dayFromDateValue(date) == 0;
    }

    private static ValueTimestamp timestamp(Value moment) {
        return moment instanceof ValueTimestamp timestamp
                ? timestamp
                : ValueTimestamp.fromDateValueAndNanos(((ValueDate) moment).getDateValue(), 0);
    }

    /// As the backend shows it, whatever its calendar: MySQL can be told to take 31 February.
    public static ValueTimestamp parse(String text) {
        Matcher parts = DATE.matcher(text);
        Value moment = parts.matches() ? moment(parts) : null;
        if (moment == null) {
            throw new IllegalArgumentException("not a date: " + text);
        }
        return timestamp(moment);
    }

    private static @Nullable Value moment(Matcher parts) {
        int month = (int) number(parts.group(2));
        int day = (int) number(parts.group(3));
        long hour = number(parts.group(4));
        long minute = number(parts.group(5));
        long second = number(parts.group(6));
        if (month > 12 || day > DAYS_OF_ANY_MONTH || hour > 23 || minute > 59 || second > 59) {
            return null;
        }
        long date = DateTimeUtils.dateValue(number(parts.group(1)), month, day);
        long micros =
                ((hour * 60 + minute) * 60 + second) * MICROS_PER_SECOND + micros(parts.group(7));
        return parts.group(4) == null
                ? ValueDate.fromDateValue(date)
                : ValueTimestamp.fromDateValueAndNanos(date, micros * 1000);
    }

    static SqlValue date(ValueDate value) {
        return onCalendar(value.getDateValue())
                ? new DateValue(JSR310Utils.valueToLocalDate(value, null))
                : SqlValue.of(text(value.getDateValue()));
    }

    static SqlValue dateTime(ValueTimestamp value) {
        if (onCalendar(value.getDateValue())) {
            return new DateTimeValue(JSR310Utils.valueToLocalDateTime(value, null));
        }
        LocalDateTime ofDay = LocalDate.EPOCH.atStartOfDay().plusNanos(value.getTimeNanos());
        String time = org.quiredb.common.sql.Temporals.text(ofDay);
        return SqlValue.of(text(value.getDateValue()) + time.substring(time.indexOf(' ')));
    }

    /// Whether a TIMESTAMP holds it: seconds since 1970 in 31 bits, but for the first, which stands
    /// for a date of zeroes.
    public static boolean isTimestamp(ValueTimestamp moment) {
        if (moment.getDateValue() == 0) {
            return moment.getTimeNanos() == 0;
        }
        if (!onCalendar(moment.getDateValue())) {
            return false;
        }
        long second = JSR310Utils.valueToLocalDateTime(moment, null).toEpochSecond(ZoneOffset.UTC);
        return second > 0 && second <= Integer.MAX_VALUE;
    }

    private static boolean onCalendar(long date) {
        return DateTimeUtils.isValidDate(
                DateTimeUtils.yearFromDateValue(date),
                DateTimeUtils.monthFromDateValue(date),
                DateTimeUtils.dayFromDateValue(date));
    }

    private static String text(long date) {
        return String.format(
                java.util.Locale.ROOT,
                "%04d-%02d-%02d",
                DateTimeUtils.yearFromDateValue(date),
                DateTimeUtils.monthFromDateValue(date),
                DateTimeUtils.dayFromDateValue(date));
    }

    private static long number(@Nullable String digits) {
        return digits == null || digits.isEmpty() ? 0 : Long.parseLong(digits);
    }

    private static long micros(@Nullable String fraction) {
        return fraction == null ? 0 : number((fraction + "000000").substring(0, 6));
    }
}
