package org.quiredb.common.message;

import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// How far along a class's commit order something is: received, logged, stable or applied, as its
/// user says.
public record ClassPosition(ConflictClass conflictClass, long commitNumber) {
    public void encode(ByteWriter writer) {
        conflictClass.encode(writer);
        writer.varint(commitNumber);
    }

    public static ClassPosition decode(ByteReader reader) {
        return new ClassPosition(ConflictClass.decode(reader), reader.varint());
    }
}
