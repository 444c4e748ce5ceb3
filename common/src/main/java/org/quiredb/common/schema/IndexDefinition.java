package org.quiredb.common.schema;

import java.util.Collections;
import java.util.List;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// An index; the primary key is the one named `PRIMARY`.
///
/// @param prefixes for each column how many of its characters (of its bytes, in a binary column)
///   the index has, 0 for all
public record IndexDefinition(
        String name, boolean unique, List<String> columns, List<Integer> prefixes) {
    public static final String PRIMARY = "PRIMARY";

    /// An index of whole columns.
    public IndexDefinition(String name, boolean unique, List<String> columns) {
        this(name, unique, columns, Collections.nCopies(columns.size(), 0));
    }

    /// Whether it has only the beginning of a column.
    public boolean partial() {
        return prefixes.stream().anyMatch(prefix -> prefix > 0);
    }

    public boolean primary() {
        return name.equals(PRIMARY);
    }

    void encode(ByteWriter writer) {
        writer.string(name).bool(unique).list(columns, ByteWriter::string);
        writer.list(prefixes, (w, prefix) -> w.varint(prefix));
    }

    static IndexDefinition decode(ByteReader reader) {
        return new IndexDefinition(
                reader.string(),
                reader.bool(),
                reader.list(ByteReader::string),
                reader.list(r -> r.count(1 << 24)));
    }
}
