package org.quiredb.sql.parse;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.sql.text.Token;

/// `DATE '...'`, `TIME '...'` and `TIMESTAMP '...'`, which Druid's parser does not take where the
/// constant is a `?` to it.
final class TypedConstants {
    private static final Set<String> TYPES = Set.of("DATE", "TIME", "TIMESTAMP");

    static final String PREFIX = "CONSTANT_";

    private TypedConstants() {}

    /// The statement with calls of a function in their place, which {@link FunctionReader} knows.
    static List<Token> asCalls(List<Token> tokens) {
        List<Token> all = new ArrayList<>(tokens.size());
        boolean any = false;
        for (int i = 0; i < tokens.size(); i++) {
            if (isTyped(tokens, i)) {
                all.add(new Token.Word(PREFIX + type(tokens.get(i)), true));
                all.add(new Token.Symbol('(', false));
                all.add(tokens.get(++i));
                all.add(new Token.Symbol(')', false));
                any = true;
            } else {
                all.add(tokens.get(i));
            }
        }
        return any ? all : tokens;
    }

    private static boolean isTyped(List<Token> tokens, int at) {
        boolean ofColumn =
                at > 0 && tokens.get(at - 1) instanceof Token.Symbol(char c, _) && c == '.';
        return TYPES.contains(type(tokens.get(at)))
                && !ofColumn
                && at + 1 < tokens.size()
                && switch (tokens.get(at + 1)) {
                    case Token.Marker _ -> true;
                    case Token.Constant constant ->
                            constant.value() instanceof SqlValue.StringValue;
                    default -> false;
                };
    }

    private static String type(Token token) {
        return token instanceof Token.Word word ? word.text().toUpperCase(Locale.ROOT) : "";
    }
}
