package org.quiredb.sql.parse;

import java.util.ArrayList;
import java.util.List;
import org.quiredb.sql.text.Token;

/// `MATCH a, b AGAINST (...)`, whose columns Druid's parser takes in brackets only.
final class FullTexts {
    private FullTexts() {}

    /// The statement with such brackets.
    static List<Token> inBrackets(List<Token> tokens) {
        List<Token> all = new ArrayList<>(tokens.size());
        boolean bare = false;
        for (int i = 0; i < tokens.size(); i++) {
            all.add(tokens.get(i));
            int end = is(tokens, i, "MATCH") ? afterColumns(tokens, i + 1) : i;
            if (end > i + 1 && is(tokens, end, "AGAINST")) {
                all.add(new Token.Symbol('(', true));
                all.addAll(tokens.subList(i + 1, end));
                all.add(new Token.Symbol(')', false));
                i = end - 1;
                bare = true;
            }
        }
        return bare ? all : tokens;
    }

    private static int afterColumns(List<Token> tokens, int from) {
        int at = from;
        while (at < tokens.size() && isOfColumns(tokens.get(at)) && !is(tokens, at, "AGAINST")) {
            at++;
        }
        return at;
    }

    private static boolean isOfColumns(Token token) {
        return switch (token) {
            case Token.Word _, Token.Quoted _ -> true;
            case Token.Symbol(char c, boolean _) -> c == ',' || c == '.';
            case Token.Constant _, Token.Marker _, Token.VersionComment _ -> false;
        };
    }

    private static boolean is(List<Token> tokens, int at, String word) {
        return at < tokens.size() && tokens.get(at) instanceof Token.Word w && w.is(word);
    }
}
