package org.quiredb.sql.command;

import java.util.Optional;
import java.util.Set;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// SHOW COLUMNS, DESCRIBE, and EXPLAIN of a table: what depends on the table's definition and on
/// who asks alone.
public final class ColumnsStatement {
    private static final Set<String> VERBS = Set.of("DESCRIBE", "DESC", "EXPLAIN");
    private static final Set<String> COLUMNS = Set.of("COLUMNS", "FIELDS");
    private static final Set<String> OF = Set.of("FROM", "IN");

    private ColumnsStatement() {}

    /// The table; empty for any other statement, and where a condition computes something.
    public static Optional<TableName> table(Tokens tokens) {
        if (tokens.dependsOnVersion()) {
            return Optional.empty();
        }
        int end = tokens.is(tokens.size() - 1, ';') ? tokens.size() - 1 : tokens.size();
        return tokens.is(0, "SHOW") ? shown(tokens, end) : described(tokens, end);
    }

    private static Optional<TableName> shown(Tokens tokens, int end) {
        int at = tokens.is(1, "FULL") ? 2 : 1;
        if (!COLUMNS.contains(tokens.upper(at)) || !OF.contains(tokens.upper(at + 1))) {
            return Optional.empty();
        }
        int name = at + 2;
        TableName table = named(tokens, name);
        int next = name + (table.database().isEmpty() ? 1 : 3);
        if (OF.contains(tokens.upper(next)) && tokens.isName(next + 1)) {
            table = new TableName(tokens.name(next + 1), table.name());
            next += 2;
        }
        if (tokens.is(next, "LIKE") && isText(tokens, next + 1)) {
            next += 2;
        }
        return next == end && !table.name().isEmpty() ? Optional.of(table) : Optional.empty();
    }

    private static Optional<TableName> described(Tokens tokens, int end) {
        if (!VERBS.contains(tokens.upper(0))) {
            return Optional.empty();
        }
        TableName table = named(tokens, 1);
        int next = table.database().isEmpty() ? 2 : 4;
        boolean column = next < end && (tokens.isName(next) || isText(tokens, next));
        return next + (column ? 1 : 0) == end && !table.name().isEmpty()
                ? Optional.of(table)
                : Optional.empty();
    }

    private static TableName named(Tokens tokens, int at) {
        return tokens.is(at + 1, '.') && tokens.isName(at + 2)
                ? new TableName(tokens.name(at), tokens.name(at + 2))
                : new TableName("", tokens.name(at));
    }

    private static boolean isText(Tokens tokens, int at) {
        return tokens.isConstant(at)
                && tokens.get(at) instanceof Token.Constant constant
                && constant.value() instanceof SqlValue.StringValue;
    }
}
