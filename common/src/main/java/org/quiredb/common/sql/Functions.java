package org.quiredb.common.sql;

import java.util.Locale;
import java.util.Set;

/// The functions that a replica's SQL front-end and MySQL compute alike, NULLs, types and rounding
/// included.
///
/// Not among them for a reason: avg and `/` (scale of the result), length (bytes or characters),
/// concat (NULL), substring (positions below 1), now (the session's time zone), `||` (a logical or
/// in MySQL).
public final class Functions {
    private static final Set<String> SAME_EVERYWHERE =
            Set.of(
                    "COUNT",
                    "SUM",
                    "MIN",
                    "MAX",
                    "COALESCE",
                    "IFNULL",
                    "NULLIF",
                    "LOWER",
                    "UPPER",
                    "LCASE",
                    "UCASE",
                    "CHAR_LENGTH",
                    "CHARACTER_LENGTH",
                    "ABS",
                    "EXISTS");

    private Functions() {}

    public static boolean sameEverywhere(String name) {
        return SAME_EVERYWHERE.contains(name.toUpperCase(Locale.ROOT));
    }
}
