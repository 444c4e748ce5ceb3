package org.quiredb.common.schema;

import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;

/// A change of the catalogue, carried by a write set and so in commit order.
///
/// A table that any DDL changed is dropped and created anew under a new table id; its rows come as
/// page operations of the same write set or of those right after it.
public sealed interface SchemaChange {
    record CreateSchema(String schema) implements SchemaChange {}

    record DropSchema(String schema) implements SchemaChange {}

    /// Table ids are given by the class's master, never used twice, and the same on every replica.
    record CreateTable(int tableId, TableDefinition definition) implements SchemaChange {}

    record DropTable(int tableId) implements SchemaChange {}

    default void encode(ByteWriter writer) {
        switch (this) {
            case CreateSchema(String schema) -> writer.u8(1).string(schema);
            case DropSchema(String schema) -> writer.u8(2).string(schema);
            case CreateTable(int tableId, TableDefinition definition) -> {
                writer.u8(3).i32(tableId);
                definition.encode(writer);
            }
            case DropTable(int tableId) -> writer.u8(4).i32(tableId);
        }
    }

    static SchemaChange decode(ByteReader reader) {
        int kind = reader.u8();
        return switch (kind) {
            case 1 -> new CreateSchema(reader.string());
            case 2 -> new DropSchema(reader.string());
            case 3 -> new CreateTable(reader.i32(), TableDefinition.decode(reader));
            case 4 -> new DropTable(reader.i32());
            default -> throw new MangledMessageException("schema change of kind " + kind);
        };
    }
}
