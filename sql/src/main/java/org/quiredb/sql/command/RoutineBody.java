package org.quiredb.sql.command;

import java.util.List;
import java.util.Set;
import org.quiredb.common.schema.TriggerDefinition;
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
/// @param beyond of that, what is neither rows nor locks of rows; empty where there is no such
/// @param added the tables to which it only adds rows, those of its own database without one
/// @param changed those whose rows it may change otherwise
/// @param temporary the temporary tables that it makes, all of which it drops again at its end
/// @param calls the procedures that it calls, those of its own database without one
/// @param variables the user variables that it names, in lower case
/// @param tokens without its name
public record RoutineBody(
        List<Parameter> parameters,
        String change,
        String beyond,
        Set<TableName> added,
        Set<TableName> changed,
        Set<TableName> temporary,
        Set<TableName> calls,
        Set<String> variables,
        Tokens tokens) {
    /// @param type in the text's words
    public record Parameter(boolean in, boolean out, String name, String type) {}

    /// After SET they are no variables, whatever is declared.
    public static final Set<String> AFTER_SET =
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

    public RoutineBody {
        parameters = List.copyOf(parameters);
        added = Set.copyOf(added);
        changed = Set.copyOf(changed);
        temporary = Set.copyOf(temporary);
        calls = Set.copyOf(calls);
        variables = Set.copyOf(variables);
    }

    /// @param create `CREATE ... PROCEDURE name (...) ...`, or of a function
    /// @param from after the name
    static RoutineBody of(Tokens create, int from) {
        return RoutineReader.read(create.part(from, create.size()));
    }

    /// What is behind the characteristics that stand from there on: DETERMINISTIC and its like.
    public static int characteristics(Tokens tokens, int from) {
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

    /// Of several statements one would stand outside of the condition ({@link TriggerDefinition}).
    ///
    /// @param body of a trigger, from its first word to its last
    public static RoutineBody ofTrigger(Tokens body) {
        return RoutineReader.ofTrigger(body);
    }

    /// What MariaDB runs without a name.
    ///
    /// @param block of which {@link Tokens#isBlock} is true
    public static RoutineBody ofBlock(Tokens block) {
        int end = block.is(block.size() - 1, ';') ? block.size() - 1 : block.size();
        return RoutineReader.ofBlock(block.part(0, end));
    }
}
