package org.quiredb.sql.command;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// `LOAD DATA LOCAL INFILE`, whose file the client sends. What it says of lines, fields and columns
/// is for the backend to read.
///
/// @param file its name; empty in normalised text
/// @param replaces rows of the file take the place of those that have their keys; else they are
///   left out
/// @param variables the user variables that it gives values to, in lower case
/// @param computes it has expressions (SET)
public record LoadStatement(
        String file, TableName table, boolean replaces, Set<String> variables, boolean computes) {
    public LoadStatement {
        variables = Set.copyOf(variables);
    }

    /// @return empty for anything else, a file of the server's host or XML
    public static Optional<LoadStatement> of(Tokens tokens) {
        Cursor cursor = new Cursor(tokens, 0);
        if (!cursor.take("LOAD") || !cursor.take("DATA")) {
            return Optional.empty();
        }
        boolean _ = cursor.take("LOW_PRIORITY") || cursor.take("CONCURRENT");
        if (!cursor.take("LOCAL") || !cursor.take("INFILE")) {
            return Optional.empty();
        }
        String file =
                tokens.isConstant(cursor.at)
                                && tokens.get(cursor.at) instanceof Token.Constant constant
                                && constant.value() instanceof SqlValue.StringValue(String text)
                        ? text
                        : "";
        cursor.at++;
        boolean replaces = cursor.take("REPLACE");
        boolean _ = !replaces && cursor.take("IGNORE");
        @Nullable TableName table =
                cursor.take("INTO") && cursor.take("TABLE") ? cursor.table() : null;
        return table == null || cursor.take("PARTITION")
                ? Optional.empty()
                : Optional.of(
                        new LoadStatement(
                                file,
                                table,
                                replaces,
                                variables(tokens, cursor.at),
                                assignments(tokens, cursor.at) < tokens.size()));
    }

    /// Those of its list of columns.
    private static Set<String> variables(Tokens tokens, int from) {
        Set<String> variables = new LinkedHashSet<>();
        for (int i = from; i < assignments(tokens, from); i++) {
            SessionTerms.Name name = SessionTerms.Name.at(tokens, i);
            if (name != null) {
                variables.add(name.name());
            }
        }
        return variables;
    }

    /// Where its SET stands, which is not that of CHARACTER SET; behind all of it for nowhere.
    private static int assignments(Tokens tokens, int from) {
        int at = from;
        while (at < tokens.size()
                && !(tokens.is(at, "SET")
                        && !tokens.is(at - 1, "CHARACTER")
                        && !tokens.is(at - 1, "CHAR"))) {
            at++;
        }
        return at;
    }
}
