package org.quiredb.common.message;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;

/// A piece of the backend's snapshot: first the schema, then each table's rows in primary key
/// order.
public sealed interface SnapshotPart {
    /// @param positions the commit number of each class that the snapshot is the state after
    /// @param schemas every schema of the users, the empty ones too
    /// @param firstTableId from here on ids are free for the tables whose rows follow, one for each
    record Schema(
            List<ClassPosition> positions,
            List<String> schemas,
            List<TableDefinition> tables,
            int firstTableId)
            implements SnapshotPart {}

    /// Rows of one table; each has one value per column in definition order, as MySQL's text
    /// protocol shows it.
    record Rows(String schema, String table, List<List<byte @Nullable []>> rows)
            implements SnapshotPart {}

    default byte[] encode() {
        ByteWriter w = new ByteWriter(1024);
        switch (this) {
            case Schema(
                            List<ClassPosition> positions,
                            List<String> schemas,
                            List<TableDefinition> tables,
                            int firstTableId) ->
                    w.u8(1)
                            .list(positions, (x, p) -> p.encode(x))
                            .list(schemas, ByteWriter::string)
                            .list(tables, (x, table) -> table.encode(x))
                            .i32(firstTableId);
            case Rows(String schema, String table, List<List<byte @Nullable []>> rows) -> {
                w.u8(2).string(schema).string(table).varint(rows.size());
                for (List<byte @Nullable []> row : rows) {
                    encodeRow(w, row);
                }
            }
        }
        return w.toByteArray();
    }

    static SnapshotPart decode(byte[] message) {
        ByteReader r = new ByteReader(message);
        int kind = r.u8();
        SnapshotPart part =
                switch (kind) {
                    case 1 ->
                            new Schema(
                                    r.list(ClassPosition::decode),
                                    r.list(ByteReader::string),
                                    r.list(TableDefinition::decode),
                                    r.i32());
                    case 2 -> new Rows(r.string(), r.string(), r.list(SnapshotPart::decodeRow));
                    default -> throw new MangledMessageException("snapshot part of kind " + kind);
                };
        r.finish();
        return part;
    }

    private static void encodeRow(ByteWriter writer, List<byte @Nullable []> row) {
        writer.varint(row.size());
        for (byte @Nullable [] value : row) {
            writer.bool(value != null);
            if (value != null) {
                writer.bytes(value);
            }
        }
    }

    private static List<byte @Nullable []> decodeRow(ByteReader reader) {
        int columns = reader.count(reader.remaining());
        List<byte @Nullable []> row = new java.util.ArrayList<>(columns);
        for (int i = 0; i < columns; i++) {
            row.add(reader.bool() ? reader.bytes() : null);
        }
        return row;
    }
}
