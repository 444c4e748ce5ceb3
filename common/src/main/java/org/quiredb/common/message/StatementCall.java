package org.quiredb.common.message;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// One statement as a replica is to run it.
///
/// @param database the session's current database, empty for none
/// @param sql normalised text: MySQL's lexical freedoms removed, literals that may vary replaced by
///   `?`
/// @param values one for each `?`
/// @param binaryRows rows in the binary protocol (COM_STMT_EXECUTE) instead of text
/// @param statusFlags the server status flags that the result's EOF packets carry
/// @param foundRows the client counts rows found instead of rows changed (CLIENT_FOUND_ROWS)
/// @param insertId the first AUTO_INCREMENT value that it is to generate, 0 for the table's next
/// @param nowMicros what NOW(6) is, in microseconds since 1970: the same on every replica that is
///   asked; 0 for that of whoever runs it
/// @param step what it does, if that is no statement: then nobody looks at `sql`
public record StatementCall(
        String database,
        String sql,
        List<SqlValue> values,
        boolean binaryRows,
        int statusFlags,
        boolean foundRows,
        SessionModes modes,
        long insertId,
        long nowMicros,
        @Nullable TransactionStep step) {
    public StatementCall(
            String database,
            String sql,
            List<SqlValue> values,
            boolean binaryRows,
            int statusFlags,
            boolean foundRows) {
        this(
                database,
                sql,
                values,
                binaryRows,
                statusFlags,
                foundRows,
                SessionModes.USUAL,
                0,
                0,
                null);
    }

    /// The same statement, to be run again with the value that it generated before.
    public StatementCall withInsertId(long generated) {
        return new StatementCall(
                database,
                sql,
                values,
                binaryRows,
                statusFlags,
                foundRows,
                modes,
                generated,
                nowMicros,
                step);
    }

    void encode(ByteWriter writer) {
        writer.string(database).string(sql).list(values, (w, value) -> value.encode(w));
        writer.bool(binaryRows).varint(statusFlags).bool(foundRows);
        modes.encode(writer);
        writer.i64(insertId).i64(nowMicros).bool(step != null);
        if (step != null) {
            step.encode(writer);
        }
    }

    static StatementCall decode(ByteReader reader) {
        return new StatementCall(
                reader.string(),
                reader.string(),
                reader.list(SqlValue::decode),
                reader.bool(),
                reader.count(0xFFFF),
                reader.bool(),
                SessionModes.decode(reader),
                reader.i64(),
                reader.i64(),
                reader.bool() ? TransactionStep.decode(reader) : null);
    }
}
