package org.quiredb.sql.command;

import java.util.List;
import java.util.Optional;
import org.quiredb.common.schema.SchemaNames;
import org.quiredb.sql.KeptReadings;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.Reading;
import org.quiredb.sql.tree.TableName;

/// A DDL statement.
///
/// @param names what it may touch
/// @param understood whether `uses` and `query` are all that it does
/// @param query of CREATE TABLE ... SELECT
public record SchemaStatement(
        SchemaNames names, boolean understood, List<Use> uses, Optional<Reading> query) {
    public SchemaStatement {
        uses = List.copyOf(uses);
    }

    /// Whether the tables that it changes are others afterwards with the same rows.
    public static boolean rebuilds(Tokens tokens) {
        return switch (tokens.upper(0)) {
            case "ALTER", "RENAME" -> tokens.is(1, "TABLE") || tokens.is(2, "TABLE");
            case "CREATE" -> !tokens.is(1, "TABLE") && ofIndex(tokens);
            case "DROP" -> tokens.is(1, "INDEX");
            default -> false;
        };
    }

    /// `CREATE OR REPLACE UNIQUE INDEX` at most.
    private static boolean ofIndex(Tokens tokens) {
        for (int at = 1; at < 5; at++) {
            if (tokens.is(at, "INDEX")) {
                return true;
            }
        }
        return false;
    }

    /// What is done with a table, or with a database: then the table's name is empty.
    public record Use(Action action, TableName table) {}

    public enum Action {
        CREATE,
        ALTER,
        DROP,
        INDEX,
        REFERENCE,
        FILL,
        READ
    }

    /// @param statements for the query in it
    public static SchemaStatement of(Tokens tokens, KeptReadings statements) {
        SchemaNames names = new SchemaNaming(tokens).read();
        return new SchemaStatementReader(tokens, statements).read(names);
    }
}
