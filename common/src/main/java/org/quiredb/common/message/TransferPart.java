package org.quiredb.common.message;

import java.util.List;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;

/// What a support sends to a joining replica: first the catalogue, then pages by ascending id.
public sealed interface TransferPart {
    /// The support's state at one moment.
    ///
    /// @param schemas every schema, the empty ones too
    /// @param patterns of the tier's conflict classes
    /// @param version the catalogue's version
    /// @param nextTableId the least table id that is greater than all that were seen
    /// @param dropped which of the lesser ones are of no table any more, see {@link
    ///   VersionVector#isDropped}; of those that are neither that nor of a table here the table is
    ///   yet to come
    /// @param history which filling of the tier the pages descend from
    /// @param continues the joiner's own pages are of that history and stay; else all pages come
    record Catalogue(
            List<String> schemas,
            List<CatalogueEntry> tables,
            List<Counters> counters,
            List<String> patterns,
            long version,
            int nextTableId,
            VersionVector dropped,
            long history,
            boolean continues)
            implements TransferPart {}

    /// One page at its newest version, which no operation of the joiner's own stream may be missing
    /// from.
    @SuppressWarnings("ArrayRecordComponent") // owned by its message, never changed
    record Page(long pageId, long commitNumber, byte[] bytes) implements TransferPart {}

    /// A table's counters after the commit with this number; the joiner adds the changes of later
    /// ones.
    ///
    /// @param changedAt the last commit that has changed the table
    record Counters(
            int tableId, long commitNumber, long rowCount, long nextAutoIncrement, long changedAt) {
        void encode(ByteWriter w) {
            w.i32(tableId).varint(commitNumber).i64(rowCount).i64(nextAutoIncrement);
            w.varint(changedAt);
        }

        static Counters decode(ByteReader r) {
            return new Counters(r.i32(), r.varint(), r.i64(), r.i64(), r.varint());
        }
    }

    default byte[] encode() {
        ByteWriter w = new ByteWriter(this instanceof Page page ? page.bytes.length + 32 : 256);
        switch (this) {
            case Catalogue c -> {
                w.u8(1)
                        .list(c.schemas, ByteWriter::string)
                        .list(c.tables, (x, table) -> table.encode(x))
                        .list(c.counters, (x, counters) -> counters.encode(x))
                        .list(c.patterns, ByteWriter::string)
                        .varint(c.version)
                        .i32(c.nextTableId);
                c.dropped.encode(w);
                w.i64(c.history).u8(c.continues ? 1 : 0);
            }
            case Page(long pageId, long commitNumber, byte[] bytes) ->
                    w.u8(2).i64(pageId).varint(commitNumber).bytes(bytes);
        }
        return w.toByteArray();
    }

    static TransferPart decode(byte[] message) {
        ByteReader r = new ByteReader(message);
        int kind = r.u8();
        TransferPart part =
                switch (kind) {
                    case 1 ->
                            new Catalogue(
                                    r.list(ByteReader::string),
                                    r.list(CatalogueEntry::decode),
                                    r.list(Counters::decode),
                                    r.list(ByteReader::string),
                                    r.varint(),
                                    r.i32(),
                                    VersionVector.decode(r),
                                    r.i64(),
                                    r.u8() == 1);
                    case 2 -> new Page(r.i64(), r.varint(), r.bytes());
                    default -> throw new MangledMessageException("transfer part of kind " + kind);
                };
        r.finish();
        return part;
    }
}
