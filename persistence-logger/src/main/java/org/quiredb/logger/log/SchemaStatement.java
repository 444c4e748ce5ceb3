package org.quiredb.logger.log;

import java.util.Locale;
import java.util.regex.Pattern;

/// What the texts of schema changes name.
public final class SchemaStatement {
    private static final Pattern REFERENCED =
            Pattern.compile(
                    "\\bREFERENCES\\s+(?:`[^`]*`|[\\w$]+)(?:\\s*\\.\\s*(?:`[^`]*`|[\\w$]+))?",
                    Pattern.CASE_INSENSITIVE);

    private static final Pattern KEYS =
            Pattern.compile("\\b(?:DISABLE|ENABLE)\\s+KEYS\\b", Pattern.CASE_INSENSITIVE);

    private SchemaStatement() {}

    /// Whether the text may be run again after it was carried out in part: what is gone stays gone.
    public static boolean drops(String sql) {
        return firstWord(sql).equals("DROP");
    }

    /// Whether rows may change of a table that the text names and whose definition stays the same.
    public static boolean movesRows(String sql, String table) {
        boolean creates = firstWord(sql).equals("CREATE") && !names(sql, "replace");
        boolean hints = KEYS.matcher(sql).find();
        return !creates && !hints && names(REFERENCED.matcher(sql).replaceAll(" "), table);
    }

    /// Whether the name stands in the text as a word of its own.
    public static boolean names(String sql, String name) {
        String word = "(?<![\\w$])" + Pattern.quote(name.toLowerCase(Locale.ROOT)) + "(?![\\w$])";
        return Pattern.compile(word).matcher(sql.toLowerCase(Locale.ROOT)).find();
    }

    private static String firstWord(String sql) {
        int from = skipBlanksAndComments(sql);
        int to = from;
        while (to < sql.length() && Character.isLetter(sql.charAt(to))) {
            to++;
        }
        return sql.substring(from, to).toUpperCase(Locale.ROOT);
    }

    private static int skipBlanksAndComments(String sql) {
        int at = 0;
        while (at < sql.length()) {
            if (Character.isWhitespace(sql.charAt(at))) {
                at++;
            } else if (sql.startsWith("/*!", at) || sql.startsWith("/*M!", at)) {
                at = sql.indexOf('!', at) + 1; // what follows is meant for the server
                while (at < sql.length() && Character.isDigit(sql.charAt(at))) {
                    at++;
                }
            } else if (sql.startsWith("/*", at)) {
                at = after(sql, "*/", at + 2);
            } else if (sql.startsWith("-- ", at) || sql.charAt(at) == '#') {
                at = after(sql, "\n", at);
            } else {
                break;
            }
        }
        return at;
    }

    private static int after(String sql, String end, int from) {
        int found = sql.indexOf(end, from);
        return found < 0 ? sql.length() : found + end.length();
    }
}
