package org.quiredb.common.message;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// A row's key in text form and the digest of its canonical form, equal on every replica and
/// backend that holds the row.
///
/// The canonical form of a row is its columns in definition order as MySQL's text protocol shows
/// them, each behind its length, NULL as the length -1. A table's digest is the sum of its rows'
/// digests, so no order is needed.
public record RowDigest(String key, long digest) {
    /// @param columns the text protocol's bytes of each column, null for NULL
    public static long of(List<byte @Nullable []> columns) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            ByteWriter writer = new ByteWriter(512);
            for (byte @Nullable [] column : columns) {
                writer.i32(column == null ? -1 : column.length);
                if (column != null) {
                    writer.raw(column, 0, column.length);
                }
            }
            sha.update(writer.array(), 0, writer.size());
            return new ByteReader(sha.digest()).i64();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /// The key's columns as text, joined by commas.
    public static String key(List<byte @Nullable []> columns) {
        StringBuilder key = new StringBuilder();
        for (byte @Nullable [] column : columns) {
            key.append(key.isEmpty() ? "" : ",")
                    .append(column == null ? "NULL" : new String(column, StandardCharsets.UTF_8));
        }
        return key.toString();
    }

    public void encode(ByteWriter writer) {
        writer.string(key).i64(digest);
    }

    public static RowDigest decode(ByteReader reader) {
        return new RowDigest(reader.string(), reader.i64());
    }
}
