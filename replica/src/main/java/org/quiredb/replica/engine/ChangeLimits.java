package org.quiredb.replica.engine;

/// How much of rows one transaction may change, in bytes of the log.
///
/// @param rowBytes of one row, before and after
/// @param unkeyedRowBytes of one row of a table without a primary key
public record ChangeLimits(int transactionBytes, int rowBytes, int unkeyedRowBytes) {
    /// MariaDB's `max_allowed_packet`; MySQL's is larger.
    private static final int DEFAULT_PACKET_BYTES = 16 << 20;

    /// Of a record for what is no value, and of a statement around those that are.
    private static final int AROUND_BYTES = 64 << 10;

    /// An applier sends a large row's values as they are. A row without a key is looked for by all
    /// of them, as literals that may be twice as long as their bytes.
    ///
    /// @param packetBytes the largest packet that every backend takes, 0 for the default one
    public static ChangeLimits of(int transactionBytes, int packetBytes) {
        long packet = packetBytes == 0 ? DEFAULT_PACKET_BYTES : packetBytes;
        return new ChangeLimits(
                transactionBytes, (int) (packet - AROUND_BYTES), (int) (packet * 7 / 16));
    }
}
