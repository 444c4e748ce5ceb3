package org.quiredb.sql.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.sql.text.Operand.Literal;
import org.quiredb.sql.text.Operand.Parameter;

/// A statement with `?` in place of its constants, so that statements which differ in their values
/// alone share one plan.
///
/// The text has no comments, single spaces, no `;` at its end, and the constants that had to stay
/// are in standard form: quotes doubled, no backslash escapes. Constants stay where they decide
/// more than a value ({@link Clauses}), and everywhere in statements other than queries and changes
/// of rows.
///
/// @param operands one for each `?` of the text, in its order
public record NormalizedSql(String text, List<Operand> operands) {
    /// A longer text is long by its values, as a rule.
    private static final int SHORT_CHARACTERS = 1 << 12;

    /// Without its sign.
    private static final SqlValue LEAST = new SqlValue.IntegerValue(Long.MIN_VALUE, true);

    private static final Set<String> WITH_OPERANDS =
            Set.of("SELECT", "INSERT", "REPLACE", "UPDATE", "DELETE", "WITH");

    /// Of a version that not all servers have; without its end, which is none without it.
    private static final String VERSION_COMMENT = "/*!80000";

    public NormalizedSql {
        operands = List.copyOf(operands);
    }

    /// Normalises one statement.
    ///
    /// @param mysqlText with backslash escapes, and strings in single or double quotes
    /// @throws org.quiredb.common.error.QuireException a syntax error, when a quote or comment does
    ///   not end
    public static NormalizedSql of(String mysqlText) {
        return of(Tokens.of(mysqlText));
    }

    public static NormalizedSql of(Tokens cut) {
        List<Token> tokens = cut.list();
        int end = tokens.size();
        while (end > 0 && isSymbol(tokens.get(end - 1), ';')) {
            end--;
        }
        tokens = tokens.subList(0, end);
        boolean replaces = hasOperands(tokens);
        Clauses clauses = new Clauses();
        StringBuilder text = new StringBuilder(Math.min(cut.text().length(), SHORT_CHARACTERS));
        List<Operand> operands = new ArrayList<>();
        int parameters = 0;
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            separate(text, token);
            switch (token) {
                case Token.Word(String word, boolean s) -> text.append(word);
                case Token.Quoted(String quoted, boolean s) -> text.append(quoted);
                case Token.Symbol(char character, boolean s) -> text.append(character);
                case Token.VersionComment comment -> text.append(replaces ? VERSION_COMMENT : "");
                case Token.Marker(boolean s) -> {
                    text.append('?');
                    operands.add(new Parameter(parameters++));
                }
                case Token.Constant constant -> {
                    if (!replaces || clauses.keeps(constant)) {
                        text.append(
                                replaces && clauses.namesColumn()
                                        ? name(constant)
                                        : constant.text());
                    } else if (isLeast(tokens, i)) {
                        text.setCharAt(text.length() - 1, '?');
                        operands.add(new Literal(SqlValue.of(Long.MIN_VALUE)));
                    } else {
                        text.append('?');
                        operands.add(new Literal(constant.value()));
                    }
                }
            }
            clauses.pass(token);
        }
        return new NormalizedSql(text.toString(), operands);
    }

    /// The values of the `?`, given the client's parameters.
    ///
    /// @throws IllegalArgumentException when there are more or fewer than the statement has
    public List<SqlValue> bind(List<SqlValue> parameters) {
        if (parameters.size() != parameterCount()) {
            throw new IllegalArgumentException(
                    parameters.size() + " parameters for a statement with " + parameterCount());
        }
        List<SqlValue> values = new ArrayList<>(operands.size());
        for (Operand operand : operands) {
            values.add(
                    switch (operand) {
                        case Literal(SqlValue value) -> value;
                        case Parameter(int index) -> parameters.get(index);
                    });
        }
        return values;
    }

    /// How many parameters the client has to give.
    public int parameterCount() {
        int count = 0;
        for (Operand operand : operands) {
            count += operand instanceof Parameter ? 1 : 0;
        }
        return count;
    }

    /// The text of such pieces; the inverse of {@link Tokens#ofNormalized}.
    public static String text(List<Token> tokens) {
        StringBuilder text = new StringBuilder();
        for (Token token : tokens) {
            separate(text, token);
            text.append(
                    switch (token) {
                        case Token.Word word -> word.text();
                        case Token.Quoted quoted -> quoted.text();
                        case Token.Symbol symbol -> String.valueOf(symbol.character());
                        case Token.Marker marker -> "?";
                        case Token.VersionComment comment -> VERSION_COMMENT;
                        case Token.Constant constant -> constant.text();
                    });
        }
        return text.toString();
    }

    /// Whether it is the 9223372036854775808 of a least BIGINT, which is no BIGINT without its
    /// sign: as a value that is assigned or compared.
    private static boolean isLeast(List<Token> tokens, int at) {
        return tokens.get(at) instanceof Token.Constant(SqlValue value, String _, boolean spaced)
                && value.equals(LEAST)
                && !spaced
                && at > 1
                && isSymbol(tokens.get(at - 1), '-')
                && tokens.getFirst() instanceof Token.Word first
                && !first.is("SELECT")
                && tokens.get(at - 2) instanceof Token.Symbol(char before, boolean _)
                && "(,=<>".indexOf(before) >= 0;
    }

    private static boolean hasOperands(List<Token> tokens) {
        for (Token token : tokens) {
            if (token instanceof Token.Word word) {
                return WITH_OPERANDS.contains(word.text().toUpperCase(Locale.ROOT));
            }
            if (!isSymbol(token, '(') && !(token instanceof Token.VersionComment)) {
                return false;
            }
        }
        return false;
    }

    /// Two minus signs would begin a comment for some readers.
    private static void separate(StringBuilder text, Token token) {
        boolean minuses =
                isSymbol(token, '-') && !text.isEmpty() && text.charAt(text.length() - 1) == '-';
        if ((token.spaced() || minuses) && !text.isEmpty()) {
            text.append(' ');
        }
    }

    private static String name(Token.Constant constant) {
        return constant.value() instanceof SqlValue.StringValue(String name)
                ? "`" + name.replace("`", "``") + "`"
                : constant.text();
    }

    private static boolean isSymbol(Token token, char character) {
        return token instanceof Token.Symbol symbol && symbol.character() == character;
    }
}
