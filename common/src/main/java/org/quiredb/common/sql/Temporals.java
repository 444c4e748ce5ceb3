package org.quiredb.common.sql;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// MySQL's text forms of points in time and durations; a fraction is written only where there is
/// one, with six digits.
public final class Temporals {
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

    private Temporals() {}

    public static String text(LocalDateTime value) {
        return SECONDS.format(value) + fraction(value.getNano());
    }

    public static String text(Duration value) {
        Duration magnitude = value.abs();
        return String.format(
                        Locale.ROOT,
                        "%s%02d:%02d:%02d",
                        value.isNegative() ? "-" : "",
                        magnitude.toHours(),
                        magnitude.toMinutesPart(),
                        magnitude.toSecondsPart())
                + fraction(magnitude.getNano());
    }

    private static String fraction(int nanos) {
        return nanos == 0 ? "" : String.format(Locale.ROOT, ".%06d", nanos / 1000);
    }
}
