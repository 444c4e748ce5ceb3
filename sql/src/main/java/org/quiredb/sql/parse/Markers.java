package org.quiredb.sql.parse;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.sql.text.NormalizedSql;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.tree.Expression;

/// What stands for the `?` of the text that the parser is given, where each constant is one too.
final class Markers {
    private final List<Expression> meanings = new ArrayList<>();
    private final BitSet used = new BitSet();
    private final BitSet unreadPatterns;

    /// @param patterns those behind LIKE BINARY, counted from 0
    Markers(List<Token> tokens, BitSet patterns) {
        unreadPatterns = (BitSet) patterns.clone();
        int parameters = 0;
        for (Token token : tokens) {
            if (token instanceof Token.Marker) {
                meanings.add(new Expression.Parameter(parameters++));
            } else if (token instanceof Token.Constant constant) {
                meanings.add(new Expression.Constant(constant.value(), constant.text()));
            }
        }
    }

    /// What the parser gets. In a row of VALUES it takes a minus at once after `(` or `,` for the
    /// beginning of a number, and fails where none follows: two spaces keep them apart. Some
    /// letters are none to it (all of Latin-1's) where no quotes are around.
    static String textOf(List<Token> tokens) {
        StringBuilder text = new StringBuilder();
        List<Token> markers = new ArrayList<>(tokens.size());
        @Nullable Token before = null;
        for (Token token : tokens) {
            if (token instanceof Token.VersionComment) {
                continue; // its content is read as if there were none
            }
            if (is(token, '-') && (is(before, '(') || is(before, ','))) {
                text.append(NormalizedSql.text(markers)).append("  ");
                markers.clear();
            }
            markers.add(
                    switch (token) {
                        case Token.Constant _ -> new Token.Marker(true);
                        case Token.Word(String word, boolean spaced) when !isAscii(word) ->
                                new Token.Quoted('`' + word + '`', spaced);
                        default -> token;
                    });
            before = token;
        }
        return text.append(NormalizedSql.text(markers)).toString();
    }

    private static boolean isAscii(String word) {
        return word.chars().allMatch(c -> c < 0x80);
    }

    private static boolean is(@Nullable Token token, char character) {
        return token instanceof Token.Symbol(char c, boolean _) && c == character;
    }

    /// @param index counted from 0
    Expression take(int index) {
        if (index < 0 || index >= meanings.size()) {
            throw new LeftOut("a parameter where none is");
        }
        if (used.get(index)) {
            throw new LeftOut("a parameter that stands twice");
        }
        used.set(index);
        return meanings.get(index);
    }

    /// Whether it stands behind LIKE BINARY; asked for once.
    ///
    /// @param index counted from 0
    boolean isBinaryPattern(int index) {
        boolean binary = unreadPatterns.get(index);
        unreadPatterns.clear(index);
        return binary;
    }

    boolean allUsed() {
        return used.cardinality() == meanings.size() && unreadPatterns.isEmpty();
    }
}
