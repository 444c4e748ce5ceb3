package org.quiredb.common.message;

import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// SAVEPOINT, ROLLBACK TO or RELEASE SAVEPOINT.
///
/// @param name in lower case: savepoints are the same whatever their case
public record SavepointStep(Kind kind, String name) implements TransactionStep {
    public enum Kind {
        SET,
        ROLL_BACK_TO,
        RELEASE
    }

    void encodeStep(ByteWriter writer) {
        writer.varint(kind.ordinal()).string(name);
    }

    static SavepointStep decodeStep(ByteReader reader) {
        int kind = reader.count(Kind.values().length - 1);
        return new SavepointStep(Kind.values()[kind], reader.string());
    }
}
