package org.quiredb.common.topology;

import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// A replica that every commit waits for.
///
/// @param host where its requests are answered
/// @param wishedSpare what its configuration wishes it to be
/// @param spare what it is: one that keeps up, and takes the place of an active one that is lost
public record Member(String name, String host, int port, boolean wishedSpare, boolean spare) {
    /// One that is what it wishes to be.
    public Member(String name, String host, int port, boolean spare) {
        this(name, host, port, spare, spare);
    }

    public Member asSpare(boolean nowSpare) {
        return new Member(name, host, port, wishedSpare, nowSpare);
    }

    public void encode(ByteWriter writer) {
        writer.string(name).string(host).varint(port).bool(wishedSpare).bool(spare);
    }

    public static Member decode(ByteReader reader) {
        return new Member(
                reader.string(),
                reader.string(),
                reader.count(0xFFFF),
                reader.bool(),
                reader.bool());
    }
}
