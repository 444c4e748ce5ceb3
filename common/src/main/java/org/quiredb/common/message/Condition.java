package org.quiredb.common.message;

import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// One line of SHOW WARNINGS.
///
/// @param level Note, Warning or Error
public record Condition(String level, int number, String message) {
    public static final String ERROR = "Error";
    public static final String WARNING = "Warning";
    public static final String NOTE = "Note";

    /// How many of a statement's are kept: the servers' max_error_count.
    public static final int MOST = 64;

    public boolean isError() {
        return level.equals(ERROR);
    }

    void encode(ByteWriter writer) {
        writer.string(level).varint(number).string(message);
    }

    static Condition decode(ByteReader reader) {
        return new Condition(reader.string(), reader.count(0xFFFF), reader.string());
    }
}
