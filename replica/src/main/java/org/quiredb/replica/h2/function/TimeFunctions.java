package org.quiredb.replica.h2.function;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import org.h2.util.JSR310Utils;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.h2.value.ValueTimestamp;
import org.h2.value.ValueVarchar;
import org.jspecify.annotations.Nullable;
import org.quiredb.replica.binding.Declarations;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.h2.conversion.MySqlTexts;
import org.quiredb.replica.h2.statement.Statement;
import org.quiredb.replica.h2.value.DatesAndTimes;
import org.quiredb.replica.h2.value.Values;

/// MySQL's functions of dates and times, in UTC, which H2 calls; public for H2 alone.
///
/// NULL where an argument is. Dates that are on no calendar are not computed with.
///
/// Threads: any.
public final class TimeFunctions {
    private TimeFunctions() {}

    static List<String> declarations() {
        return Declarations.of(
                TimeFunctions.class,
                "dateAdd moved date year month day hour minute second dayOfWeek weekday dayOfYear quarter"
                        + " lastDay toDays datediff unixTimestamp fromUnixtime dateFormat");
    }

    /// Microseconds of the whole calendar; more of any unit leads beyond it.
    private static final long MOST_UNITS = 400_000_000_000_000_000L;

    /// @param digits of a second's fraction
    public static LocalDateTime now(int digits) {
        Statement statement = Statement.current();
        LocalDateTime now = LocalDateTime.ofInstant(statement.now(), ZoneOffset.UTC);
        int unit = 1_000_000_000;
        for (int i = 0; i < digits; i++) {
            unit /= 10;
        }
        return now.withNano(now.getNano() / unit * unit);
    }

    /// @param unit MySQL's name of it, without `_`
    public static Value dateAdd(Value moment, Value amount, String unit) {
        if (TextFunctions.anyNull(moment, amount)) {
            return ValueNull.INSTANCE;
        }
        if (text(moment) && moment.getString().contains(":")) {
            throw Errors.unsupported("INTERVAL from a text with a time"); // fractions come and go
        }
        boolean ofSeconds = unit.equalsIgnoreCase("SECOND");
        if (ofSeconds && MySqlFunctions.exact(amount).stripTrailingZeros().scale() > 0) {
            throw Errors.unsupported("INTERVAL of fractions of a second");
        }
        long count = MySqlFunctions.whole(amount);
        if (Math.abs(count) > MOST_UNITS) {
            throw Errors.unsupported("INTERVAL of so many units");
        }
        LocalDateTime time = time(moment);
        LocalDateTime moved =
                switch (unit.toUpperCase(Locale.ROOT)) {
                    case "MICROSECOND" -> time.plus(count, ChronoUnit.MICROS);
                    case "SECOND" -> time.plusSeconds(count);
                    case "MINUTE" -> time.plusMinutes(count);
                    case "HOUR" -> time.plusHours(count);
                    case "DAY" -> time.plusDays(count);
                    case "WEEK" -> time.plusWeeks(count);
                    case "MONTH" -> time.plusMonths(count);
                    case "QUARTER" -> time.plusMonths(3 * count);
                    case "YEAR" -> time.plusYears(count);
                    default -> throw Errors.unsupported("INTERVAL of " + unit);
                };
        if (moved.getYear() < 1 || moved.getYear() > 9999) {
            throw Errors.unsupported("a moment beyond the calendar, of which a server warns");
        }
        boolean ofDay = ChronoUnit.valueOf(unitOf(unit)).isTimeBased();
        boolean date =
                moment.getValueType() == Value.DATE
                        || (text(moment) && !moment.getString().strip().contains(":"));
        Value result =
                date && !ofDay
                        ? JSR310Utils.localDateToValue(moved.toLocalDate())
                        : JSR310Utils.localDateTimeToValue(moved);
        return text(moment) ? ValueVarchar.get(MySqlTexts.of(result)) : result;
    }

    /// To be compared, when it does not matter whether it is a date.
    public static @Nullable LocalDateTime moved(Value moment, Value amount, String unit) {
        Value moved = dateAdd(moment, amount, unit);
        return TextFunctions.isNull(moved) ? null : time(moved);
    }

    private static String unitOf(String unit) {
        return switch (unit.toUpperCase(Locale.ROOT)) {
            case "MICROSECOND" -> "MICROS";
            case "QUARTER" -> "MONTHS";
            default -> unit.toUpperCase(Locale.ROOT) + "S";
        };
    }

    private static boolean text(Value value) {
        return Values.isText(value.getType());
    }

    static LocalDateTime time(Value moment) {
        Value value = moment;
        if (text(moment)) {
            ValueTimestamp parsed = DatesAndTimes.parseDate(moment.getString());
            if (parsed == null) {
                throw Errors.unsupported("a text that is no date");
            }
            value = parsed;
        }
        try {
            return switch (value.getValueType()) {
                case Value.DATE -> JSR310Utils.valueToLocalDate(value, null).atStartOfDay();
                case Value.TIMESTAMP -> JSR310Utils.valueToLocalDateTime(value, null);
                case Value.TIMESTAMP_TZ ->
                        JSR310Utils.valueToOffsetDateTime(value, null).toLocalDateTime();
                default -> throw Errors.unsupported("a value that is no date");
            };
        } catch (DateTimeException e) {
            throw Errors.unsupported("a date that is on no calendar");
        }
    }

    private static LocalDate day0(Value moment) {
        return time(moment).toLocalDate();
    }

    public static @Nullable LocalDate date(Value moment) {
        return TextFunctions.isNull(moment) ? null : day0(moment);
    }

    public static @Nullable Integer year(Value moment) {
        return part(moment, ChronoField.YEAR);
    }

    public static @Nullable Integer month(Value moment) {
        return part(moment, ChronoField.MONTH_OF_YEAR);
    }

