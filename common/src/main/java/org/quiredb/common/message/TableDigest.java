package org.quiredb.common.message;

import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// The digest of one table on one backend: its number of rows and the sum of their {@link
/// RowDigest}s.
///
/// @param changed whether its definition was changed since the snapshot, which shows nothing of it
public record TableDigest(
        int backend, String schema, String table, long rows, long digest, boolean changed) {
    public static TableDigest changed(int backend, String schema, String table) {
        return new TableDigest(backend, schema, table, 0, 0, true);
    }

    public void encode(ByteWriter writer) {
        writer.varint(backend).string(schema).string(table).varint(rows).i64(digest).bool(changed);
    }

    public static TableDigest decode(ByteReader reader) {
        return new TableDigest(
                reader.count(99),
                reader.string(),
                reader.string(),
                reader.varint(),
                reader.i64(),
                reader.bool());
    }
}
