package org.quiredb.common.mysql;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.quiredb.common.sql.Temporals;

/// Dates and times with exactly as many digits of a second's fraction as their column has.
final class TemporalText {
    private static final int MAX_DECIMALS = 6;

    private TemporalText() {}

    static String of(LocalDateTime value, ColumnMetadata column) {
        return switch (column.type()) {
            case MySqlType.DATE -> value.toLocalDate().toString();
            case MySqlType.TIME -> of(Duration.ofNanos(value.toLocalTime().toNanoOfDay()), column);
            case MySqlType.DATETIME, MySqlType.TIMESTAMP ->
                    Temporals.text(value.truncatedTo(ChronoUnit.SECONDS))
                            + fraction(value.get(ChronoField.NANO_OF_SECOND), column.decimals());
            default -> Temporals.text(value);
        };
    }

    /// Dates of zeroes, which Java has no type for, come as text; any other text stays.
    static String of(String text, ColumnMetadata column) {
        int digits = column.decimals();
        boolean moment =
                column.type() == MySqlType.DATETIME || column.type() == MySqlType.TIMESTAMP;
        if (!moment || digits == 0 || digits > MAX_DECIMALS || text.indexOf(':') < 0) {
            return text;
        }
        int point = text.indexOf('.');
        String seconds = point < 0 ? text : text.substring(0, point);
        String fraction = (point < 0 ? "" : text.substring(point + 1)) + "0".repeat(MAX_DECIMALS);
        return seconds + "." + fraction.substring(0, digits);
    }

    static String of(Duration value, ColumnMetadata column) {
        if (column.type() != MySqlType.TIME) {
            return Temporals.text(value);
        }
        Duration magnitude = value.abs();
        String seconds = Temporals.text(magnitude.truncatedTo(ChronoUnit.SECONDS));
        return (value.isNegative() ? "-" : "")
                + seconds
                + fraction(magnitude.toNanosPart(), column.decimals());
    }

    private static String fraction(int nanos, int decimals) {
        int digits = decimals > MAX_DECIMALS ? (nanos == 0 ? 0 : MAX_DECIMALS) : decimals;
        return digits == 0
                ? ""
                : "." + String.format(Locale.ROOT, "%09d", nanos).substring(0, digits);
    }
}
