package org.quiredb.sql.command;

import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// CREATE, ALTER or DROP of a stored function or procedure.
///
/// @param change by which its body may leave something changed, be it in the session that runs it;
///   empty where it only reads
public record RoutineStatement(boolean function, TableName name, String change) {
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

    private static final Set<String> CHANGES =
            Set.of(
                    "INSERT",
                    "UPDATE",
                    "DELETE",
                    "REPLACE",
                    "TRUNCATE",
                    "LOAD",
                    "CALL",
                    "CREATE",
                    "ALTER",
                    "DROP",
                    "RENAME",
                    "GRANT",
                    "REVOKE",
                    "LOCK",
                    "UNLOCK",
                    "START",
                    "COMMIT",
                    "ROLLBACK",
                    "SAVEPOINT",
                    "PREPARE",
                    "EXECUTE",
                    "XA",
                    "FLUSH",
                    "RESET",
                    "KILL",
                    "GLOBAL",
                    "SESSION",
                    "LOCAL",
                    "PASSWORD",
                    "SONAME",
                    "ANALYZE",
                    "OPTIMIZE",
                    "REPAIR",
                    "CHECK",
                    "NEXTVAL",
                    "SETVAL",
                    "NEXT",
                    "GET_LOCK",
                    "RELEASE_LOCK",
                    "RELEASE_ALL_LOCKS");

    /// What is a function, too, with a bracket behind it.
    private static final Set<String> ALSO_FUNCTIONS =
            Set.of("INSERT", "REPLACE", "TRUNCATE", "PASSWORD");

    private static final Set<String> ENDS_DECLARED =
            Set.of("RETURNS", "DEFAULT", "CURSOR", "HANDLER", "CONDITION");

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
                                        tokens.is(0, "CREATE") ? change(tokens, cursor.at) : ""));
            }
        }
        return Optional.empty();
    }

    private static String change(Tokens tokens, int from) {
        Set<String> own = own(tokens, from);
        for (int i = from; i < tokens.size(); i++) {
            String word = tokens.upper(i);
            boolean called = ALSO_FUNCTIONS.contains(word) && tokens.is(i + 1, '(');
            if (tokens.is(i, '@')) {
                return "user variables";
            }
            if (CHANGES.contains(word) && !called && !tokens.is(i - 1, '.')) {
                return word;
            }
            boolean assigns = word.equals("SET") && !tokens.is(i - 1, "CHARACTER");
            boolean elsewhere =
                    tokens.is(i + 1, '(') || tokens.is(i + 1, '@'); // a type's; see above
            if (assigns && !elsewhere && !setsOwn(tokens, i + 1, own)) {
                return "SET of what is not its own";
            }
        }
        return "";
    }

    /// Its parameters and what it declares, with some words that are neither.
    private static Set<String> own(Tokens tokens, int from) {
        Set<String> names = new HashSet<>();
        boolean declares = true;
        for (int i = from; i < tokens.size(); i++) {
            declares |= tokens.is(i, "DECLARE");
            declares &= !tokens.is(i, ';') && !ENDS_DECLARED.contains(tokens.upper(i));
            if (declares && tokens.isName(i)) {
                names.add(tokens.name(i).toLowerCase(Locale.ROOT));
            }
        }
        return names;
    }

    /// Of a list of assignments.
    private static boolean setsOwn(Tokens tokens, int from, Set<String> own) {
        int depth = 0;
        boolean begins = true;
        for (int i = from; i < tokens.size() && !(depth == 0 && tokens.is(i, ';')); i++) {
            if (begins && !own.contains(tokens.name(i).toLowerCase(Locale.ROOT))) {
                return false;
            }
            depth += tokens.is(i, '(') ? 1 : tokens.is(i, ')') ? -1 : 0;
            begins = depth == 0 && tokens.is(i, ',');
        }
        return true;
    }
}
