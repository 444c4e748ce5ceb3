package org.quiredb.common.writeset;

import java.util.List;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// What the persistence logger stores of one committed transaction: its place in the class's order
/// and its queries.
public record CommitRecord(
        long commitNumber, long transactionId, List<LoggedStatement> statements) {
    public void encode(ByteWriter writer) {
        writer.varint(commitNumber).i64(transactionId).list(statements, (w, s) -> s.encode(w));
    }

    public static CommitRecord decode(ByteReader reader) {
        return new CommitRecord(
                reader.varint(), reader.i64(), reader.list(LoggedStatement::decode));
    }
}
