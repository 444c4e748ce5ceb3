package org.quiredb.common.writeset;

import java.util.List;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;

/// What one committed transaction did, as every replica receives it.
///
/// Encoded: version byte, the fields in their order, CRC-32C of all before it. {@link #decode}
/// accepts only what {@link #encode} wrote, with every page operation within its page, so that a
/// mangled message is never applied.
///
/// @param commitNumber the transaction's place in its class's commit order, from 1
/// @param transactionId unique over the tier's life, chosen by the scheduler, 0 for Quire's own
/// @param effects what the log gets, should the master die before it has
/// @param parts how many of {@link TablePart} it follows, with what is in the tables that it makes
public record WriteSet(
        ConflictClass conflictClass,
        long epoch,
        long commitNumber,
        long transactionId,
        List<PageChange> pages,
        List<CounterChange> counters,
        List<SchemaChange> schemaChanges,
        Effects effects,
        int parts) {
    private static final int VERSION = 3;

    public WriteSet(
            ConflictClass conflictClass,
            long epoch,
            long commitNumber,
            long transactionId,
            List<PageChange> pages,
            List<CounterChange> counters,
            List<SchemaChange> schemaChanges,
            Effects effects) {
        this(
                conflictClass,
                epoch,
                commitNumber,
                transactionId,
                pages,
                counters,
                schemaChanges,
                effects,
                0);
    }

    public CommitRecord commitRecord() {
        return new CommitRecord(commitNumber, transactionId, effects);
    }

    /// About what it takes.
    public long sizeBytes() {
        long size = effects.rows().sizeBytes();
        for (PageChange page : pages) {
            size += page.operations().length + 16L;
        }
        return size;
    }

    public byte[] encode() {
        ByteWriter writer = new ByteWriter(512).u8(VERSION);
        conflictClass.encode(writer);
        writer.varint(epoch).varint(commitNumber).i64(transactionId);
        writer.list(pages, (w, page) -> w.i64(page.pageId()).bytes(page.operations()));
        writer.list(counters, WriteSet::encodeCounter);
        writer.list(schemaChanges, (w, change) -> change.encode(w));
        effects.encode(writer);
        return Checksum.closed(writer.varint(parts));
    }

    public static WriteSet decode(byte[] message) {
        ByteReader reader = Checksum.opened(message, "write set");
        int version = reader.u8();
        if (version != VERSION) {
            throw new MangledMessageException(
                    "write set of version " + version + ", this program speaks " + VERSION);
        }
        WriteSet writeSet =
                new WriteSet(
                        ConflictClass.decode(reader),
                        reader.varint(),
                        reader.varint(),
                        reader.i64(),
                        reader.list(WriteSet::decodePage),
                        reader.list(WriteSet::decodeCounter),
                        reader.list(SchemaChange::decode),
                        Effects.decode(reader),
                        reader.count(Integer.MAX_VALUE));
        reader.finish();
        return writeSet;
    }

    private static PageChange decodePage(ByteReader reader) {
        PageChange change = new PageChange(reader.i64(), reader.bytes());
        PageOperations.check(change.operations());
        return change;
    }

    private static void encodeCounter(ByteWriter writer, CounterChange counter) {
        writer.i32(counter.tableId()).i64(counter.rowCountDelta()).i64(counter.nextAutoIncrement());
    }

    private static CounterChange decodeCounter(ByteReader reader) {
        return new CounterChange(reader.i32(), reader.i64(), reader.i64());
    }
}
