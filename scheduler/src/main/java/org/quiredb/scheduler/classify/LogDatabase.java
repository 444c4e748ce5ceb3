package org.quiredb.scheduler.classify;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// The log's database, in which no client has anything to look for, in statements that a backend
/// runs: it is found by the text, whatever statement that is of.
public final class LogDatabase {
    private static final String NAME = "quire";
    private static final Pattern NAMED =
            Pattern.compile("\\b" + NAME + "\\b", Pattern.CASE_INSENSITIVE);
    private static final Set<String> BEFORE_A_DATABASE =
            Set.of("FROM", "IN", "DATABASE", "SCHEMA", "USE", "EXISTS");

    private LogDatabase() {}

    /// What a statement names of it: a table, or nothing for the database itself, and where the
    /// text alone does not tell.
    public static Optional<String> namedBy(String sql) {
        if (!NAMED.matcher(sql).find()) {
            return Optional.empty();
        }
        if (Tokens.dependsOnVersion(sql)) {
            return Optional.of("");
        }
        List<Token> tokens = Tokens.of(sql);
        for (int i = 0; i < tokens.size(); i++) {
            if (!tokens.get(i).isName() || !tokens.get(i).text().equalsIgnoreCase(NAME)) {
                continue;
            }
            if (i + 2 < tokens.size() && tokens.get(i + 1).is(".")) {
                return Optional.of(tokens.get(i + 2).text());
            }
            if (i > 0 && BEFORE_A_DATABASE.contains(tokens.get(i - 1).upper())) {
                return Optional.of("");
            }
        }
        return Optional.empty();
    }
}
