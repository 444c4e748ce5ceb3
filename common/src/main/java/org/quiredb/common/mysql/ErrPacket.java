package org.quiredb.common.mysql;

import java.nio.charset.StandardCharsets;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;

/// The end of a statement that failed.
///
/// @param sqlState five characters
public record ErrPacket(int number, String sqlState, String message) {
    public ErrPacket {
        if (sqlState.length() != 5) {
            throw new IllegalArgumentException("an SQLSTATE has five characters, not " + sqlState);
        }
    }

    public static ErrPacket of(ErrorCode code, String message) {
        return new ErrPacket(code.number(), code.sqlState(), message);
    }

    public static ErrPacket of(QuireException error) {
        String message = error.getMessage();
        return of(error.code(), message == null ? error.code().name() : message);
    }

    public byte[] payload() {
        return payload(message.getBytes(StandardCharsets.UTF_8));
    }

    /// @param shown the message in its reader's characters
    public byte[] payload(byte[] shown) {
        return new PacketWriter()
                .int1(0xFF)
                .int2(number)
                .int1('#')
                .raw(sqlState.getBytes(StandardCharsets.US_ASCII))
                .raw(shown)
                .toByteArray();
    }

    public static ErrPacket read(byte[] payload) {
        PacketReader reader = new PacketReader(payload);
        reader.skip(1);
        int number = reader.int2();
        if (reader.peek() != '#') {
            return new ErrPacket(number, "HY000", reader.restAsString());
        }
        reader.skip(1);
        String state = new String(reader.raw(5), StandardCharsets.ISO_8859_1);
        return new ErrPacket(number, state, reader.restAsString());
    }
}
