package org.quiredb.scheduler.classify;

import java.util.Optional;
import java.util.Set;
import org.quiredb.sql.text.Tokens;

/// The log's database, in which no client has anything to look for, in statements that a backend
/// runs: it is found by its name, whatever statement that is in.
public final class LogDatabase {
    private static final String NAME = "quire";
    private static final Set<String> BEFORE_A_DATABASE =
            Set.of("FROM", "IN", "DATABASE", "SCHEMA", "USE", "EXISTS");

    private LogDatabase() {}

    /// What a statement names of it: a table, or nothing for the database itself, and where the
    /// text alone does not tell.
    public static Optional<String> namedBy(Tokens tokens) {
        if (tokens.dependsOnVersion()) {
            return mayBeNamed(tokens.text()) ? Optional.of("") : Optional.empty();
        }
        for (int i = 0; i < tokens.size(); i++) {
            if (!tokens.name(i).equalsIgnoreCase(NAME)) {
                continue;
            }
            if (tokens.is(i + 1, '.') && i + 2 < tokens.size()) {
                return Optional.of(tokens.name(i + 2));
            }
            if (BEFORE_A_DATABASE.contains(tokens.upper(i - 1))) {
                return Optional.of("");
            }
        }
        return Optional.empty();
    }

    /// Whether the name stands anywhere; a version's digits may come right before it.
    private static boolean mayBeNamed(String text) {
        for (int i = 0; i + NAME.length() <= text.length(); i++) {
            int end = i + NAME.length();
            if (text.regionMatches(true, i, NAME, 0, NAME.length())
                    && (i == 0 || !isLetter(text.charAt(i - 1)))
                    && (end == text.length()
                            || !(isLetter(text.charAt(end)) || Character.isDigit(text.charAt(end))))
                    && !isAccount(text, end)) {
                return true;
            }
        }
        return false;
    }

    /// Whether a host follows, as of a definer.
    private static boolean isAccount(String text, int end) {
        int at = end < text.length() && "`'\"".indexOf(text.charAt(end)) >= 0 ? end + 1 : end;
        return at < text.length() && text.charAt(at) == '@';
    }

    private static boolean isLetter(char c) {
        return Character.isLetter(c) || c == '_' || c == '$';
    }
}
