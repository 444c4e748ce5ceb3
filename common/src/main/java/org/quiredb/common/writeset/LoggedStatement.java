package org.quiredb.common.writeset;

import java.util.List;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// One update query as the backend is to run it: parameters inlined, everything that the text
/// leaves open fixed.
///
/// @param database the database in use, empty for none
/// @param timestampMicros what NOW() is, microseconds since 1970 UTC (`SET TIMESTAMP`)
/// @param insertId the first AUTO_INCREMENT value that the statement took, 0 for none (`SET
///   INSERT_ID`)
/// @param affectedRows rows found (not rows changed), which every backend must count too; -1 where
///   it is not to be checked
/// @param settings SET statements of the client's session that it does not mean the same without
public record LoggedStatement(
        String database,
        String sql,
        long timestampMicros,
        long insertId,
        long affectedRows,
        List<String> settings) {
    public LoggedStatement(
            String database, String sql, long timestampMicros, long insertId, long affectedRows) {
        this(database, sql, timestampMicros, insertId, affectedRows, List.of());
    }

    public void encode(ByteWriter writer) {
        writer.string(database)
                .string(sql)
                .varint(timestampMicros)
                .varint(insertId)
                .i64(affectedRows)
                .list(settings, ByteWriter::string);
    }

    public static LoggedStatement decode(ByteReader reader) {
        return new LoggedStatement(
                reader.string(),
                reader.string(),
                reader.varint(),
                reader.varint(),
                reader.i64(),
                reader.list(ByteReader::string));
    }
}
