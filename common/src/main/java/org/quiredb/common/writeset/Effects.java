package org.quiredb.common.writeset;

import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// What a committed transaction did to rows, and what the client of its only statement is told when
/// the answer was lost with the master.
///
/// @param affectedRows as the statement's OK packet counts them; -1 for a transaction of several
///   statements
/// @param insertId as the OK packet shows it, 0 for none
public record Effects(RowChanges rows, long affectedRows, long insertId) implements Logged {
    public static final Effects NONE = new Effects(RowChanges.NONE);

    public Effects(RowChanges rows) {
        this(rows, -1, 0);
    }

    void encode(ByteWriter writer) {
        rows.encode(writer);
        writer.signed(affectedRows).signed(insertId);
    }

    static Effects decode(ByteReader reader) {
        return new Effects(RowChanges.decode(reader), reader.signed(), reader.signed());
    }
}
