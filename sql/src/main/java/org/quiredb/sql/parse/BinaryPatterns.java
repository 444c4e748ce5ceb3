package org.quiredb.sql.parse;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.quiredb.sql.text.Token;

/// `LIKE BINARY` before a `?` or a constant, whose BINARY Druid's parser takes for one over all
/// that follows.
///
/// @param tokens the statement without these words
/// @param places which of its `?` and constants stand behind one, counted from 0
record BinaryPatterns(List<Token> tokens, BitSet places) {
    static BinaryPatterns of(List<Token> tokens) {
        List<Token> rest = new ArrayList<>(tokens.size());
        BitSet places = new BitSet();
        int before = 0;
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            boolean binary =
                    word(tokens, i - 1, "LIKE")
                            && word(tokens, i, "BINARY")
                            && i + 1 < tokens.size()
                            && fixed(tokens.get(i + 1));
            if (binary) {
                places.set(before);
            } else {
                rest.add(token);
            }
            before += fixed(token) ? 1 : 0;
        }
        return new BinaryPatterns(places.isEmpty() ? tokens : rest, places);
    }

    private static boolean fixed(Token token) {
        return token instanceof Token.Marker || token instanceof Token.Constant;
    }

    private static boolean word(List<Token> tokens, int i, String word) {
        return i >= 0 && tokens.get(i) instanceof Token.Word w && w.is(word);
    }
}
