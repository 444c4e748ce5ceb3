package org.quiredb.sql.tree;

/// A table as a statement names it.
///
/// @param database empty for the session's current one
public record TableName(String database, String name) {
    public TableName in(String currentDatabase) {
        return database.isEmpty() ? new TableName(currentDatabase, name) : this;
    }

    @Override
    public String toString() {
        return database.isEmpty() ? name : database + "." + name;
    }
}
