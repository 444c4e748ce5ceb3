package org.quiredb.common.message;

import java.util.List;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;

/// What replicas send each other through the group.
public sealed interface GroupMessage {
    /// Encoded write sets of one class, contiguous, in commit order: the stream.
    record WriteSets(List<byte[]> writeSets) implements GroupMessage {}

    /// To the master: every write set of the class up to this one has arrived. Cumulative.
    record Received(ConflictClass conflictClass, long epoch, long commitNumber)
            implements GroupMessage {}

    default byte[] encode() {
        ByteWriter w = new ByteWriter(256);
        switch (this) {
            case WriteSets(List<byte[]> writeSets) -> w.u8(1).list(writeSets, ByteWriter::bytes);
            case Received(ConflictClass conflictClass, long epoch, long commitNumber) -> {
                conflictClass.encode(w.u8(2));
                w.varint(epoch).varint(commitNumber);
            }
        }
        return w.toByteArray();
    }

    static GroupMessage decode(byte[] message) {
        ByteReader r = new ByteReader(message);
        int kind = r.u8();
        GroupMessage decoded =
                switch (kind) {
                    case 1 -> new WriteSets(r.list(ByteReader::bytes));
                    case 2 -> new Received(ConflictClass.decode(r), r.varint(), r.varint());
                    default -> throw new MangledMessageException("group message of kind " + kind);
                };
        r.finish();
        return decoded;
    }
}
