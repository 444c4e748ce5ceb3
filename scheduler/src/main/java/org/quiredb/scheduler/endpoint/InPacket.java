package org.quiredb.scheduler.endpoint;

/// A packet from the client, its parts of 16 MB joined.
///
/// @param sequence of its last part
@SuppressWarnings("ArrayRecordComponent") // owned by its reader, never changed
record InPacket(int sequence, byte[] payload) {}
