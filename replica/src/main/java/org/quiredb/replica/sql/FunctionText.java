package org.quiredb.replica.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.quiredb.common.sql.NormalizedSql;
import org.quiredb.common.sql.Token;

/// Puts our own functions where H2's functions and operators of the same name mean something else.
///
/// A function that is neither the same in both nor one of {@link MySqlFunctions} is refused.
///
/// Threads: one.
final class FunctionText {
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
                    "EXISTS",
                    "NOW",
                    "CURRENT_TIMESTAMP",
                    "LOCALTIME",
                    "LOCALTIMESTAMP",
                    "CURDATE",
                    "CURRENT_DATE");
    private static final Set<String> NO_FUNCTIONS =
            Set.of(
                    "IN",
                    "VALUES",
                    "VALUE",
                    "AND",
                    "OR",
                    "NOT",
                    "ON",
                    "WHERE",
                    "SET",
                    "SELECT",
                    "BETWEEN",
                    "WHEN",
                    "THEN",
                    "ELSE",
                    "CASE",
                    "UNION",
                    "ALL",
                    "ANY",
                    "SOME",
                    "FROM",
                    "JOIN",
                    "AS",
                    "KEY",
                    "LIKE",
                    "IS",
                    "BY",
                    "HAVING",
                    "USING",
                    "DISTINCT",
                    "LIMIT");
    private static final Map<String, String> OURS =
            Map.of(
                    "CONCAT", "PUBLIC.QUIRE_CONCAT",
                    "RAND", "PUBLIC.QUIRE_RAND",
                    "UUID", "PUBLIC.QUIRE_UUID",
                    "LENGTH", "PUBLIC.QUIRE_LENGTH",
                    "OCTET_LENGTH", "PUBLIC.QUIRE_LENGTH");
    private static final Set<String> OTHERWISE =
            Set.of(
                    "DIV",
                    "MOD",
                    "XOR",
                    "REGEXP",
                    "RLIKE",
                    "MATCH",
                    "CURRENT_USER",
                    "PROCEDURE",
                    "SQL_CALC_FOUND_ROWS",
                    "INFORMATION_SCHEMA",
                    "PERFORMANCE_SCHEMA",
                    "RETURNING",
                    "BINARY",
                    "COLLATE",
                    "OVER",
                    "INTERVAL",
                    "SOUNDS",
                    "ESCAPE",
                    "PARTITION");
    private static final Set<String> CHANCE = Set.of("RAND", "UUID");

    private final List<Token> tokens;
    private boolean undetermined;

    private FunctionText(List<Token> tokens) {
        this.tokens = new ArrayList<>(tokens);
    }

    static FunctionText of(List<Token> tokens) {
        FunctionText text = new FunctionText(tokens);
        text.refuseOtherMeanings();
        text.functions();
        text.divisions();
        return text;
    }

    List<Token> tokens() {
        return tokens;
    }

    /// Whether a backend could compute something else.
    boolean undetermined() {
        return undetermined;
    }

    private void refuseOtherMeanings() {
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            boolean refused =
                    switch (token) {
                        case Token.Symbol(char c, boolean spaced) ->
                                "@&^~".indexOf(c) >= 0
                                        || (c == '|' && symbol(i + 1, '|'))
                                        || (c == ':' && symbol(i + 1, '='));
                        case Token.Word word ->
                                OTHERWISE.contains(word.text().toUpperCase(Locale.ROOT));
                        case Token.Quoted quoted -> false;
                        case Token.Constant constant -> false;
                        case Token.Marker marker -> false;
                    };
            if (refused) {
                throw Errors.unsupported(NormalizedSql.text(List.of(token)));
            }
        }
    }

    private void functions() {
        boolean insert =
                tokens.getFirst() instanceof Token.Word w && (w.is("INSERT") || w.is("REPLACE"));
        for (int i = 0; i + 1 < tokens.size(); i++) {
            insert &= !word(i, "SELECT") && !word(i, "SET");
            if (!symbol(i + 1, '(') || !(tokens.get(i) instanceof Token.Word word)) {
                continue;
            }
            String name = word.text().toUpperCase(Locale.ROOT);
            if (insert && !NO_FUNCTIONS.contains(name)) {
                insert = false; // the table, before its columns
                continue;
            }
            insert &= !name.startsWith("VALUE");
            if (OURS.containsKey(name)) {
                if (shownAt(i)) {
                    throw Errors.unsupported(word.text());
                }
                tokens.set(i, new Token.Word(OURS.get(name), word.spaced()));
                undetermined = true;
                if (CHANCE.contains(name) && !symbol(i + 2, ')')) {
                    throw Errors.unsupported(name + " of a value");
                }
            } else if (name.equals("AVG")) {
                average(i);
            } else if (!SAME_EVERYWHERE.contains(name) && !NO_FUNCTIONS.contains(name)) {
                throw Errors.unsupported(word.text());
            }
        }
    }

    /// The sum by the count, in MySQL's scale.
    private void average(int at) {
        int end = closing(at + 1);
        List<Token> argument = List.copyOf(tokens.subList(at + 1, end + 1));
        if (argument.stream().anyMatch(Token.Marker.class::isInstance)) {
            throw Errors.unsupported("AVG of a parameter");
        }
        List<Token> sum = new ArrayList<>(argument);
        sum.addFirst(new Token.Word("SUM", false));
        List<Token> count = new ArrayList<>(argument);
        count.addFirst(new Token.Word("COUNT", true));
        quotient(at, end + 1, sum, count);
    }

    private void divisions() {
        for (int i = 0; i < tokens.size(); i++) {
            if (symbol(i, '/')) {
                int from = termStart(i - 1);
                int to = factorEnd(i + 1);
                quotient(
                        from,
                        to,
                        List.copyOf(tokens.subList(from, i)),
                        List.copyOf(tokens.subList(i + 1, to)));
                i = from;
            }
        }
    }

    /// A quotient that a query shows is rounded, one that is computed with is not.
    private void quotient(int from, int to, List<Token> dividend, List<Token> divisor) {
        boolean shown = shownAt(from);
        if (shown && !(endsItem(to) && beginsItem(from))) {
            throw Errors.unsupported("an expression with /");
        }
        List<Token> quotient = new ArrayList<>();
        quotient.add(new Token.Word(shown ? "PUBLIC.QUIRE_SHOWN" : "PUBLIC.QUIRE_DIVIDE", true));
        quotient.add(new Token.Symbol('(', false));
        quotient.addAll(dividend);
        quotient.add(new Token.Symbol(',', false));
        quotient.addAll(divisor);
        quotient.add(new Token.Symbol(')', false));
        if (shown && !word(to, "AS")) {
            String label = NormalizedSql.text(tokens.subList(from, to));
            quotient.add(new Token.Word("AS", true));
            quotient.add(new Token.Quoted("`" + label.replace("`", "``") + "`", true));
        }
        replace(from, to, quotient);
        undetermined = true;
    }

    /// Whether the outermost query's list of columns is here.
    private boolean shownAt(int at) {
        int depth = 0;
        boolean list = false;
        for (int i = 0; i < at; i++) {
            depth += symbol(i, '(') ? 1 : symbol(i, ')') ? -1 : 0;
            if (depth == 0 && word(0, "SELECT")) {
                list = word(i, "SELECT") || (list && !word(i, "FROM"));
            }
        }
        return list;
    }

    private boolean beginsItem(int at) {
        return symbol(at - 1, ',') || word(at - 1, "SELECT") || word(at - 1, "DISTINCT");
    }

    private boolean endsItem(int end) {
        return end == tokens.size() || symbol(end, ',') || word(end, "FROM") || word(end, "AS");
    }

    /// Where the product begins that ends here.
    private int termStart(int end) {
        int start = factorStart(end);
        while (start > 1 && symbol(start - 1, '*')) {
            start = factorStart(start - 2);
        }
        return start;
    }

    private int factorStart(int end) {
        int start = end;
        if (symbol(end, ')')) {
            start = opening(end);
            if (start > 0
                    && tokens.get(start - 1) instanceof Token.Word word
                    && !NO_FUNCTIONS.contains(word.text().toUpperCase(Locale.ROOT))) {
                start--;
            }
        } else if (tokens.get(end) instanceof Token.Word word && word.is("END")) {
            throw Errors.unsupported("CASE before /");
        }
        while (start > 1 && symbol(start - 1, '.')) {
            start -= 2;
        }
        return start;
    }

    private int factorEnd(int start) {
        int at = start;
        while (symbol(at, '-') || symbol(at, '+')) {
            at++;
        }
        if (tokens.get(at) instanceof Token.Word word && word.is("CASE")) {
            throw Errors.unsupported("CASE after /");
        }
        if (symbol(at, '(')) {
            return closing(at) + 1;
        }
        at++;
        while (symbol(at, '.')) {
            at += 2;
        }
        return symbol(at, '(') ? closing(at) + 1 : at;
    }

    private int closing(int opening) {
        return partner(opening, 1, '(', ')');
    }

    private int opening(int closing) {
        return partner(closing, -1, ')', '(');
    }

    private int partner(int from, int step, char deeper, char back) {
        int depth = 0;
        for (int i = from; i >= 0 && i < tokens.size(); i += step) {
            depth += symbol(i, deeper) ? 1 : symbol(i, back) ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        throw Errors.unsupported("unbalanced parentheses");
    }

    private void replace(int from, int to, List<Token> by) {
        tokens.subList(from, to).clear();
        tokens.addAll(from, by);
    }

    private boolean word(int i, String word) {
        return i < tokens.size() && tokens.get(i) instanceof Token.Word w && w.is(word);
    }

    private boolean symbol(int i, char character) {
        return i >= 0
                && i < tokens.size()
                && tokens.get(i) instanceof Token.Symbol symbol
                && symbol.character() == character;
    }
}
