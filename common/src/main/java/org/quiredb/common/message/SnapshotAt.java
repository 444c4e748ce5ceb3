package org.quiredb.common.message;

import org.quiredb.common.version.VersionVector;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// What a read of an update transaction is to see below the transaction's own changes.
///
/// @param epoch of the topology in which the tag was made
/// @param movable nobody has seen this snapshot yet: it is to be raised to whatever the transaction
///   has seen by its locks
public record SnapshotAt(long epoch, VersionVector tag, boolean movable) {
    void encode(ByteWriter writer) {
        writer.varint(epoch).bool(movable);
        tag.encode(writer);
    }

    static SnapshotAt decode(ByteReader reader) {
        long epoch = reader.varint();
        boolean movable = reader.bool();
        return new SnapshotAt(epoch, VersionVector.decode(reader), movable);
    }
}
