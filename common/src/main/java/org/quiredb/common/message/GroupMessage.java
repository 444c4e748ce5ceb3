package org.quiredb.common.message;

import java.util.List;
import org.quiredb.common.topology.Standing;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;

/// What replicas send each other through the group.
public sealed interface GroupMessage {
    /// Encoded write sets of one class, contiguous, in commit order: the stream.
    ///
    /// @param settled up to this commit of the class every member in sync has everything, and the
    ///   log
    record WriteSets(long settled, List<byte[]> writeSets) implements GroupMessage {}

    /// To the master: every write set of the class up to this one has arrived, and so many parts of
    /// tables that the next one makes. Cumulative.
    record Received(ConflictClass conflictClass, long epoch, long commitNumber, int parts)
            implements GroupMessage {}

    /// An encoded {@link org.quiredb.common.writeset.TablePart}, in the stream before the write set
    /// that it belongs to.
    @SuppressWarnings("ArrayRecordComponent") // as it came, never compared
    record Part(byte[] part) implements GroupMessage {}

    /// From a replica that has closed its stream.
    record Stands(Standing standing) implements GroupMessage {}

    /// Write sets of former masters, contiguous in each class, for replicas that miss them.
    record HandedOver(List<byte[]> writeSets) implements GroupMessage {}

    /// As the backend has it.
    record Changed(Topology topology) implements GroupMessage {}

    default byte[] encode() {
        ByteWriter w = new ByteWriter(256);
        switch (this) {
            case WriteSets(long settled, List<byte[]> writeSets) ->
                    w.u8(1).varint(settled).list(writeSets, ByteWriter::bytes);
            case Received(ConflictClass conflictClass, long epoch, long number, int parts) -> {
                conflictClass.encode(w.u8(2));
                w.varint(epoch).varint(number).varint(parts);
            }
            case Stands(Standing standing) -> standing.encode(w.u8(3));
            case HandedOver(List<byte[]> writeSets) -> w.u8(4).list(writeSets, ByteWriter::bytes);
            case Changed(Topology topology) -> topology.encode(w.u8(5));
            case Part(byte[] part) -> w.u8(6).bytes(part);
        }
        return w.toByteArray();
    }

    static GroupMessage decode(byte[] message) {
        ByteReader r = new ByteReader(message);
        int kind = r.u8();
        GroupMessage decoded =
                switch (kind) {
                    case 1 -> new WriteSets(r.varint(), r.list(ByteReader::bytes));
                    case 2 ->
                            new Received(
                                    ConflictClass.decode(r),
                                    r.varint(),
                                    r.varint(),
                                    r.count(Integer.MAX_VALUE));
                    case 3 -> new Stands(Standing.decode(r));
                    case 4 -> new HandedOver(r.list(ByteReader::bytes));
                    case 5 -> new Changed(Topology.decode(r));
                    case 6 -> new Part(r.bytes());
                    default -> throw new MangledMessageException("group message of kind " + kind);
                };
        r.finish();
        return decoded;
    }
}
