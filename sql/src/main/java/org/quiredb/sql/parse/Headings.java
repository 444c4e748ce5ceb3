package org.quiredb.sql.parse;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.sql.text.NormalizedSql;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.From;
import org.quiredb.sql.tree.Query;

/// What MySQL calls the columns of a result that have no alias: their text in the statement.
final class Headings {
    private static final Set<String> BEFORE_THE_LIST =
            Set.of(
                    "SELECT",
                    "ALL",
                    "DISTINCT",
                    "DISTINCTROW",
                    "STRAIGHT_JOIN",
                    "SQL_NO_CACHE",
                    "HIGH_PRIORITY");
    private static final Set<String> AFTER_THE_LIST =
            Set.of("FROM", "UNION", "LIMIT", "ORDER", "WHERE", "FOR");

    private final List<String> texts;

    private Headings(List<String> texts) {
        this.texts = texts;
    }

    /// Of the first SELECT, but for those of WITH.
    static Headings of(List<Token> tokens) {
        int start = afterWith(tokens);
        while (start < tokens.size() && !beginsList(tokens, start)) {
            start++;
        }
        List<String> texts = new ArrayList<>();
        int depth = 0;
        for (int i = start; i <= tokens.size(); i++) {
            boolean end = i == tokens.size() || depth < 0 || isWord(tokens.get(i), AFTER_THE_LIST);
            if ((end && depth <= 0) || (depth == 0 && isSymbol(tokens.get(i), ','))) {
                int to = depth < 0 ? i - 1 : i;
                texts.add(text(tokens.subList(start, Math.max(start, to))));
                start = i + 1;
            }
            if (i == tokens.size() || (end && depth <= 0)) {
                break;
            }
            depth += isSymbol(tokens.get(i), '(') ? 1 : isSymbol(tokens.get(i), ')') ? -1 : 0;
        }
        return new Headings(texts);
    }

    private static int afterWith(List<Token> tokens) {
        int at = 0;
        boolean more = !tokens.isEmpty() && isWord(tokens.getFirst(), Set.of("WITH"));
        while (more && at < tokens.size()) {
            int depth = 0;
            do { // to the end of the next query in brackets
                depth += isSymbol(tokens.get(at), '(') ? 1 : isSymbol(tokens.get(at), ')') ? -1 : 0;
                at++;
            } while (at < tokens.size() && !(depth == 0 && isSymbol(tokens.get(at - 1), ')')));
            more = at < tokens.size() && isSymbol(tokens.get(at), ',');
        }
        return at;
    }

    private static boolean beginsList(List<Token> tokens, int i) {
        return i > 0
                && isWord(tokens.get(i - 1), BEFORE_THE_LIST)
                && !isWord(tokens.get(i), BEFORE_THE_LIST);
    }

    /// Brackets and signs before a constant are no part of it, but for `-`.
    private static String text(List<Token> tokens) {
        List<Token> bare = bare(tokens);
        return bare.size() == 1 && bare.getFirst() instanceof Token.Constant constant
                ? constant.plainText()
                : NormalizedSql.text(tokens).strip();
    }

    private static List<Token> bare(List<Token> tokens) {
        List<Token> bare = tokens;
        while (bare.size() > 1) {
            boolean bracketed = isSymbol(bare.getFirst(), '(') && isSymbol(bare.getLast(), ')');
            if (!bracketed && !isSymbol(bare.getFirst(), '+')) {
                return tokens;
            }
            bare = bare.subList(1, bracketed ? bare.size() - 1 : bare.size());
        }
        return bare;
    }

    /// @throws LeftOut when the columns cannot be told apart
    Query put(Query query) {
        return switch (query) {
            case Query.Union(Query left, Query right, boolean all, var order, var limit) ->
                    new Query.Union(put(left), right, all, order, limit);
            case Query.Select s -> {
                requireNames(s);
                yield s.withItems(items(s.items()));
            }
        };
    }

    /// A column of a derived table that is named after its text is so for who asks for `*`, too:
    /// its text is not looked for.
    private static void requireNames(Query.Select shown) {
        if (shown.items().stream().noneMatch(Query.Everything.class::isInstance)) {
            return;
        }
        for (Query.Select derived : derived(shown.from())) {
            if (derived.items().stream().anyMatch(Headings::isComputed)) {
                throw new LeftOut("* of a derived table's columns without names");
            }
            requireNames(derived);
        }
    }

    /// The first query block of each, which names its columns.
    private static List<Query.Select> derived(@Nullable From from) {
        return switch (from) {
            case null -> List.of();
            case From.Table _ -> List.of();
            case From.Derived(Query query, String _) -> List.of(first(query));
            case From.Join join -> {
                List<Query.Select> both = new ArrayList<>(derived(join.left()));
                both.addAll(derived(join.right()));
                yield both;
            }
        };
    }

    private static Query.Select first(Query query) {
        return switch (query) {
            case Query.Union union -> first(union.left());
            case Query.Select select -> select;
        };
    }

    private static boolean isComputed(Query.Item item) {
        return item instanceof Query.Shown(Expression e, String alias, String _)
                && alias.isEmpty()
                && !(e instanceof Expression.Column);
    }

    private List<Query.Item> items(List<Query.Item> items) {
        if (items.size() != texts.size()) {
            throw new LeftOut("such a list of columns");
        }
        List<Query.Item> headed = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            headed.add(
                    isComputed(items.get(i))
                            ? new Query.Shown(
                                    ((Query.Shown) items.get(i)).expression(), "", texts.get(i))
                            : items.get(i));
        }
        return headed;
    }

    private static boolean isWord(Token token, Set<String> words) {
        return token instanceof Token.Word word && words.stream().anyMatch(word::is);
    }

    private static boolean isSymbol(Token token, char character) {
        return token instanceof Token.Symbol(char c, boolean s) && c == character;
    }
}
