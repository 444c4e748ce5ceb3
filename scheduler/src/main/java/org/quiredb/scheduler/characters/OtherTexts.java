package org.quiredb.scheduler.characters;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.cluster.Catalogue;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// Whether it makes a difference which bytes a statement's texts have, where the session's
/// collation_connection is of another character set than UTF-8: a column of bytes takes them as
/// they are, and functions look at them. A column of texts takes characters, which are the same.
///
/// Pure.
public final class OtherTexts {
    public static final String REASON = "bytes of a text in a character set that is not UTF-8";

    private static final Pattern OF_BYTES =
            Pattern.compile("(var)?binary\\b.*|(tiny|medium|long)?blob\\b.*|bit\\b.*");

    /// What may stand before a parenthesis and is no function.
    private static final Set<String> NO_FUNCTIONS =
            Set.of(
                    "AND", "BY", "EXISTS", "FROM", "IN", "INTO", "JOIN", "KEY", "NOT", "ON", "OR",
                    "SELECT", "SET", "UNION", "USING", "VALUE", "VALUES", "WHERE", "XOR");

    private OtherTexts() {}

    /// @param bound values of its parameters
    /// @param tables that it names, with their databases
    public static boolean matter(
            Tokens tokens, List<SqlValue> bound, Set<TableName> tables, Catalogue catalogue) {
        boolean other = bound.stream().anyMatch(OtherTexts::isOther);
        for (int i = 0; i < tokens.size() && !other; i++) {
            other = tokens.get(i) instanceof Token.Constant constant && isOther(constant.value());
        }
        return other
                && (calls(tokens, tables)
                        || tables.stream()
                                .anyMatch(table ->
                                        catalogue
                                                .table(table)
                                                .filter(OtherTexts::holdsNoBytes)
                                                .isEmpty()));
    }

    private static boolean isOther(SqlValue value) {
        return value instanceof SqlValue.StringValue(String text)
                && text.chars().anyMatch(c -> c >= 0x80);
    }

    private static boolean holdsNoBytes(CatalogueEntry entry) {
        return entry.definition().columns().stream()
                .noneMatch(
                        column -> column.geometry() || OF_BYTES.matcher(column.type()).matches());
    }

    private static boolean calls(Tokens tokens, Set<TableName> tables) {
        for (int i = 1; i < tokens.size(); i++) {
            String word = tokens.name(i - 1);
            if (tokens.is(i, '(')
                    && tokens.isName(i - 1)
                    && !NO_FUNCTIONS.contains(word.toUpperCase(Locale.ROOT))
                    && tables.stream().noneMatch(table -> table.name().equalsIgnoreCase(word))) {
                return true;
            }
        }
        return false;
    }
}
