package org.quiredb.common.mysql;

import java.util.function.Consumer;

/// Counts the packets in the parts of a result that went out, so that an error after them knows its
/// number.
///
/// Threads: one.
public final class PacketCounter implements Consumer<byte[]> {
    private static final int HEADER = 4;
    private final Consumer<byte[]> sink;
    private long packets;

    /// @param sink gets each part, which holds whole packets
    public PacketCounter(Consumer<byte[]> sink) {
        this.sink = sink;
    }

    @Override
    public void accept(byte[] part) {
        for (int at = 0; at < part.length; packets++) {
            at +=
                    HEADER
                            + ((part[at] & 0xFF)
                                    | (part[at + 1] & 0xFF) << 8
                                    | (part[at + 2] & 0xFF) << 16);
        }
        sink.accept(part);
    }

    public long packets() {
        return packets;
    }
}
