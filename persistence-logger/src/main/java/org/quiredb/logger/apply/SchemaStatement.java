package org.quiredb.logger.apply;

import java.util.Locale;
import java.util.Set;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.LoggedStatement;

/// Tells schema changes, which commit implicitly, from queries.
public final class SchemaStatement {
    private static final Set<String> VERBS =
            Set.of("CREATE", "ALTER", "DROP", "TRUNCATE", "RENAME");

    private SchemaStatement() {}

    static boolean in(CommitRecord record) {
        return record.statements().stream().anyMatch(SchemaStatement::is);
    }

    private static boolean is(LoggedStatement statement) {
        return statement.affectedRows() < 0 && VERBS.contains(firstWord(statement.sql()));
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
            } else if (sql.startsWith("/*", at) && !sql.startsWith("/*!", at)) {
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
