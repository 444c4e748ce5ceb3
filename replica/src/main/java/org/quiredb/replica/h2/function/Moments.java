package org.quiredb.replica.h2.function;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.WeekFields;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.h2.value.ValueTimestamp;
import org.jspecify.annotations.Nullable;
import org.quiredb.replica.binding.Declarations;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.h2.conversion.MySqlTexts;
import org.quiredb.replica.h2.value.DatesAndTimes;

/// Weeks, times of day, how far moments lie apart, and constants that say their type, which H2
/// calls; public for H2 alone.
///
/// Threads: any.
public final class Moments {
    private static final Pattern DATE = Pattern.compile("\\d{4}-\\d\\d-\\d\\d");
    private static final Pattern TIME = Pattern.compile("-?\\d{2,3}:\\d\\d:\\d\\d");
    private static final Pattern TIMESTAMP =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\d[ T]\\d\\d:\\d\\d:\\d\\d");

    /// Of the modes of WEEK.
    private static final int FROM_MONDAY = 1;

    private static final int OF_WEEKS_YEAR = 2;
    private static final int OTHER_BEGIN = 4;

    private static final int WHOLE_WEEK = 7;
    private static final int MOST_OF_A_WEEK = 4;
    private static final int MONTHS = 12;

    private Moments() {}

    static List<String> declarations() {
        return Declarations.of(
                Moments.class,
                "week yearweek weekofyear dayname monthname time momentsApart ofDate ofTime"
                        + " ofTimestamp");
    }

    /// @param parts the moment, and how weeks are counted
    public static @Nullable Integer week(Value... parts) {
        if (TextFunctions.isNull(parts[0])) {
            return null;
        }
        int mode = mode(parts);
        WeekFields weeks = weeks(mode);
        return day(parts[0])
                .get(
                        (mode & OF_WEEKS_YEAR) == 0
                                ? weeks.weekOfYear()
                                : weeks.weekOfWeekBasedYear());
    }

    public static @Nullable Integer yearweek(Value... parts) {
        if (TextFunctions.isNull(parts[0])) {
            return null;
        }
        WeekFields weeks = weeks(mode(parts));
        LocalDate day = day(parts[0]);
        return day.get(weeks.weekBasedYear()) * 100 + day.get(weeks.weekOfWeekBasedYear());
    }

    public static @Nullable Integer weekofyear(Value moment) {
        return TextFunctions.isNull(moment)
                ? null
                : day(moment).get(WeekFields.ISO.weekOfWeekBasedYear());
    }

    private static int mode(Value... parts) {
        if (parts.length < 2) {
            return 0;
        }
        if (TextFunctions.isNull(parts[1])) {
            throw Errors.unsupported("WEEK in mode NULL");
        }
        return (int) (MySqlFunctions.whole(parts[1]) & 7);
    }

    /// The first week of a year is its first whole one, or has four of its days.
    private static WeekFields weeks(int mode) {
        boolean monday = (mode & FROM_MONDAY) != 0;
        boolean whole = monday == ((mode & OTHER_BEGIN) != 0);
        return WeekFields.of(
                monday ? DayOfWeek.MONDAY : DayOfWeek.SUNDAY, whole ? WHOLE_WEEK : MOST_OF_A_WEEK);
    }

    private static LocalDate day(Value moment) {
        LocalDate day = Objects.requireNonNull(TimeFunctions.date(moment));
        if (day.getYear() < 1) {
            throw Errors.unsupported("weeks of the year 0");
        }
        return day;
    }

    public static @Nullable String dayname(Value moment) {
        return TextFunctions.isNull(moment)
                ? null
                : day(moment).getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
    }

    public static @Nullable String monthname(Value moment) {
        return TextFunctions.isNull(moment)
                ? null
                : day(moment).getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
    }

    /// The time of a day.
    public static Value time(Value moment) {
        return switch (moment.getValueType()) {
            case Value.NULL -> ValueNull.INSTANCE;
            case Value.INTERVAL_HOUR_TO_SECOND -> moment;
            case Value.DATE -> DatesAndTimes.time(0);
            case Value.TIMESTAMP ->
                    DatesAndTimes.time(((ValueTimestamp) moment).getTimeNanos() / 1000);
            default -> throw Errors.unsupported("TIME of such a value");
        };
    }

    /// TIMESTAMPDIFF: whole units from one to the other.
    public static @Nullable Long momentsApart(String unit, Value from, Value to) {
        if (TextFunctions.anyNull(from, to)) {
            return null;
        }
        LocalDateTime a = TimeFunctions.time(from);
        LocalDateTime b = TimeFunctions.time(to);
        return switch (unit) {
            case "MICROSECOND" -> ChronoUnit.MICROS.between(a, b);
            case "SECOND" -> ChronoUnit.SECONDS.between(a, b);
            case "MINUTE" -> ChronoUnit.MINUTES.between(a, b);
            case "HOUR" -> ChronoUnit.HOURS.between(a, b);
            case "DAY" -> ChronoUnit.DAYS.between(a, b);
            case "WEEK" -> ChronoUnit.WEEKS.between(a, b);
            case "MONTH" -> months(a, b);
            case "QUARTER" -> months(a, b) / 3;
            case "YEAR" -> months(a, b) / MONTHS;
            default -> throw Errors.unsupported("TIMESTAMPDIFF of " + unit);
        };
    }

    /// A month is over on the same day of the next at the same time, also where that month has no
    /// such day: then in the one after it.
    private static long months(LocalDateTime from, LocalDateTime to) {
        if (to.isBefore(from)) {
            return -months(to, from);
        }
        long months =
                to.getLong(ChronoField.PROLEPTIC_MONTH) - from.getLong(ChronoField.PROLEPTIC_MONTH);
        int days = to.getDayOfMonth() - from.getDayOfMonth();
        LocalTime at = from.toLocalTime();
        return days < 0 || (days == 0 && to.toLocalTime().isBefore(at)) ? months - 1 : months;
    }

    public static LocalDate ofDate(Value text) {
        return ofTimestamp(DATE, text).toLocalDate();
    }

    public static Value ofTime(Value text) {
        String written = MySqlTexts.of(text);
        Value time = TIME.matcher(written).matches() ? DatesAndTimes.parseTime(written) : null;
        if (time == null) {
            throw Errors.unsupported("TIME '" + written + "'");
        }
        return time;
    }

    public static LocalDateTime ofTimestamp(Value text) {
        return ofTimestamp(TIMESTAMP, text);
    }

    /// As a server shows it: what has fractions of a second it would show with them.
    private static LocalDateTime ofTimestamp(Pattern form, Value text) {
        String written = MySqlTexts.of(text);
        if (!form.matcher(written).matches() || written.startsWith("0000")) {
            throw Errors.unsupported("a typed constant such as this");
        }
        return TimeFunctions.time(text);
    }
}
