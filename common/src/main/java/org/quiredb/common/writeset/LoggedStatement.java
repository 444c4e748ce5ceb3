package org.quiredb.common.writeset;

import java.util.List;
import org.quiredb.common.schema.SchemaNames;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// A schema change as every backend is to run it.
///
/// @param database the database in use, empty for none
/// @param timestampMicros what NOW() is, microseconds since 1970 UTC (`SET TIMESTAMP`)
/// @param settings SET statements of the client's session that it does not mean the same without
/// @param names what it names
public record LoggedStatement(
        String database, String sql, long timestampMicros, List<String> settings, SchemaNames names)
        implements Logged {
    public LoggedStatement {
        settings = List.copyOf(settings);
    }

    void encode(ByteWriter writer) {
        writer.string(database)
                .string(sql)
                .varint(timestampMicros)
                .list(settings, ByteWriter::string);
        names.encode(writer);
    }

    static LoggedStatement decode(ByteReader reader) {
        return new LoggedStatement(
                reader.string(),
                reader.string(),
                reader.varint(),
                reader.list(ByteReader::string),
                SchemaNames.decode(reader));
    }
}
