package org.quiredb.logger.snapshot;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Column defaults as SQL expressions. MariaDB's information_schema shows them so; MySQL's shows
/// strings without quotes and tells expressions apart in another column.
final class DefaultExpressions {
    private static final Set<String> NUMBERS =
            Set.of(
                    "tinyint",
                    "smallint",
                    "mediumint",
                    "int",
                    "bigint",
                    "decimal",
                    "float",
                    "double",
                    "bit",
                    "year");

    private DefaultExpressions() {}

    static @Nullable String ofMariaDb(@Nullable String shown) {
        if (shown == null || shown.equals("NULL")) {
            return null;
        }
        return lowerNow(shown);
    }

    /// @param extra information_schema.COLUMNS.EXTRA
    static @Nullable String ofMySql(@Nullable String shown, String dataType, String extra) {
        if (shown == null) {
            return null;
        }
        if (extra.contains("DEFAULT_GENERATED")) {
            return lowerNow(unescape(shown));
        }
        return NUMBERS.contains(dataType.toLowerCase(Locale.ROOT)) ? shown : Quoting.string(shown);
    }

    /// MySQL shows expressions with their quotes escaped and each string behind its character set.
    static String unescape(String expression) {
        return expression.replace("\\'", "'").replaceAll("_(utf8mb4|utf8mb3|latin1)'", "'");
    }

    private static String lowerNow(String expression) {
        String upper = expression.toUpperCase(Locale.ROOT);
        if (!upper.startsWith("CURRENT_TIMESTAMP")) {
            return expression;
        }
        return upper.equals("CURRENT_TIMESTAMP")
                ? "current_timestamp()"
                : expression.toLowerCase(Locale.ROOT);
    }
}
