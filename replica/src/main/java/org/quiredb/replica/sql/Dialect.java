package org.quiredb.replica.sql;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.sql.NormalizedSql;

/// Where H2 would take a statement but not mean what MySQL means.
///
/// @param query whether it reads only
/// @param unsupported what of the text only MySQL runs as meant, null for nothing
/// @param ordered names of columns, in lower case, that may decide an order
record Dialect(boolean query, @Nullable String unsupported, Set<String> ordered) {
    /// In {@link #ordered} for `*`.
    static final String ALL_COLUMNS = "*";

    private static final String OUTSIDE_TEXT = "'(?:[^']|'')*'|`[^`]*`|\"[^\"]*\"";

    /// Division (H2 divides integers), `||`, sizes of averages, catalogues, sessions, and functions
    /// of other results.
    private static final Pattern OTHER_MEANING =
            Pattern.compile(
                    OUTSIDE_TEXT
                            + "|(?<other>/|\\|\\||&&|:=|@|\\b(?:avg|last_insert_id|rand|uuid|found_rows|row_count|database|schema"
                            + "|version|connection_id|current_user|session_user|system_user|user|group_concat|benchmark|sleep"
                            + "|get_lock|release_lock|std|stddev|variance|unix_timestamp|sysdate|date_format)\\s*\\("
                            + "|\\b(?:information_schema|performance_schema|mysql|sys)\\s*\\.|\\bcurrent_user\\b|\\bdiv\\b|\\bxor\\b"
                            + "|\\bregexp\\b|\\brlike\\b|\\bprocedure\\b|\\bsql_calc_found_rows\\b)",
                    Pattern.CASE_INSENSITIVE);

    private static final Pattern ORDERED =
            Pattern.compile(
                    "[<>]|\\b(?:order|group|distinct|union|between|min|max)\\b",
                    Pattern.CASE_INSENSITIVE);

    static Dialect of(String sql) {
        String start = sql.stripLeading().toLowerCase(Locale.ROOT);
        boolean query =
                start.startsWith("select") || start.startsWith("(") || start.startsWith("with");
        return new Dialect(query, unsupported(sql), ordered(sql));
    }

    private static Set<String> ordered(String sql) {
        return ORDERED.matcher(sql).find()
                ? OrderedColumns.of(NormalizedSql.tokens(sql))
                : Set.of();
    }

    private static @Nullable String unsupported(String sql) {
        Matcher matcher = OTHER_MEANING.matcher(sql);
        while (matcher.find()) {
            if (matcher.group("other") != null) {
                return matcher.group("other");
            }
        }
        return null;
    }
}
