package org.quiredb.common.message;

import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;

/// What a call does in its transaction where that is no statement of SQL.
public sealed interface TransactionStep permits SavepointStep, OverlayStep {
    default void encode(ByteWriter writer) {
        switch (this) {
            case SavepointStep step -> step.encodeStep(writer.u8(0));
            case OverlayStep step -> step.encodeStep(writer.u8(1));
        }
    }

    static TransactionStep decode(ByteReader reader) {
        int kind = reader.u8();
        return switch (kind) {
            case 0 -> SavepointStep.decodeStep(reader);
            case 1 -> OverlayStep.decodeStep(reader);
            default -> throw new MangledMessageException("a step of kind " + kind);
        };
    }
}
