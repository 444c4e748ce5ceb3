package org.quiredb.replica.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.quiredb.common.sql.NormalizedSql;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.sql.Token;

/// A statement's tokens with each `?` numbered, so that its pieces may be moved and repeated.
///
/// Threads: one.
final class TokenText {
    private TokenText() {}

    /// Words `?0`, `?1` and so on for the markers.
    static List<Token> numbered(List<Token> tokens) {
        List<Token> numbered = new ArrayList<>(tokens.size());
        int next = 0;
        for (Token token : tokens) {
            numbered.add(
                    token instanceof Token.Marker(boolean spaced)
                            ? new Token.Word("?" + next++, spaced)
                            : token);
        }
        return numbered;
    }

    static boolean isMarker(Token token) {
        return token instanceof Token.Word word && word.text().startsWith("?");
    }

    static Change.Part part(List<Token> tokens) {
        List<Token> plain = new ArrayList<>(tokens.size());
        List<Integer> values = new ArrayList<>();
        for (Token token : tokens) {
            if (token instanceof Token.Word(String text, boolean spaced) && text.startsWith("?")) {
                values.add(Integer.parseInt(text.substring(1)));
                plain.add(new Token.Marker(spaced));
            } else {
                plain.add(token);
            }
        }
        return new Change.Part(NormalizedSql.text(plain), List.copyOf(values));
    }

    /// A name in lower case without its backticks, a keyword in lower case; empty for anything
    /// else.
    static String name(Token token) {
        return switch (token) {
            case Token.Word word -> word.text().toLowerCase(Locale.ROOT);
            case Token.Quoted(String text, boolean s) ->
                    text.substring(1, text.length() - 1)
                            .replace("``", "`")
                            .toLowerCase(Locale.ROOT);
            case Token.Constant c -> "";
            case Token.Marker m -> "";
            case Token.Symbol s -> "";
        };
    }

    static boolean symbol(List<Token> tokens, int i, char character) {
        return i >= 0
                && i < tokens.size()
                && tokens.get(i) instanceof Token.Symbol symbol
                && symbol.character() == character;
    }

    static boolean word(List<Token> tokens, int i, Set<String> words) {
        return i >= 0
                && i < tokens.size()
                && tokens.get(i) instanceof Token.Word word
                && words.contains(word.text().toUpperCase(Locale.ROOT));
    }

    static Token.Word word(String text) {
        return new Token.Word(text, true);
    }

    static Token spaced(Token token) {
        return switch (token) {
            case Token.Word(String text, boolean s) -> new Token.Word(text, true);
            case Token.Quoted(String text, boolean s) -> new Token.Quoted(text, true);
            case Token.Constant(SqlValue value, String text, boolean s) ->
                    new Token.Constant(value, text, true);
            case Token.Marker(boolean s) -> new Token.Marker(true);
            case Token.Symbol(char c, boolean s) -> new Token.Symbol(c, true);
        };
    }
}
