package org.quiredb.sql.command;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// What a stored program does, as its CREATE says.
///
/// Where a statement begins, one of a list must stand. Elsewhere the text does not tell a statement
/// from an expression (`ELSE` of an IF and of a CASE), and none of the words may stand that begin
/// what changes something, nor anywhere those that are reserved.
///
/// @param change by which it may leave something changed, be it in the session that runs it, but
///   for user variables; empty where it only reads. What it calls is not looked at
/// @param calls the procedures that it calls, those of its own database without one
/// @param variables the user variables that it names, in lower case
/// @param tokens without its name
public record RoutineBody(
        List<Parameter> parameters,
        String change,
        Set<TableName> calls,
        Set<String> variables,
        Tokens tokens) {
    /// @param type in the text's words
    public record Parameter(boolean in, boolean out, String name, String type) {}

    /// Where a statement stands in a program, or a part of one.
    private static final Set<String> BEGIN =
            Set.of(
                    "BEGIN",
                    "CALL",
                    "CASE",
                    "CLOSE",
                    "DECLARE",
                    "DESC",
                    "DESCRIBE",
                    "DO",
                    "ELSE",
                    "ELSEIF",
                    "END",
                    "EXPLAIN",
                    "FETCH",
                    "FOR",
                    "GET",
                    "IF",
                    "ITERATE",
                    "LEAVE",
                    "LOOP",
                    "OPEN",
                    "REPEAT",
                    "RESIGNAL",
                    "RETURN",
                    "SELECT",
                    "SET",
                    "SHOW",
                    "SIGNAL",
                    "UNTIL",
                    "VALUES",
                    "WHEN",
                    "WHILE",
                    "WITH");

    private static final Set<String> RESERVED =
            Set.of(
                    "ALTER",
                    "ANALYZE",
                    "CHANGE",
                    "CHECK",
                    "CREATE",
                    "DELETE",
                    "DROP",
                    "DUMPFILE",
                    "GRANT",
                    "INSERT",
                    "KILL",
                    "LOAD",
                    "LOCK",
                    "OPTIMIZE",
                    "OUTFILE",
                    "PURGE",
                    "RELEASE",
                    "RENAME",
                    "REPLACE",
                    "REVOKE",
                    "SONAME",
                    "UPDATE");

    /// With a bracket behind them.
    private static final Set<String> RESERVED_FUNCTIONS = Set.of("INSERT", "REPLACE");

    /// What begins a statement, and names things, too.
    private static final Set<String> OTHERS =
            Set.of(
                    "BACKUP",
                    "BINLOG",
                    "CACHE",
                    "CHECKSUM",
                    "CLONE",
                    "COMMIT",
                    "DEALLOCATE",
                    "EXECUTE",
                    "FLUSH",
                    "HANDLER",
                    "HELP",
                    "IMPORT",
                    "INSTALL",
                    "PREPARE",
                    "REPAIR",
                    "RESET",
                    "RESTART",
                    "ROLLBACK",
                    "SAVEPOINT",
                    "SHUTDOWN",
                    "START",
                    "STOP",
                    "TRUNCATE",
                    "UNINSTALL",
                    "UNLOCK",
                    "USE",
                    "XA");

    private static final Set<String> FUNCTIONS =
            Set.of(
                    "GET_LOCK",
                    "RELEASE_LOCK",
                    "RELEASE_ALL_LOCKS",
                    "IS_FREE_LOCK",
                    "IS_USED_LOCK",
                    "LOAD_FILE",
                    "NEXTVAL",
                    "SETVAL");

    /// After SET they are no variables, whatever is declared.
    private static final Set<String> AFTER_SET =
            Set.of(
                    "CHARACTER",
                    "CHARSET",
                    "DEFAULT",
                    "GLOBAL",
                    "LOCAL",
                    "NAMES",
                    "PASSWORD",
                    "PERSIST",
                    "PERSIST_ONLY",
                    "ROLE",
                    "SESSION",
                    "STATEMENT",
                    "TRANSACTION");

    /// What SIGNAL sets; no server has a variable of such a name.
    private static final Set<String> OF_CONDITIONS =
            Set.of(
                    "catalog_name",
                    "class_origin",
                    "column_name",
                    "constraint_catalog",
                    "constraint_name",
                    "constraint_schema",
                    "cursor_name",
                    "message_text",
                    "mysql_errno",
                    "schema_name",
                    "subclass_origin",
                    "table_name");

    private static final Set<String> AFTER_DECLARED = Set.of("CONDITION", "CURSOR", "HANDLER");

    public RoutineBody {
        parameters = List.copyOf(parameters);
        calls = Set.copyOf(calls);
        variables = Set.copyOf(variables);
    }

    /// @param create `CREATE ... PROCEDURE name (...) ...`, or of a function
    /// @param from after the name
    static RoutineBody of(Tokens create, int from) {
        return new Reader(create.part(from, create.size())).read();
    }

    /// Goes through a text once.
    private static final class Reader {
        private final Tokens tokens;
        private final List<Parameter> parameters = new ArrayList<>();
        private final Set<String> own = new HashSet<>(OF_CONDITIONS);
        private final Set<TableName> calls = new HashSet<>();
        private final Set<String> variables = new HashSet<>();
        private String change = "";

        /// Where no statement can be told from an expression.
        private boolean unclear;

        Reader(Tokens tokens) {
            this.tokens = tokens;
        }

        RoutineBody read() {
            int at = characteristics(parameters());
            declared();
            unclear = tokens.is(at, "RETURNS");
            int start = at;
            for (; at < tokens.size() && change.isEmpty(); at++) {
                change = change(at, !unclear && (at == start || begins(at)));
                unclear &= !tokens.is(at, ';') && !tokens.is(at, "BEGIN");
                unclear |= tokens.is(at, "HANDLER"); // whose conditions end nowhere in particular
            }
            return new RoutineBody(parameters, change, calls, variables, tokens);
        }

        /// @return after them
        private int parameters() {
            int at = 1;
            int depth = 1;
            int from = 1;
            for (; tokens.is(0, '(') && at < tokens.size() && depth > 0; at++) {
                depth += tokens.is(at, '(') ? 1 : tokens.is(at, ')') ? -1 : 0;
                if (depth == 0 || (depth == 1 && tokens.is(at, ','))) {
                    parameter(from, at);
                    from = at + 1;
                }
            }
            return tokens.is(0, '(') ? at : 0;
        }

        private void parameter(int from, int to) {
            boolean out = tokens.is(from, "OUT");
            boolean both = tokens.is(from, "INOUT");
            int name = out || both || tokens.is(from, "IN") ? from + 1 : from;
            if (name < to) {
                parameters.add(
                        new Parameter(
                                !out, out || both, tokens.name(name), tokens.text(name + 1, to)));
                own.add(lower(name));
            }
        }

        private int characteristics(int from) {
            int at = from;
            while (true) {
                int words =
                        switch (tokens.upper(at)) {
                            case "DETERMINISTIC" -> 1;
                            case "NOT", "CONTAINS", "NO", "LANGUAGE", "COMMENT" -> 2;
                            case "READS", "MODIFIES", "SQL" -> 3;
                            default -> 0;
                        };
                if (words == 0) {
                    return at;
                }
                at += words;
            }
        }

        /// Variables, and nothing else that is declared.
        private void declared() {
            for (int i = 0; i < tokens.size(); i++) {
                if (tokens.is(i, "DECLARE")) {
                    int last = i + 1;
                    while (tokens.is(last + 1, ',')) {
                        last += 2;
                    }
                    for (int name = i + 1;
                            name <= last && !AFTER_DECLARED.contains(tokens.upper(last + 1));
                            name += 2) {
                        own.add(lower(name));
                    }
                }
            }
        }

        private String lower(int at) {
            return tokens.name(at).toLowerCase(Locale.ROOT);
        }

        /// Whether a statement, or the end of a part, must begin there.
        private boolean begins(int at) {
            if (tokens.is(at - 1, ':')) {
                return !tokens.is(at, '=');
            }
            boolean loop = tokens.is(at - 1, "LOOP") || tokens.is(at - 1, "REPEAT");
            return tokens.is(at - 1, ';')
                    || tokens.is(at - 1, "BEGIN")
                    || (loop && !tokens.is(at - 2, "END") && !tokens.is(at - 2, "ITERATE"));
        }

        /// Whether an expression may stand there as well.
        private boolean mayBegin(int at) {
            return unclear
                    || tokens.is(at - 1, "THEN")
                    || tokens.is(at - 1, "ELSE")
                    || tokens.is(at - 1, "DO");
        }

        private String change(int at, boolean begins) {
            if (tokens.get(at) instanceof Token.Symbol) {
                SessionTerms.Name variable = SessionTerms.Name.at(tokens, at);
                if (variable != null) {
                    variables.add(variable.name());
                }
                return "";
            }
            boolean label = tokens.is(at + 1, ':') && !tokens.is(at + 2, '=');
            String word = tokens.upper(at);
            String name = tokens.name(at).toUpperCase(Locale.ROOT);
            boolean called = tokens.is(at + 1, '(');
            if (begins && !label && !BEGIN.contains(word)) {
                return word.isEmpty() ? "what is no statement" : word;
            }
            if (label || tokens.is(at - 1, '.')) {
                return "";
            }
            if ((RESERVED.contains(word) && !(called && RESERVED_FUNCTIONS.contains(word)))
                    || (OTHERS.contains(word) && mayBegin(at) && !called)
                    || (called && FUNCTIONS.contains(name))) {
                return name;
            }
            return switch (word) {
                case "NEXT" -> tokens.is(at + 1, "VALUE") ? "NEXT VALUE" : "";
                case "CALL" -> call(at + 1);
                case "SET" -> set(at);
                default -> "";
            };
        }

        private String call(int at) {
            TableName name = new Cursor(tokens, at).table();
            if (name == null) {
                return "CALL of what has no name";
            }
            calls.add(name);
            return "";
        }

        private String set(int at) {
            boolean ofType =
                    tokens.is(at + 1, '(')
                            || tokens.is(at - 1, "CHARACTER")
                            || tokens.is(at - 1, "CHAR");
            return ofType || setsOwn(at + 1) ? "" : "SET of what is not its own";
        }

        /// Of a list of assignments.
        private boolean setsOwn(int from) {
            int depth = 0;
            boolean begins = true;
            for (int i = from; i < tokens.size() && !(depth == 0 && tokens.is(i, ';')); i++) {
                if (begins && !isOwn(i)) {
                    return false;
                }
                depth += tokens.is(i, '(') ? 1 : tokens.is(i, ')') ? -1 : 0;
                begins = depth == 0 && tokens.is(i, ',');
            }
            return true;
        }

        private boolean isOwn(int at) {
            boolean assigned =
                    tokens.is(at + 1, '=')
                            || tokens.is(at + 1, '.')
                            || (tokens.is(at + 1, ':') && tokens.is(at + 2, '='));
            return SessionTerms.Name.at(tokens, at) != null
                    || (assigned
                            && !AFTER_SET.contains(tokens.upper(at))
                            && own.contains(lower(at)));
        }
    }
}
