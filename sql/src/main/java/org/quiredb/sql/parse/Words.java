package org.quiredb.sql.parse;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.quiredb.sql.text.Token;

/// Makes sure that no word of a text is passed over: each is a name in the tree, or one of the
/// keywords that the tree's nodes stand for.
final class Words {
    private static final Set<String> KEYWORDS =
            Set.of(
                    ("SELECT ALL DISTINCT DISTINCTROW FROM WHERE GROUP BY HAVING ORDER ASC DESC LIMIT OFFSET UNION"
                                    + " JOIN INNER CROSS LEFT RIGHT OUTER STRAIGHT_JOIN ON USING AS FOR UPDATE SHARE"
                                    + " AND OR NOT IS NULL TRUE FALSE UNKNOWN BETWEEN IN EXISTS LIKE REGEXP RLIKE ESCAPE ANY SOME"
                                    + " CASE WHEN THEN ELSE END INTERVAL DIV MOD ROW"
                                    + " INSERT REPLACE INTO VALUES VALUE SET DELETE DUPLICATE KEY DEFAULT IGNORE"
                                    + " SQL_NO_CACHE LOW_PRIORITY HIGH_PRIORITY QUICK")
                            .split(" ", -1));
    private static final String SYMBOLS = "(),.*+-/%=<>&|^~";
    private static final Set<String> COMPARISONS =
            Set.of("", "=", "<", ">", "<=", ">=", "<>", "<=>", "!=", "<<", ">>");

    private final Set<String> names = new HashSet<>();

    /// A name, function or unit that a node of the tree stands for.
    void name(String name) {
        names.add(name.toLowerCase(Locale.ROOT));
    }

    /// @throws LeftOut for one that no node stands for
    void accountFor(List<Token> tokens) {
        for (int i = 0; i < tokens.size(); i++) {
            switch (tokens.get(i)) {
                case Token.Word(String text, boolean s) -> {
                    if (!KEYWORDS.contains(text.toUpperCase(Locale.ROOT))
                            && !names.contains(text.toLowerCase(Locale.ROOT))) {
                        throw new LeftOut(text.toUpperCase(Locale.ROOT));
                    }
                }
                case Token.Quoted(String text, boolean s) -> {
                    if (!names.contains(Names.plain(text).toLowerCase(Locale.ROOT))) {
                        throw new LeftOut("the name " + text);
                    }
                }
                case Token.Symbol(char c, boolean s) -> {
                    boolean unequal = c == '!' && symbol(tokens, i + 1, '=');
                    boolean logical = (c == '&' || c == '|') && symbol(tokens, i + 1, c);
                    if (logical || (SYMBOLS.indexOf(c) < 0 && !unequal)) {
                        throw new LeftOut("the symbol " + c);
                    }
                }
                case Token.VersionComment comment ->
                        throw new LeftOut("a comment for servers of a version");
                case Token.Constant constant -> {}
                case Token.Marker marker -> {}
            }
        }
    }

    /// @throws LeftOut for what the parser takes and MySQL does not
    static void requireGrammar(List<Token> tokens) {
        requireComparisons(tokens);
        requireEnds(tokens);
    }

    /// Signs of comparison that stand together are one operator to MySQL, or a mistake; the parser
    /// takes `a == b` and `a < = b`.
    private static void requireComparisons(List<Token> tokens) {
        StringBuilder run = new StringBuilder();
        for (int i = 0; i <= tokens.size(); i++) {
            boolean unequal = symbol(tokens, i, '!') && symbol(tokens, i + 1, '=');
            boolean sign =
                    unequal
                            || symbol(tokens, i, '=')
                            || symbol(tokens, i, '<')
                            || symbol(tokens, i, '>');
            if (sign && (run.isEmpty() || !tokens.get(i).spaced())) {
                run.append(((Token.Symbol) tokens.get(i)).character());
            } else if (sign || !COMPARISONS.contains(run.toString())) {
                throw LeftOut.wrong("the operator " + run);
            } else {
                run.setLength(0);
            }
        }
    }

    /// ORDER BY and LIMIT end a query: of UNION, one that has them stands in parentheses.
    private static void requireEnds(List<Token> tokens) {
        Deque<Boolean> ended = new ArrayDeque<>(List.of(false));
        for (int i = 0; i < tokens.size(); i++) {
            if (symbol(tokens, i, '(')) {
                ended.push(false);
            } else if (symbol(tokens, i, ')') && ended.size() > 1) {
                ended.pop();
            } else if (tokens.get(i) instanceof Token.Word word && !symbol(tokens, i - 1, '.')) {
                if (word.is("ORDER") || word.is("LIMIT")) {
                    ended.pop();
                    ended.push(true);
                } else if (word.is("UNION") && ended.getFirst()) {
                    throw LeftOut.wrong("UNION after ORDER BY or LIMIT");
                }
            }
        }
    }

    /// ON, but for that of ON DUPLICATE KEY UPDATE.
    static int joinConditions(List<Token> tokens) {
        int count = 0;
        for (int i = 0; i < tokens.size(); i++) {
            boolean on = tokens.get(i) instanceof Token.Word word && word.is("ON");
            boolean duplicate =
                    i + 1 < tokens.size()
                            && tokens.get(i + 1) instanceof Token.Word next
                            && next.is("DUPLICATE");
            count += on && !duplicate ? 1 : 0;
        }
        return count;
    }

    private static boolean symbol(List<Token> tokens, int i, char character) {
        return i >= 0
                && i < tokens.size()
                && tokens.get(i) instanceof Token.Symbol(char c, boolean s)
                && c == character;
    }
}
