package org.quiredb.scheduler.endpoint;

/// A packet from the client, its parts of 16 MB joined.
///
/// @param sequence of its last part
/// @param largeBytes what it has of those of {@link LargePackets}
@SuppressWarnings("ArrayRecordComponent") // owned by its reader, never changed
record InPacket(int sequence, byte[] payload, int largeBytes) {
    /// A small one.
    InPacket(int sequence, byte[] payload) {
        this(sequence, payload, 0);
    }
}
