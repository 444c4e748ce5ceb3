package org.quiredb.replica.sql;

import java.util.function.Consumer;

/// Counts the packets of the parts that went out, so that an error after them knows its number.
final class PacketCounter implements Consumer<byte[]> {
    private static final int HEADER = 4;
    private final Consumer<byte[]> sink;
    private long packets;

    PacketCounter(Consumer<byte[]> sink) {
        this.sink = sink;
    }

    @Override
    public void accept(byte[] part) {
        for (int at = 0; at + HEADER <= part.length; packets++) {
            at +=
                    HEADER
                            + ((part[at] & 0xFF)
                                    | (part[at + 1] & 0xFF) << 8
                                    | (part[at + 2] & 0xFF) << 16);
        }
        sink.accept(part);
    }

    long packets() {
        return packets;
    }
}
