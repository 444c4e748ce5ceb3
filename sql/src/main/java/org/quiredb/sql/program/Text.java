package org.quiredb.sql.program;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Tokens;

/// A statement, or an expression, of a program, and where variables of the program stand in it.
///
/// @param headings what columns of its result are to be called whose own text is changed
public record Text(Tokens tokens, List<Operand> operands, List<Heading> headings) {
    /// Where a variable stands.
    public enum Place {
        EXPRESSION,

        /// All that ORDER BY or GROUP BY names, where a number would be a column's.
        ORDERS,

        /// A number of rows.
        LIMITS
    }

    /// @param at its token
    public record Operand(int at, String name, Place place) {}

    private static final String ALL_ROWS = "18446744073709551615";

    /// @param last the last token of the column's expression
    public record Heading(int last, String text) {}

    public Text {
        operands = List.copyOf(operands);
        headings = List.copyOf(headings);
    }

    /// With values for its variables.
    ///
    /// @param literal of a variable, by its name in lower case
    public String with(Function<String, String> literal) {
        if (operands.isEmpty()) {
            return tokens.text();
        }
        Edits edits = new Edits(tokens);
        for (Operand operand : operands) {
            String value = literal.apply(operand.name);
            edits.replace(
                    operand.at,
                    operand.at + 1,
                    switch (operand.place) {
                        case EXPRESSION -> spaced(operand.at, value);
                        case ORDERS -> "(" + value + " + 0)";
                        case LIMITS -> limit(value);
                    });
        }
        for (Heading heading : headings) {
            edits.after(heading.last, " AS `" + heading.text.replace("`", "``") + "`");
        }
        return edits.made();
    }

    /// What no constant says there: no row for NULL, and for less than none as many as there are.
    private static String limit(String value) {
        return value.equals("NULL") ? "0" : value.startsWith("(-") ? ALL_ROWS : value;
    }

    /// A word that stands against the name may not become a part of the value.
    private String spaced(int at, String value) {
        boolean before = at > 0 && tokens.end(at - 1) == tokens.start(at);
        return before && tokens.isName(at - 1) ? " " + value : value;
    }

    /// Whether it has the word, as a part of it or of a query in it.
    public boolean has(String word) {
        return tokens.has(word.toUpperCase(Locale.ROOT));
    }
}
