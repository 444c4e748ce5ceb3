package org.quiredb.common.topology;

import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// A replica that every commit waits for.
///
/// @param host where its requests are answered
/// @param spare answers no reads
public record Member(String name, String host, int port, boolean spare) {
    public Member asSpare(boolean nowSpare) {
        return new Member(name, host, port, nowSpare);
    }

    public void encode(ByteWriter writer) {
        writer.string(name).string(host).varint(port).bool(spare);
    }

    public static Member decode(ByteReader reader) {
        return new Member(reader.string(), reader.string(), reader.count(0xFFFF), reader.bool());
    }
}
