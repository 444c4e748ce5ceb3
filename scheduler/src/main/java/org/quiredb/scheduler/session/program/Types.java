package org.quiredb.scheduler.session.program;

import java.util.Set;
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
}
