package org.quiredb.common.writeset;

import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;

/// What the persistence logger stores of one committed transaction or schema change: its place in
/// the class's order and what it did.
///
/// Encoded: version byte, commit number, transaction id, kind, content. A record of another version
/// is refused, never guessed at.
public record CommitRecord(long commitNumber, long transactionId, Logged logged) {
    private static final int VERSION = 2;
    private static final int EFFECTS = 1;
    private static final int SCHEMA_CHANGE = 3; // 2 had its text alone

    public boolean changesSchema() {
        return logged instanceof LoggedStatement;
    }

    /// Of a record that is one.
    public LoggedStatement schemaChange() {
        if (logged instanceof LoggedStatement statement) {
            return statement;
        }
        throw new IllegalStateException("commit " + commitNumber + " changes no schema");
    }

    /// Of a schema change, none.
    public RowChanges rows() {
        return logged instanceof Effects effects ? effects.rows() : RowChanges.NONE;
    }

    /// About what it takes.
    public long sizeBytes() {
        return 64L
                + switch (logged) {
                    case Effects effects -> effects.rows().sizeBytes();
                    case LoggedStatement statement -> statement.sql().length();
                };
    }

    public void encode(ByteWriter writer) {
        writer.u8(VERSION).varint(commitNumber).i64(transactionId);
        switch (logged) {
            case Effects effects -> effects.encode(writer.u8(EFFECTS));
            case LoggedStatement statement -> statement.encode(writer.u8(SCHEMA_CHANGE));
        }
    }

    public static CommitRecord decode(ByteReader reader) {
        int version = reader.u8();
        if (version != VERSION) {
            throw new MangledMessageException(
                    "commit record of version " + version + ", this program reads " + VERSION);
        }
        return new CommitRecord(reader.varint(), reader.i64(), decodeLogged(reader));
    }

    private static Logged decodeLogged(ByteReader reader) {
        int kind = reader.u8();
        return switch (kind) {
            case EFFECTS -> Effects.decode(reader);
            case SCHEMA_CHANGE -> LoggedStatement.decode(reader);
            default -> throw new MangledMessageException("commit record of kind " + kind);
        };
    }
}
