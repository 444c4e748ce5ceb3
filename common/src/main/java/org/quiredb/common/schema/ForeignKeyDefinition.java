package org.quiredb.common.schema;

import java.util.List;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// A foreign key; the rules are `RESTRICT`, `CASCADE`, `SET NULL` or `NO ACTION`.
public record ForeignKeyDefinition(
        String name,
        List<String> columns,
        String referencedSchema,
        String referencedTable,
        List<String> referencedColumns,
        String onDelete,
        String onUpdate) {
    void encode(ByteWriter writer) {
        writer.string(name).list(columns, ByteWriter::string);
        writer.string(referencedSchema)
                .string(referencedTable)
                .list(referencedColumns, ByteWriter::string);
        writer.string(onDelete).string(onUpdate);
    }

    static ForeignKeyDefinition decode(ByteReader reader) {
        return new ForeignKeyDefinition(
                reader.string(),
                reader.list(ByteReader::string),
                reader.string(),
                reader.string(),
                reader.list(ByteReader::string),
                reader.string(),
                reader.string());
    }
}
