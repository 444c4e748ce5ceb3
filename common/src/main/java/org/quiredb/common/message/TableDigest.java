package org.quiredb.common.message;

import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// The digest of one table on one backend: its number of rows and the sum of their {@link
/// RowDigest}s.
public record TableDigest(int backend, String schema, String table, long rows, long digest) {
    public void encode(ByteWriter writer) {
        writer.varint(backend).string(schema).string(table).varint(rows).i64(digest);
    }

    public static TableDigest decode(ByteReader reader) {
        return new TableDigest(
                reader.count(99), reader.string(), reader.string(), reader.varint(), reader.i64());
    }
}
