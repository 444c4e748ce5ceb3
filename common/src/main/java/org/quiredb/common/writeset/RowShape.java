package org.quiredb.common.writeset;

import java.util.List;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;

/// What changes of rows have in common that differ in values only.
///
/// @param key the columns that name the row: the primary key's, or all columns of a table without
///   one
/// @param columns those that get values: all of an INSERT, generated ones left out, those that
///   change of an UPDATE. Of a DELETE_LIKE those of text, whose bytes have to be equal, where a
///   collation would find more rows alike, and geometries, which nothing is compared with
/// @param counter the AUTO_INCREMENT column among those of an INSERT, or of a RAISE; empty for none
public record RowShape(
        Kind kind,
        String schema,
        String table,
        List<String> key,
        List<String> columns,
        String counter) {
    public enum Kind {
        INSERT,
        /// Of columns that are part of no unique key: whatever is in one is deleted and inserted,
        /// so that keys may swap.
        UPDATE,
        DELETE,
        /// Of one row out of perhaps many that are alike, in a table without a primary key.
        DELETE_LIKE,
        /// The AUTO_INCREMENT column, the only one named, gives greater values than this from now
        /// on: some that were given are in no row.
        RAISE
    }

    private static final Kind[] KINDS = Kind.values();

    public RowShape {
        key = List.copyOf(key);
        columns = List.copyOf(columns);
    }

    /// How many values a row of this shape has in the record, those of the key first.
    int values() {
        return switch (kind) {
            case INSERT, RAISE -> columns.size();
            case UPDATE -> key.size() + columns.size();
            case DELETE, DELETE_LIKE -> key.size();
        };
    }

    void encode(ByteWriter writer) {
        writer.u8(kind.ordinal()).string(schema).string(table);
        writer.list(key, ByteWriter::string).list(columns, ByteWriter::string);
        writer.string(counter);
    }

    static RowShape decode(ByteReader reader) {
        int kind = reader.u8();
        if (kind >= KINDS.length) {
            throw new MangledMessageException("change of a row of kind " + kind);
        }
        return new RowShape(
                KINDS[kind],
                reader.string(),
                reader.string(),
                reader.list(ByteReader::string),
                reader.list(ByteReader::string),
                reader.string());
    }
}
