package org.quiredb.replica.engine;

/// How much of rows one transaction may change, in bytes of the log.
///
/// @param rowBytes of one row, before and after
public record ChangeLimits(int transactionBytes, int rowBytes) {
    /// MariaDB's `max_allowed_packet`; MySQL's is larger.
    private static final int DEFAULT_PACKET_BYTES = 16 << 20;

    /// A literal may be twice as long as its bytes; the rest is for the statement around it.
    ///
    /// @param packetBytes the largest packet that every backend takes, 0 for the default one
    public static ChangeLimits of(int transactionBytes, int packetBytes) {
        long packet = packetBytes == 0 ? DEFAULT_PACKET_BYTES : packetBytes;
        return new ChangeLimits(transactionBytes, (int) (packet * 7 / 16));
    }
}
