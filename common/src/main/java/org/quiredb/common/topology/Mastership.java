package org.quiredb.common.topology;

import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;

/// Whose word counts in a class, or in the tier.
///
/// @param master a member's name; empty before the first one
/// @param term the epoch in which it took over: what an older term sent is refused
public record Mastership(String master, long term) {
    public void encode(ByteWriter writer) {
        writer.string(master).varint(term);
    }

    public static Mastership decode(ByteReader reader) {
        return new Mastership(reader.string(), reader.varint());
    }
}
