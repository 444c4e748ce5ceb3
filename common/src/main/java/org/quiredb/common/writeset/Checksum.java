package org.quiredb.common.writeset;

import java.util.zip.CRC32C;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;

/// CRC-32C behind a message, so that a mangled one is never applied.
final class Checksum {
    private Checksum() {}

    static byte[] closed(ByteWriter writer) {
        return writer.i32(of(writer.array(), writer.size())).toByteArray();
    }

    /// @param what the message is, for people
    static ByteReader opened(byte[] message, String what) {
        if (message.length < 5) {
            throw new MangledMessageException(what + " of " + message.length + " bytes");
        }
        int length = message.length - 4;
        if (of(message, length) != new ByteReader(message, length, 4).i32()) {
            throw new MangledMessageException(what + " fails its checksum");
        }
        return new ByteReader(message, 0, length);
    }

    private static int of(byte[] bytes, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, length);
        return (int) checksum.getValue();
    }
}
