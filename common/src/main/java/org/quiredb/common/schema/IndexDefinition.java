package org.quiredb.common.schema;

import java.util.List;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// An index; the primary key is the one named `PRIMARY`.
public record IndexDefinition(String name, boolean unique, List<String> columns) {
    public static final String PRIMARY = "PRIMARY";

    public boolean primary() {
        return name.equals(PRIMARY);
    }

    void encode(ByteWriter writer) {
        writer.string(name).bool(unique).list(columns, ByteWriter::string);
    }

    static IndexDefinition decode(ByteReader reader) {
        return new IndexDefinition(reader.string(), reader.bool(), reader.list(ByteReader::string));
    }
}
