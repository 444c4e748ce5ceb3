package org.quiredb.replica.sql;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.quiredb.common.sql.SqlValue.IntegerValue;
import org.quiredb.common.sql.Token;

/// The names in a statement by which rows may be ordered or grouped, by the text alone: too many
/// rather than too few.
///
/// Harmless is a name that is only shown, and one that is compared for equality.
final class OrderedColumns {
    private static final Set<String> DECIDES_BY_WHAT_IS_SHOWN = Set.of("DISTINCT", "UNION");
    private static final Set<String> EQUALITY = Set.of("IN", "IS", "NOT", "LIKE");

    private final List<Token> tokens;
    private final Set<String> names = new HashSet<>();

    private OrderedColumns(List<Token> tokens) {
        this.tokens = tokens;
    }

    static Set<String> of(List<Token> tokens) {
        OrderedColumns columns = new OrderedColumns(tokens);
        columns.collect();
        return Set.copyOf(columns.names);
    }

    private void collect() {
        boolean shownCounts = shownCounts();
        boolean shown = false;
        int depth = 0;
        int shownDepth = 0;
        for (int i = 0; i < tokens.size(); i++) {
            depth += symbol(i, '(') ? 1 : symbol(i, ')') ? -1 : 0;
            String word = word(i);
            if (word.equals("SELECT")) {
                shown = true;
                shownDepth = depth;
            } else if (word.equals("FROM") && depth == shownDepth) {
                shown = false;
            }
            boolean listed = shown && depth == shownDepth;
            boolean onlyShown = !shownCounts && ends(i + 1);
            boolean harmless = listed ? onlyShown : equality(i);
            if (!name(i).isEmpty() && !harmless) {
                names.add(name(i));
            }
            if (symbol(i, '*') && shownCounts) {
                names.add(Dialect.ALL_COLUMNS);
            }
        }
    }

    /// Rows are told apart by all they show, or ordered by a column's number.
    private boolean shownCounts() {
        for (int i = 0; i < tokens.size(); i++) {
            boolean number =
                    tokens.get(i) instanceof Token.Constant constant
                            && constant.value() instanceof IntegerValue;
            boolean byNumber = number && word(i - 1).equals("BY");
            if (byNumber || DECIDES_BY_WHAT_IS_SHOWN.contains(word(i))) {
                return true;
            }
        }
        return false;
    }

    /// Shown under its own name.
    private boolean ends(int i) {
        return symbol(i, ',') || symbol(i, '.') || word(i).equals("FROM");
    }

    private boolean equality(int i) {
        boolean compared =
                symbol(i + 1, '=')
                        || symbol(i + 1, '.')
                        || (symbol(i + 1, '!') && symbol(i + 2, '='))
                        || (symbol(i + 1, '<') && symbol(i + 2, '>'))
                        || EQUALITY.contains(word(i + 1));
        return compared || (symbol(i - 1, '=') && !symbol(i - 2, '<') && !symbol(i - 2, '>'));
    }

    private String name(int i) {
        return switch (tokens.get(i)) {
            case Token.Word word -> word.text().toLowerCase(Locale.ROOT);
            case Token.Quoted quoted -> quoted.text().replace("`", "").toLowerCase(Locale.ROOT);
            case Token.Constant c -> "";
            case Token.Marker m -> "";
            case Token.Symbol s -> "";
        };
    }

    private String word(int i) {
        return i >= 0 && i < tokens.size() && tokens.get(i) instanceof Token.Word word
                ? word.text().toUpperCase(Locale.ROOT)
                : "";
    }

    private boolean symbol(int i, char character) {
        return i >= 0
                && i < tokens.size()
                && tokens.get(i) instanceof Token.Symbol symbol
                && symbol.character() == character;
    }
}
