package org.quiredb.common.mysql;

import java.util.function.Consumer;

/// Frames payloads as packets, each with its length and sequence number, and hands them on in
/// chunks.
///
/// Invariant: a chunk holds whole packets only. A payload of 2^24-1 bytes or more becomes several,
/// the last one shorter. Threads: one.
public final class PacketFramer {
    static final int MAX_PAYLOAD_BYTES = 0xFF_FFFF;
    private static final int CHUNK_BYTES = 32 * 1024;

    private Consumer<byte[]> sink;
    private final PacketWriter chunk = new PacketWriter(256);
    private int sequence;
    private long packets;

    public PacketFramer(Consumer<byte[]> sink, int firstSequence) {
        this.sink = sink;
        this.sequence = firstSequence;
    }

    /// Begins anew with the same memory; what was not flushed is dropped.
    void restart(Consumer<byte[]> newSink, int firstSequence) {
        sink = newSink;
        sequence = firstSequence;
        packets = 0;
        chunk.clear();
    }

    public void payload(byte[] payload) {
        payload(payload, payload.length);
    }

    void payload(byte[] payload, int size) {
        int sent = 0;
        int length;
        do {
            length = Math.min(size - sent, MAX_PAYLOAD_BYTES);
            chunk.int3(length).int1(sequence++).raw(payload, sent, length);
            sent += length;
            packets++;
            if (chunk.size() >= CHUNK_BYTES) {
                flush();
            }
        } while (length == MAX_PAYLOAD_BYTES);
    }

    public void flush() {
        if (chunk.size() > 0) {
            sink.accept(chunk.toByteArray());
            chunk.clear();
        }
    }

    /// How many packets have been written.
    public long packets() {
        return packets;
    }
}