    public static @Nullable Integer day(Value moment) {
        return part(moment, ChronoField.DAY_OF_MONTH);
    }

    public static @Nullable Integer hour(Value moment) {
        return part(moment, ChronoField.HOUR_OF_DAY);
    }

    public static @Nullable Integer minute(Value moment) {
        return part(moment, ChronoField.MINUTE_OF_HOUR);
    }

    public static @Nullable Integer second(Value moment) {
        return part(moment, ChronoField.SECOND_OF_MINUTE);
    }

    /// From 1 for Sunday.
    public static @Nullable Integer dayOfWeek(Value moment) {
        Integer day = part(moment, ChronoField.DAY_OF_WEEK);
        return day == null ? null : day % 7 + 1;
    }

    /// From 0 for Monday.
    public static @Nullable Integer weekday(Value moment) {
        Integer day = part(moment, ChronoField.DAY_OF_WEEK);
        return day == null ? null : day - 1;
    }

    public static @Nullable Integer dayOfYear(Value moment) {
        return part(moment, ChronoField.DAY_OF_YEAR);
    }

    public static @Nullable Integer quarter(Value moment) {
        Integer month = month(moment);
        return month == null ? null : (month + 2) / 3;
    }

    private static @Nullable Integer part(Value moment, ChronoField field) {
        return TextFunctions.isNull(moment) ? null : time(moment).get(field);
    }

    public static @Nullable LocalDate lastDay(Value moment) {
        if (TextFunctions.isNull(moment)) {
            return null;
        }
        LocalDate day = day0(moment);
        return day.withDayOfMonth(day.lengthOfMonth());
    }

    /// Since the year 0.
    public static @Nullable Long toDays(Value moment) {
        return TextFunctions.isNull(moment) ? null : day0(moment).toEpochDay() + 719_528;
    }

    public static @Nullable Long datediff(Value to, Value from) {
        return TextFunctions.anyNull(to, from)
                ? null
                : day0(to).toEpochDay() - day0(from).toEpochDay();
    }

    /// In whole seconds.
    public static @Nullable Long unixTimestamp(Value moment) {
        if (TextFunctions.isNull(moment)) {
            return null;
        }
        LocalDateTime time = time(moment);
        if (time.getNano() != 0 || Statement.current().readsFractions()) {
            throw Errors.unsupported("UNIX_TIMESTAMP of fractions of seconds");
        }
        long seconds = time.toEpochSecond(ZoneOffset.UTC);
        if (seconds < 0 || seconds > Integer.MAX_VALUE) {
            throw Errors.unsupported("UNIX_TIMESTAMP of such a moment");
        }
        return seconds;
    }

    public static @Nullable LocalDateTime fromUnixtime(Value seconds) {
        if (TextFunctions.isNull(seconds)) {
            return null;
        }
        if (!integer(seconds) || seconds.getLong() < 0 || seconds.getLong() > Integer.MAX_VALUE) {
            throw Errors.unsupported("FROM_UNIXTIME of such a value");
        }
        Instant instant = Instant.ofEpochSecond(seconds.getLong());
        return LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
    }

    private static boolean integer(Value value) {
        return switch (value.getValueType()) {
            case Value.TINYINT, Value.SMALLINT, Value.INTEGER, Value.BIGINT -> true;
            default -> false;
        };
    }

    public static @Nullable String dateFormat(Value moment, Value format) {
        if (TextFunctions.anyNull(moment, format)) {
            return null;
        }
        LocalDateTime time = time(moment);
        String pattern = format.getString();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            boolean escape = c == '%' && i + 1 < pattern.length();
            text.append(escape ? formatted(time, pattern.charAt(++i)) : String.valueOf(c));
        }
        return text.toString();
    }

    private static String formatted(LocalDateTime time, char specifier) {
        return switch (specifier) {
            case 'Y' -> padded(time.getYear(), 4);
            case 'y' -> padded(time.getYear() % 100, 2);
            case 'm' -> padded(time.getMonthValue(), 2);
            case 'c' -> String.valueOf(time.getMonthValue());
            case 'd' -> padded(time.getDayOfMonth(), 2);
            case 'e' -> String.valueOf(time.getDayOfMonth());
            case 'H' -> padded(time.getHour(), 2);
            case 'k' -> String.valueOf(time.getHour());
            case 'h', 'I' -> padded((time.getHour() + 11) % 12 + 1, 2);
            case 'l' -> String.valueOf((time.getHour() + 11) % 12 + 1);
            case 'i' -> padded(time.getMinute(), 2);
            case 's', 'S' -> padded(time.getSecond(), 2);
            case 'f' -> padded(time.getNano() / 1000, 6);
            case 'p' -> time.getHour() < 12 ? "AM" : "PM";
            case 'T' -> time(time);
            case 'j' -> padded(time.getDayOfYear(), 3);
            case 'w' -> String.valueOf(time.getDayOfWeek().getValue() % 7);
            case 'M' -> time.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
            case 'b' ->
                    time.getMonth().getDisplayName(TextStyle.SHORT, Locale.ENGLISH).substring(0, 3);
            case 'W' -> time.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
            case 'a' -> time.getDayOfWeek().getDisplayName(TextStyle.SHORT, Locale.ENGLISH);
            case '%' -> "%";
            default -> throw Errors.unsupported("DATE_FORMAT with %" + specifier);
        };
    }

    private static String time(LocalDateTime time) {
        return padded(time.getHour(), 2)
                + ":"
                + padded(time.getMinute(), 2)
                + ":"
                + padded(time.getSecond(), 2);
    }

    private static String padded(int number, int digits) {
        String text = String.valueOf(number);
        return "0".repeat(Math.max(0, digits - text.length())) + text;
    }
}
