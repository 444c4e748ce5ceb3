package org.quiredb.scheduler.session.program;

import java.util.Locale;
import java.util.Set;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.sql.text.Tokens;

/// Types of a program's variables.
final class Types {
    private static final Set<String> TEXTS =
            Set.of(
                    "CHAR",
                    "CHARACTER",
                    "VARCHAR",
                    "TINYTEXT",
                    "TEXT",
                    "MEDIUMTEXT",
                    "LONGTEXT",
                    "ENUM",
                    "SET");

    private static final Set<String> CHARACTERS =
            Set.of("CHARSET", "COLLATE", "BINARY", "ASCII", "UNICODE", "BYTE");

    /// What is below is ASCII.
    private static final int FIRST_OTHER = 0x80;

    private Types() {}

    /// A text that says no character set has the one that the procedure's database had, whichever
    /// the current one has.
    ///
    /// @param collation empty for that of the current database
    static String withCharacters(String type, String collation) {
        Tokens tokens = Tokens.of(type);
        boolean says = collation.isEmpty() || !TEXTS.contains(tokens.upper(0));
        for (int i = 0; i < tokens.size(); i++) {
            says |=
                    CHARACTERS.contains(tokens.upper(i))
                            || (tokens.is(i, "SET") && i > 0)
                            || (tokens.is(i, "CHARACTER") && i > 0);
        }
        return says ? type : type + " COLLATE " + collation;
    }

    /// A text of another character set than UTF-8 has other bytes than a constant would have.
    static Value asOf(String type, Value value) {
        Tokens tokens = Tokens.of(type);
        String set = TEXTS.contains(tokens.upper(0)) ? set(tokens) : "";
        boolean other =
                !set.isEmpty()
                        && !set.startsWith("utf8")
                        && value.value() instanceof SqlValue.StringValue(String text)
                        && text.chars().anyMatch(c -> c >= FIRST_OTHER);
        return other
                ? new Value(
                        value.value(),
                        "CONVERT(%s USING %s)".formatted(value.literal(), set),
                        value.given())
                : value;
    }

    /// Empty where it says none.
    private static String set(Tokens type) {
        for (int i = 1; i < type.size(); i++) {
            String name = type.name(i + 1).toLowerCase(Locale.ROOT);
            if (type.is(i, "CHARSET") || (type.is(i, "SET") && type.is(i - 1, "CHARACTER"))) {
                return name;
            }
            if (type.is(i, "COLLATE")) {
                return name.contains("_") ? name.substring(0, name.indexOf('_')) : name;
            }
        }
        return "";
    }
}
