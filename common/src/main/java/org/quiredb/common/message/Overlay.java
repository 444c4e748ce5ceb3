package org.quiredb.common.message;

import java.util.List;
import java.util.function.Consumer;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.writeset.RowChanges;

/// What a transaction has changed, as its master tells it.
///
/// Rows are whole: with the keys that were there before, everything that they are now, so that
/// whoever compares two overlays compares all that the transaction sees of its own rows.
///
/// @param tables those that were to be locked
public record Overlay(List<Locked> tables, RowChanges rows) {
    private static final int MOST_TABLES = 1 << 16;
    private static final int PART_BYTES = 1 << 18;
    private static final int HEADER = 4;

    /// @param version the last commit that has changed it, or one after it, which stays so while it
    ///   is locked
    public record Locked(int tableId, long version) {
        private void encode(ByteWriter writer) {
            writer.varint(tableId).varint(version);
        }

        private static Locked decode(ByteReader reader) {
            return new Locked(reader.count(MOST_TABLES), reader.varint());
        }
    }

    public Overlay {
        tables = List.copyOf(tables);
    }

    /// Sends it as packets, as results are.
    public void sendTo(Consumer<byte[]> parts) {
        ByteWriter writer = new ByteWriter(1024);
        writer.list(tables, (w, table) -> table.encode(w));
        rows.encode(writer);
        byte[] whole = writer.toByteArray();
        for (int from = 0; from < whole.length; from += PART_BYTES) {
            int length = Math.min(PART_BYTES, whole.length - from);
            ByteWriter part = new ByteWriter(HEADER + length);
            part.u8(length & 0xFF).u8(length >> 8 & 0xFF).u8(length >> 16).u8(0);
            parts.accept(part.raw(whole, from, length).toByteArray());
        }
    }

    /// Puts the packets together again.
    ///
    /// Threads: one at a time.
    public static final class Received {
        private final ByteWriter whole = new ByteWriter(1024);

        /// @param packets whole ones
        public void add(byte[] packets) {
            for (int at = 0; at < packets.length; ) {
                int length =
                        (packets[at] & 0xFF)
                                | (packets[at + 1] & 0xFF) << 8
                                | (packets[at + 2] & 0xFF) << 16;
                whole.raw(packets, at + HEADER, length);
                at += HEADER + length;
            }
        }

        public Overlay overlay() {
            ByteReader reader = new ByteReader(whole.toByteArray());
            Overlay overlay = new Overlay(reader.list(Locked::decode), RowChanges.decode(reader));
            reader.finish();
            return overlay;
        }
    }
}
