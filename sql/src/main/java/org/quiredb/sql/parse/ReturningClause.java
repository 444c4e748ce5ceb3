package org.quiredb.sql.parse;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.Query;

/// The end of an INSERT, REPLACE or DELETE that shows columns of its rows, which Druid's parser
/// does not know: `RETURNING *`, or columns, each with AS or without.
///
/// The word is a name to MySQL. What stands behind it here follows a name in no statement of MySQL.
///
/// @param before the statement without it
/// @param items none where it is not there, or says more than this ({@link #before})
record ReturningClause(List<Token> before, List<Query.Item> items) {
    /// ORDER BY a name that MySQL does not reserve.
    private static final Set<String> ORDER = Set.of("ASC", "DESC");

    static ReturningClause of(List<Token> tokens) {
        if (!mayShow(tokens)) {
            return new ReturningClause(tokens, List.of());
        }
        for (int i = tokens.size() - 2; i > 0; i--) {
            if (word(tokens, i, "RETURNING")) {
                List<Query.Item> items = new ArrayList<>();
                return items(tokens, i + 1, items)
                        ? new ReturningClause(tokens.subList(0, i), items)
                        : new ReturningClause(tokens, List.of());
            }
        }
        return new ReturningClause(tokens, List.of());
    }

    private static boolean mayShow(List<Token> tokens) {
        return word(tokens, 0, "INSERT") || word(tokens, 0, "REPLACE") || word(tokens, 0, "DELETE");
    }

    /// What stands before the word, whatever follows it; empty where it is not there. Of a text
    /// that the parser does not take as a whole.
    static List<Token> before(List<Token> tokens) {
        int depth = 0;
        for (int i = tokens.size() - 1; mayShow(tokens) && i > 0; i--) {
            depth += symbol(tokens, i, ')') ? 1 : symbol(tokens, i, '(') ? -1 : 0;
            boolean named = symbol(tokens, i - 1, '.') || i == tokens.size() - 1;
            if (depth == 0 && !named && word(tokens, i, "RETURNING")) {
                return tokens.subList(0, i);
            }
        }
        return List.of();
    }

    /// @return whether the tokens are such a list to their end
    private static boolean items(List<Token> tokens, int start, List<Query.Item> items) {
        int at = start;
        while (true) {
            if (symbol(tokens, at, '*')) {
                items.add(new Query.Everything("", ""));
                at++;
            } else {
                at = column(tokens, at, items);
            }
            if (at < 0 || at == tokens.size()) {
                return at > 0;
            }
            if (!symbol(tokens, at, ',')) {
                return false;
            }
            at++;
        }
    }

    /// @return where it ends, below 0 where there is none
    private static int column(List<Token> tokens, int start, List<Query.Item> items) {
        List<String> names = new ArrayList<>();
        int at = start;
        String name = name(tokens, at);
        while (name != null) {
            names.addFirst(name);
            at++;
            name = symbol(tokens, at, '.') ? name(tokens, at + 1) : null;
            at += name == null ? 0 : 1;
        }
        if (names.isEmpty() || names.size() > 3) {
            return -1;
        }
        String alias = word(tokens, at, "AS") ? name(tokens, at + 1) : "";
        if (alias == null) {
            return -1;
        }
        items.add(
                new Query.Shown(
                        new Expression.Column(
                                names.size() > 2 ? names.get(2) : "",
                                names.size() > 1 ? names.get(1) : "",
                                names.getFirst()),
                        alias,
                        names.getFirst()));
        return alias.isEmpty() ? at : at + 2;
    }

    private static @Nullable String name(List<Token> tokens, int i) {
        if (i >= tokens.size()) {
            return null;
        }
        return switch (tokens.get(i)) {
            case Token.Word word ->
                    ORDER.contains(word.text().toUpperCase(Locale.ROOT)) ? null : word.text();
            case Token.Quoted(String text, boolean _) -> Names.plain(text);
            default -> null;
        };
    }

    private static boolean word(List<Token> tokens, int i, String word) {
        return i < tokens.size() && tokens.get(i) instanceof Token.Word w && w.is(word);
    }

    private static boolean symbol(List<Token> tokens, int i, char character) {
        return i < tokens.size()
                && tokens.get(i) instanceof Token.Symbol(char c, boolean _)
                && c == character;
    }
}
