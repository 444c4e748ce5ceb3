package org.quiredb.sql.command;

import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// CREATE, ALTER or DROP of a stored function or procedure.
///
/// @param body null where it creates none
public record RoutineStatement(boolean function, TableName name, @Nullable RoutineBody body) {
    private static final Set<String> OTHERS =
            Set.of(
                    "TABLE",
                    "TABLES",
                    "VIEW",
                    "DATABASE",
                    "SCHEMA",
                    "INDEX",
                    "SEQUENCE",
                    "TRIGGER",
                    "EVENT",
                    "USER",
                    "ROLE",
                    "SERVER",
                    "PACKAGE",
                    "TEMPORARY",
                    "TABLESPACE");

    /// Empty for any other statement.
    public static Optional<RoutineStatement> of(Tokens tokens) {
        for (int i = 1; i < tokens.size(); i++) {
            boolean named = tokens.is(i - 1, '=') || tokens.is(i - 1, '@'); // a definer
            if (!named && OTHERS.contains(tokens.upper(i))) {
                return Optional.empty();
            }
            boolean function = tokens.is(i, "FUNCTION");
            if (!named && (function || tokens.is(i, "PROCEDURE"))) {
                Cursor cursor = new Cursor(tokens, i + 1);
                if (cursor.take("IF")) {
                    cursor.take("NOT");
                    cursor.take("EXISTS");
                }
                TableName name = cursor.table();
                return name == null
                        ? Optional.empty()
                        : Optional.of(
                                new RoutineStatement(
                                        function,
                                        name,
                                        tokens.is(0, "CREATE")
                                                ? RoutineBody.of(tokens, cursor.at)
                                                : null));
            }
        }
        return Optional.empty();
    }

    /// By which it may leave something changed but rows and user variables; empty where it does
    /// not. What it calls is not looked at.
    public String beyond() {
        return body == null ? "" : body.beyond();
    }
}
