package org.quiredb.common.schema;

import org.quiredb.common.version.ConflictClass;
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

    /// Table ids are given by the logger, never used twice, and the same on every replica.
    ///
    /// @param conflictClass which the table keeps for as long as the tier lives
    record CreateTable(int tableId, ConflictClass conflictClass, TableDefinition definition)
            implements SchemaChange {
        /// Of the class named as the schema.
        public CreateTable(int tableId, TableDefinition definition) {
            this(tableId, new ConflictClass(definition.schema()), definition);
        }
    }

    record DropTable(int tableId) implements SchemaChange {}

    default void encode(ByteWriter writer) {
        switch (this) {
            case CreateSchema(String schema) -> writer.u8(1).string(schema);
            case DropSchema(String schema) -> writer.u8(2).string(schema);
            case CreateTable(
                            int tableId,
                            ConflictClass conflictClass,
                            TableDefinition definition) -> {
                conflictClass.encode(writer.u8(3).i32(tableId));
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
            case 3 ->
                    new CreateTable(
                            reader.i32(),
                            ConflictClass.decode(reader),
                            TableDefinition.decode(reader));
            case 4 -> new DropTable(reader.i32());
            default -> throw new MangledMessageException("schema change of kind " + kind);
        };
    }
}
