package org.quiredb.replica.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.quiredb.common.sql.Functions;
import org.quiredb.common.sql.NormalizedSql;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.sql.Token;

/// Puts our own functions where H2's functions and operators of the same name mean something else.
///
/// A function that is neither the same in both nor one of ours is refused.
///
/// Longer than most: each rewriting moves the tokens that the next one looks at, so they share the
/// list and the ways to find a term's ends in it; a third is the names themselves.
///
/// Threads: one.
final class FunctionText {
    private static final Set<String> NOW =
            Set.of(
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

    /// Names of ours that are not QUIRE_ and MySQL's.
    private static final Map<String, String> NAMED_OTHERWISE =
            Map.ofEntries(
                    Map.entry("SUBSTR", "SUBSTRING"),
                    Map.entry("MID", "SUBSTRING"),
                    Map.entry("LCASE", "LOWER"),
                    Map.entry("UCASE", "UPPER"),
                    Map.entry("CHARACTER_LENGTH", "CHAR_LENGTH"),
                    Map.entry("OCTET_LENGTH", "LENGTH"),
                    Map.entry("SHA", "SHA1"),
                    Map.entry("CEIL", "CEILING"),
                    Map.entry("DAYOFMONTH", "DAY"),
                    Map.entry("DAYOFWEEK", "DAY_OF_WEEK"),
                    Map.entry("DAYOFYEAR", "DAY_OF_YEAR"),
                    Map.entry("ADDDATE", "DATE_ADD"),
                    Map.entry("SUBDATE", "DATE_SUB"));

    private static final Set<String> OURS =
            Set.of(
                    "CONCAT CONCAT_WS SUBSTRING LEFT RIGHT LOWER UPPER TRIM LTRIM RTRIM REPLACE LPAD RPAD REPEAT REVERSE INSTR LOCATE SUBSTRING_INDEX CHAR_LENGTH LENGTH ASCII HEX UNHEX MD5 SHA1 SHA2 CRC32 FIND_IN_SET FIELD ELT SPACE INET_ATON FLOOR CEILING ROUND TRUNCATE MOD SIGN DATE YEAR MONTH DAY HOUR MINUTE SECOND DAY_OF_WEEK WEEKDAY DAY_OF_YEAR QUARTER LAST_DAY TO_DAYS DATEDIFF UNIX_TIMESTAMP FROM_UNIXTIME DATE_FORMAT GREATEST LEAST RAND UUID"
                            .split(" ", -1));

    /// Between an argument and the next in the words of standard SQL.
    private static final Set<String> ARGUMENT_WORDS =
            Set.of("FROM", "FOR", "BOTH", "LEADING", "TRAILING", "IN", "USING");

    private static final Set<String> OTHERWISE =
            Set.of(
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
                    "SOUNDS",
                    "ESCAPE",
                    "PARTITION");

    /// Of these what is compared is compared without case where the statement's tables have no
    /// other text.
    private static final Set<String> TEXTS =
            Set.of(
                    "CONCAT CONCAT_WS SUBSTRING LEFT RIGHT LOWER UPPER TRIM LTRIM RTRIM REPLACE LPAD RPAD REPEAT REVERSE SUBSTRING_INDEX ELT SPACE"
                            .split(" ", -1));

    private static final String FUNCTION = "PUBLIC." + Declarations.PREFIX;
    private static final String CAST = "CAST";
    private static final Set<String> CHANCE = Set.of("RAND", "UUID");

    private final List<Token> tokens;
    private final boolean folds;

    private FunctionText(List<Token> tokens, boolean folds) {
        this.tokens = new ArrayList<>(tokens);
        this.folds = folds;
    }

    /// @param folds all text of the statement's tables compares without case, and so does what is
    ///   made of it
    static FunctionText of(List<Token> tokens, boolean folds) {
        FunctionText text = new FunctionText(tokens, folds);
        text.refuseOtherMeanings();
        text.labels();
        text.equalities();
        text.intervals();
        text.functions();
        text.divisions();
        return text;
    }

    List<Token> tokens() {
        return tokens;
    }

    /// Whether it computes another value each time.
    boolean byChance() {
        return tokens.stream()
                .anyMatch(t ->
                        t instanceof Token.Word w
                                && CHANCE.stream().anyMatch(c -> w.is(FUNCTION + c)));
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

    /// What the outermost query shows is named after its text, which is about to change.
    private void labels() {
        if (!word(0, "SELECT")) {
            return;
        }
        int start = word(1, "DISTINCT") ? 2 : 1;
        int depth = 0;
        for (int i = start; i <= tokens.size(); i++) {
            depth += symbol(i, '(') ? 1 : symbol(i, ')') ? -1 : 0;
            boolean end = i == tokens.size() || (depth == 0 && word(i, "FROM"));
            if (end || (depth == 0 && symbol(i, ','))) {
                int more = label(start, i);
                start = i + 1 + more;
                i += more;
            }
            if (end) {
                return;
            }
        }
    }

    /// @return how many tokens were added
    private int label(int from, int to) {
        List<Token> item = tokens.subList(from, to);
        boolean computed = false;
        int depth = 0;
        for (int i = from; i < to; i++) {
            computed |= symbol(i, '(') || symbol(i, '/') || symbol(i, '%') || word(i, "DIV");
            depth += symbol(i, '(') ? 1 : symbol(i, ')') ? -1 : 0;
            if (depth == 0 && word(i, "AS")) {
                return 0;
            }
        }
        boolean named =
                to - from > 1
                        && !word(to - 1, "END")
                        && !(tokens.get(to - 1) instanceof Token.Symbol)
                        && (symbol(to - 2, ')') || !(tokens.get(to - 2) instanceof Token.Symbol));
        if (!computed || named) {
            return 0;
        }
        String label = NormalizedSql.text(item).strip();
        tokens.addAll(
                to,
                List.of(
                        new Token.Word("AS", true),
                        new Token.Quoted("`" + label.replace("`", "``") + "`", true)));
        return 2;
    }

    /// `a <=> b`, which is true of two NULLs.
    private void equalities() {
        for (int i = 0; i + 2 < tokens.size(); i++) {
            if (symbol(i, '<') && symbol(i + 1, '=') && symbol(i + 2, '>')) {
                replace(i, i + 3, List.of(TokenText.word("IS NOT DISTINCT FROM")));
                tokens.set(i + 1, TokenText.spaced(tokens.get(i + 1)));
            }
        }
    }

    /// `moment + INTERVAL n unit`, as an operator and as an argument.
    private void intervals() {
        for (int i = 0; i < tokens.size(); i++) {
            if (!word(i, "INTERVAL")) {
                continue;
            }
            int unit = factorEnd(i + 1);
            boolean minus = symbol(i - 1, '-');
            if (symbol(i - 1, ',')) {
                int call = opened(i - 1) - 1;
                minus = word(call, "DATE_SUB") || word(call, "SUBDATE");
                if (!minus && !word(call, "DATE_ADD") && !word(call, "ADDDATE")) {
                    throw Errors.unsupported("INTERVAL");
                }
                added(call, unit + 2, call + 2, i - 1, minus, i + 1, unit);
                i = call;
            } else if (minus || symbol(i - 1, '+')) {
                int from = factorStart(i - 2);
                added(from, unit + 1, from, i - 1, minus, i + 1, unit);
                i = from;
            } else {
                throw Errors.unsupported("INTERVAL");
            }
        }
    }

    private void added(
            int from, int to, int moment, int endOfMoment, boolean minus, int amount, int unit) {
        if (!(unit < tokens.size() && tokens.get(unit) instanceof Token.Word name)
                || name.text().contains("_")) {
            throw Errors.unsupported("such an INTERVAL");
        }
        List<Token> call = new ArrayList<>();
        boolean compared = false;
        for (int i = 0; i < from; i++) {
            compared |= word(i, "WHERE") || word(i, "HAVING") || word(i, "WHEN");
            compared |= word(i, "ON") && !word(i + 1, "DUPLICATE");
        }
        call.add(new Token.Word(FUNCTION + (compared ? "MOVED" : "DATE_ADD"), true));
        call.add(new Token.Symbol('(', false));
        call.addAll(tokens.subList(moment, endOfMoment));
        call.add(new Token.Symbol(',', false));
        if (minus) {
            call.add(new Token.Symbol('-', true));
        }
        call.add(new Token.Symbol('(', false));
        call.addAll(tokens.subList(amount, unit));
        call.add(new Token.Symbol(')', false));
        call.add(new Token.Symbol(',', false));
        String text = "'" + name.text() + "'";
        call.add(new Token.Constant(SqlValue.of(name.text()), text, false));
        call.add(new Token.Symbol(')', false));
        replace(from, to, call);
    }

    /// Where the parenthesis opens that is around this place.
    private int opened(int at) {
        int depth = 0;
        for (int i = at; i >= 0; i--) {
            depth += symbol(i, ')') ? 1 : symbol(i, '(') ? -1 : 0;
            if (depth < 0) {
                return i;
            }
        }
        throw Errors.unsupported("unbalanced parentheses");
    }

    private void functions() {
        boolean insert =
                tokens.getFirst() instanceof Token.Word w
                        && !symbol(1, '(')
                        && (w.is("INSERT") || w.is("REPLACE"));
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
            if (!NO_FUNCTIONS.contains(name) && !symbol(i - 1, '.')) {
                function(i, NAMED_OTHERWISE.getOrDefault(name, name), word);
            }
        }
    }

    private void function(int i, String name, Token.Word word) {
        if (OURS.contains(name)) {
            refuseArgumentWords(i + 1);
            if (CHANCE.contains(name) && !symbol(i + 2, ')')) {
                throw Errors.unsupported(name + " of a value");
            }
            if (name.equals("UNIX_TIMESTAMP") && symbol(i + 2, ')')) {
                tokens.addAll(i + 2, now("0"));
            }
            tokens.set(i, new Token.Word(FUNCTION + name, word.spaced()));
            if (folds && TEXTS.contains(name)) {
                tokens.addAll(
                        closing(i + 1) + 1,
                        List.of(
                                TokenText.word("AS VARCHAR_IGNORECASE"),
                                new Token.Symbol(')', false)));
                tokens.add(i, new Token.Symbol('(', false));
                tokens.add(i, new Token.Word(CAST, true));
            }
        } else if (NOW.contains(name)) {
            now(i, name.endsWith("DATE"));
        } else if (name.equals("AVG")) {
            average(i);
        } else if (name.equals("IF")) {
            condition(i);
        } else if (!Functions.sameEverywhere(name) && !name.startsWith(FUNCTION)) {
            throw Errors.unsupported(word.text());
        }
    }

    private void now(int at, boolean date) {
        int end = closing(at + 1);
        String digits = end == at + 2 ? "0" : NormalizedSql.text(tokens.subList(at + 2, end));
        List<Token> now = new ArrayList<>(now(digits));
        if (date) {
            now.addFirst(new Token.Symbol('(', false));
            now.addFirst(new Token.Word(FUNCTION + "DATE", true));
            now.addLast(new Token.Symbol(')', false));
        }
        replace(at, end + 1, now);
    }

    private static List<Token> now(String digits) {
        return List.of(
                new Token.Word(FUNCTION + "NOW", true),
                new Token.Symbol('(', false),
                new Token.Word(digits.strip(), false),
                new Token.Symbol(')', false));
    }

    private void condition(int at) {
        int end = closing(at + 1);
        List<Integer> commas = new ArrayList<>();
        int depth = 0;
        for (int i = at + 2; i < end; i++) {
            depth += symbol(i, '(') ? 1 : symbol(i, ')') ? -1 : 0;
            if (depth == 0 && symbol(i, ',')) {
                commas.add(i);
            }
        }
        if (commas.size() != 2) {
            throw Errors.unsupported("IF");
        }
        tokens.set(end, new Token.Word("END", true));
        tokens.add(end + 1, new Token.Symbol(')', false));
        tokens.set(commas.get(1), new Token.Word("ELSE", true));
        tokens.set(commas.get(0), new Token.Word("THEN", true));
        tokens.set(at + 1, new Token.Word("WHEN", true));
        tokens.set(at, new Token.Word("CASE", true));
        tokens.add(at, new Token.Symbol('(', true));
        tokens.set(at + 3, TokenText.spaced(tokens.get(at + 3)));
    }

    private void refuseArgumentWords(int opening) {
        int depth = 0;
        for (int i = opening; i < closing(opening); i++) {
            depth += symbol(i, '(') ? 1 : symbol(i, ')') ? -1 : 0;
            if (depth == 1
                    && tokens.get(i) instanceof Token.Word word
                    && ARGUMENT_WORDS.contains(word.text().toUpperCase(Locale.ROOT))) {
                throw Errors.unsupported(word.text() + " in the arguments of a function");
            }
        }
    }

    /// The sum by the count, in MySQL's scale.
    private void average(int at) {
        int end = closing(at + 1);
        List<Token> argument = List.copyOf(tokens.subList(at + 1, end + 1));
        if (argument.stream().anyMatch(t -> t instanceof Token.Marker || TokenText.isMarker(t))) {
            throw Errors.unsupported("AVG of a parameter");
        }
        List<Token> sum = new ArrayList<>(argument);
        sum.addFirst(new Token.Word("SUM", false));
        List<Token> count = new ArrayList<>(argument);
        count.addFirst(new Token.Word("COUNT", true));
        quotient(at, end + 1, sum, count);
    }

    private void divisions() {
        for (int i = 1; i < tokens.size(); i++) {
            boolean shared = symbol(i, '/');
            String ours =
                    symbol(i, '%') || operator(i, "MOD") ? "MOD" : operator(i, "DIV") ? "DIV" : "";
            if (!shared && ours.isEmpty()) {
                continue;
            }
            int from = termStart(i - 1);
            int to = factorEnd(i + 1);
            List<Token> dividend = List.copyOf(tokens.subList(from, i));
            List<Token> divisor = List.copyOf(tokens.subList(i + 1, to));
            if (shared) {
                quotient(from, to, dividend, divisor);
            } else {
                replace(from, to, call(ours, dividend, divisor));
            }
            i = from;
        }
    }

    /// A word between two operands, and not a function's name.
    private boolean operator(int i, String name) {
        return word(i, name)
                && !symbol(i - 1, ',')
                && (symbol(i - 1, ')') || !(tokens.get(i - 1) instanceof Token.Symbol))
                && !(tokens.get(i - 1) instanceof Token.Word before
                        && NO_FUNCTIONS.contains(before.text().toUpperCase(Locale.ROOT)));
    }

    /// A quotient that a query shows is rounded, one that is computed with is not.
    private void quotient(int from, int to, List<Token> dividend, List<Token> divisor) {
        boolean shown = shownAt(from);
        if (shown && !(endsItem(to) && beginsItem(from))) {
            throw Errors.unsupported("an expression with /");
        }
        replace(from, to, call(shown ? "SHOWN_QUOTIENT" : "DIVIDE", dividend, divisor));
    }

    private static List<Token> call(String name, List<Token> first, List<Token> second) {
        List<Token> call = new ArrayList<>();
        call.add(new Token.Word(FUNCTION + name, true));
        call.add(new Token.Symbol('(', false));
        call.addAll(first);
        call.add(new Token.Symbol(',', false));
        call.addAll(second);
        call.add(new Token.Symbol(')', false));
        return call;
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
        return i >= 0 && i < tokens.size() && tokens.get(i) instanceof Token.Word w && w.is(word);
    }

    private boolean symbol(int i, char character) {
        return i >= 0
                && i < tokens.size()
                && tokens.get(i) instanceof Token.Symbol symbol
                && symbol.character() == character;
    }
}
