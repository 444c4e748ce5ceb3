package org.quiredb.sql.text;

import java.util.Locale;

/// How deep a statement's text goes: who reads it goes down into parentheses and along chains of
/// operators by calling itself, and has only so much of a stack.
///
/// The tokens tell before anybody reads them; cutting them takes no stack.
///
/// @param depth of parentheses and the like
/// @param links of the longest chain of operators
public record Nesting(int depth, int links) {
    /// What a chain such as `1+1+1` or `NOT NOT` may be longer than parentheses deep: its links
    /// take less, and generated statements have thousands of them.
    private static final int CHAIN_FACTOR = 25;

    private static final int LONGEST_WORD = 9;

    public static Nesting of(Tokens tokens) {
        Count count = new Count();
        for (Token token : tokens.list()) {
            switch (token) {
                case Token.Symbol(char c, boolean _) -> count.symbol(c);
                case Token.Word(String word, boolean _) when word.length() <= LONGEST_WORD ->
                        count.word(word);
                default -> {}
            }
        }
        return new Nesting(count.deepest, count.longest);
    }

    public boolean isWithin(int maximum) {
        return depth <= maximum && links <= CHAIN_FACTOR * maximum;
    }

    /// Threads: one.
    private static final class Count {
        private int depth;
        private int deepest;
        private int links;
        private int longest;

        private void symbol(char c) {
            switch (c) {
                case '(' -> down();
                case ')' -> depth--;
                case ',', ';' -> links = 0;
                case '+', '-', '*', '/', '%', '^', '&', '|', '~', '!', '<', '>', '=' -> link();
                default -> {}
            }
        }

        private void word(String word) {
            switch (word.toUpperCase(Locale.ROOT)) {
                case "CASE" -> down();
                case "END" -> depth--;
                case "AND", "OR", "XOR", "NOT", "DIV", "MOD", "BINARY", "INTERVAL", "COLLATE" ->
                        link();
                case "UNION", "EXCEPT", "INTERSECT", "JOIN" -> link();
                default -> {}
            }
        }

        private void down() {
            deepest = Math.max(deepest, ++depth);
        }

        private void link() {
            longest = Math.max(longest, ++links);
        }
    }
}
