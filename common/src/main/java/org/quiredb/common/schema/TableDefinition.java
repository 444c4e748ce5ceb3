package org.quiredb.common.schema;

import java.util.List;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// A table as read from the backend; every replica builds the same table from it.
///
/// @param checks the expressions of CHECK constraints; and one of {@link #PARTITIONS} where not
///   every row belongs to a partition
/// @param nextAutoIncrement the value that AUTO_INCREMENT gives next, 0 for a table without one
public record TableDefinition(
        String schema,
        String name,
        List<ColumnDefinition> columns,
        List<IndexDefinition> indexes,
        List<ForeignKeyDefinition> foreignKeys,
        List<String> checks,
        long nextAutoIncrement) {
    /// Followed by the condition of rows that do, in MySQL's words; by nothing where only the
    /// backend tells.
    public static final String PARTITIONS = "PARTITION BY ";

    /// The definition proper: AUTO_INCREMENT's next value moves without any DDL.
    public TableDefinition withoutCounter() {
        return new TableDefinition(schema, name, columns, indexes, foreignKeys, checks, 0);
    }

    public void encode(ByteWriter writer) {
        writer.string(schema).string(name);
        writer.list(columns, (w, column) -> column.encode(w));
        writer.list(indexes, (w, index) -> index.encode(w));
        writer.list(foreignKeys, (w, key) -> key.encode(w));
        writer.list(checks, ByteWriter::string).varint(nextAutoIncrement);
    }

    public static TableDefinition decode(ByteReader reader) {
        return new TableDefinition(
                reader.string(),
                reader.string(),
                reader.list(ColumnDefinition::decode),
                reader.list(IndexDefinition::decode),
                reader.list(ForeignKeyDefinition::decode),
                reader.list(ByteReader::string),
                reader.varint());
    }
}
