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
