package org.quiredb.scheduler.session.statement;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// What a statement that the parser of queries does not read (SET, DO, SHOW) may read rows of.
///
/// Whatever stands where a table may stand behind the first word of a query. What names a table
/// without one (`DESCRIBE t`, `SET @t = 1`) reads no rows.
final class QueriedTables {
    private static final Set<String> OF_QUERIES =
            Set.of("SELECT", "WITH", "TABLE", "UPDATE", "DELETE", "INSERT", "REPLACE");

    private static final Set<String> BEFORE_A_TABLE =
            Set.of(
                    "FROM",
                    "JOIN",
                    "STRAIGHT_JOIN",
                    "TABLE",
                    "UPDATE",
                    "INSERT",
                    "REPLACE",
                    "INTO",
                    "IGNORE",
                    "LOW_PRIORITY",
                    "USING");

    private QueriedTables() {}

    /// What only the backend reads locks nothing. Where nobody knows its tables, its words do.
    ///
    /// @param held whether there is such a table
    static Set<TableName> of(
            Classification kind,
            boolean ofTemporary,
            Tokens tokens,
            SessionState state,
            Predicate<TableName> held) {
        return switch (kind) {
            case Classification.Read read when ofTemporary -> state.qualified(read.tables());
            case Classification.Update update when ofTemporary -> state.qualified(update.tables());
            case Classification.Temporary defined when defined.reads() ->
                    of(tokens, state.database(), held);
            case Classification.Information(boolean afterEverything)
                    when (afterEverything && !tokens.is(0, "SHOW")) || tokens.is(0, "DO") ->
                    of(tokens, state.database(), held);
            case Classification.Assignment _ -> of(tokens, state.database(), held);
            default -> Set.of();
        };
    }

    /// @param database of names without one
    /// @param held whether there is such a table
    static Set<TableName> of(Tokens tokens, String database, Predicate<TableName> held) {
        Set<TableName> tables = new HashSet<>();
        boolean query = false;
        for (int i = 0; i < tokens.size(); i++) {
            query |= OF_QUERIES.contains(tokens.upper(i));
            boolean qualified = i > 1 && tokens.is(i - 1, '.');
            String name = tokens.name(i);
            if (query && !name.isEmpty() && isPlace(tokens, qualified ? i - 3 : i - 1)) {
                TableName table = new TableName(qualified ? tokens.name(i - 2) : database, name);
                if (held.test(table)) {
                    tables.add(table);
                }
            }
        }
        return tables;
    }

    private static boolean isPlace(Tokens tokens, int before) {
        return before >= 0
                && (tokens.is(before, ',')
                        || tokens.is(before, '(')
                        || BEFORE_A_TABLE.contains(tokens.upper(before)));
    }
}
