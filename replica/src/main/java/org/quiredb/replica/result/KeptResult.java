package org.quiredb.replica.result;

import java.util.List;
import java.util.function.Consumer;

/// The packets of a result, and what it was made at.
///
/// Threads: any.
public final class KeptResult {
    private static final int OBJECT_BYTES = 96;
    private static final int ARRAY_BYTES = 24;

    private final long[] made;
    private final byte[][] parts;
    private final long packets;

    KeptResult(long[] made, List<byte[]> parts, long packets) {
        this.made = made;
        this.parts = parts.toArray(byte[][]::new);
        this.packets = packets;
    }

    long[] made() {
        return made;
    }

    public long packets() {
        return packets;
    }

    /// What its parts hold.
    public long packetBytes() {
        long bytes = 0;
        for (byte[] part : parts) {
            bytes += part.length;
        }
        return bytes;
    }

    long sizeBytes() {
        return OBJECT_BYTES
                + packetBytes()
                + (long) ARRAY_BYTES * (parts.length + 1)
                + (long) Long.BYTES * made.length;
    }

    /// Gives copies of the parts.
    public void give(Consumer<byte[]> to) {
        for (byte[] part : parts) {
            to.accept(part.clone());
        }
    }
}
