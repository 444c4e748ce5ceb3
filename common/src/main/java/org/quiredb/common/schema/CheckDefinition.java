package org.quiredb.common.schema;

import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// A CHECK constraint, or what a row has to fulfil to belong to one of a table's partitions, where
/// not every row does.
///
/// @param name a column's CHECK is called as the column
/// @param ofColumn whether it stands at a column, and not at the table
/// @param expression as the backend shows it; empty for partitions of which only the backend tells
public record CheckDefinition(String name, boolean ofColumn, String expression) {
    /// No CHECK is called so: names do not end with spaces.
    private static final String PARTITIONS = "PARTITION BY ";

    public static CheckDefinition ofPartitions(String expression) {
        return new CheckDefinition(PARTITIONS, false, expression);
    }

    public boolean ofPartitions() {
        return name.equals(PARTITIONS);
    }

    /// What its error names, of a table of this name.
    public String called(String table) {
        return ofColumn ? table + "." + name : name;
    }

    void encode(ByteWriter writer) {
        writer.string(name).bool(ofColumn).string(expression);
    }

    static CheckDefinition decode(ByteReader reader) {
        return new CheckDefinition(reader.string(), reader.bool(), reader.string());
    }
}
