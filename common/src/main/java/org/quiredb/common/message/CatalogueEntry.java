package org.quiredb.common.message;

import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// A table as the tier knows it.
public record CatalogueEntry(int tableId, ConflictClass conflictClass, TableDefinition definition) {
    public void encode(ByteWriter writer) {
        writer.i32(tableId);
        conflictClass.encode(writer);
        definition.encode(writer);
    }

    public static CatalogueEntry decode(ByteReader reader) {
        return new CatalogueEntry(
                reader.i32(), ConflictClass.decode(reader), TableDefinition.decode(reader));
    }
}
