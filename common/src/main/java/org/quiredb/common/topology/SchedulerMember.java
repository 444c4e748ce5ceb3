package org.quiredb.common.topology;

import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// A scheduler that every other one tells of stable commits before anybody is shown them.
///
/// @param life of which it is the only one: a scheduler that was left out comes back in another
/// @param since the epoch of the record that let this life in, of which it is the only one too
/// @param host where the other schedulers reach it
public record SchedulerMember(String name, long life, long since, String host, int port) {
    public void encode(ByteWriter writer) {
        writer.string(name).i64(life).varint(since).string(host).varint(port);
    }

    public static SchedulerMember decode(ByteReader reader) {
        return new SchedulerMember(
                reader.string(),
                reader.i64(),
                reader.varint(),
                reader.string(),
                reader.count(0xFFFF));
    }
}
