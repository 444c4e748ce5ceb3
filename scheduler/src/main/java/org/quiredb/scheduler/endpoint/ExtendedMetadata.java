package org.quiredb.scheduler.endpoint;

import java.util.Arrays;
import org.quiredb.common.mysql.PacketReader;
import org.quiredb.common.mysql.PacketWriter;

/// Adds to each column definition of a result what MariaDB says of the column to clients that have
/// asked for it (MARIADB_CLIENT_EXTENDED_METADATA): the type's name where the protocol's types do
/// not tell it, and that a text is JSON.
///
/// It knows columns of the tier's tables; of an expression, a derived table or a view it says
/// nothing.
///
/// Source: MariaDB's "Result Set Packets", "Column Definition Packet". Threads: as Commands.
final class ExtendedMetadata {
    private static final byte[] NOTHING = {};

    private static final int HEADER_BYTES = 4;
    private static final int MOST_PAYLOAD_BYTES = 0xFF_FFFF;

    /// An EOF packet is shorter, a row that begins so is longer.
    private static final int EOF_BYTES_LIMIT = 9;

    private final Types types;
    private At at = At.BEGIN;
    private long definitions;
    private boolean continued;

    /// What the next packet of an answer is.
    private enum At {
        BEGIN,
        DEFINITION,
        END_OF_DEFINITIONS,
        ROW
    }

    /// Names the types of tables' columns.
    interface Types {
        /// @return the extended metadata of the column, empty where there is nothing to say; must
        ///   not block
        byte[] of(String schema, String table, String column);
    }

    ExtendedMetadata(Types types) {
        this.types = types;
    }

    /// Another command is answered, whatever became of the answer before.
    void restart() {
        at = At.BEGIN;
        continued = false;
    }

    /// @param packets whole ones, the next of the answer
    byte[] relayed(byte[] packets) {
        PacketWriter out = null;
        int start = 0;
        while (start < packets.length) {
            int length = length(packets, start);
            int end = start + HEADER_BYTES + length;
            if (at == At.DEFINITION) {
                if (out == null) {
                    out = new PacketWriter(packets.length + 256).raw(packets, 0, start);
                }
                byte[] definition =
                        definition(Arrays.copyOfRange(packets, start + HEADER_BYTES, end));
                out.int3(definition.length).int1(packets[start + 3]).raw(definition);
            } else if (out != null) {
                out.raw(packets, start, end - start);
            }
            step(packets, start + HEADER_BYTES, length);
            start = end;
        }
        return out == null ? packets : out.toByteArray();
    }

    private void step(byte[] packets, int payload, int length) {
        if (continued) { // the rest of a row: its first byte says nothing
            continued = length == MOST_PAYLOAD_BYTES;
            return;
        }
        continued = length == MOST_PAYLOAD_BYTES;
        int first = length == 0 ? 0 : packets[payload] & 0xFF;
        switch (at) {
            case BEGIN -> {
                if (first != 0 && first != 0xFF) { // neither OK nor an error
                    definitions =
                            new PacketReader(Arrays.copyOfRange(packets, payload, payload + length))
                                    .lenencInt();
                    at = At.DEFINITION;
                }
            }
            case DEFINITION -> {
                if (--definitions == 0) {
                    at = At.END_OF_DEFINITIONS;
                }
            }
            case END_OF_DEFINITIONS -> at = At.ROW;
            case ROW -> {
                if (first == 0xFF || (first == 0xFE && length < EOF_BYTES_LIMIT)) {
                    at = At.BEGIN;
                }
            }
        }
    }

    /// @param payload of a column definition
    byte[] definition(byte[] payload) {
        PacketReader reader = new PacketReader(payload);
        reader.lenencBytes();
        String schema = reader.lenencString();
        reader.lenencBytes();
        String table = reader.lenencString();
        reader.lenencBytes();
        String column = reader.lenencString();
        byte[] extended = table.isEmpty() ? NOTHING : types.of(schema, table, column);
        int rest = reader.position();
        return new PacketWriter(payload.length + extended.length + 1)
                .raw(payload, 0, rest)
                .lenencBytes(extended)
                .raw(payload, rest, payload.length - rest)
                .toByteArray();
    }

    private static int length(byte[] packets, int at) {
        return (packets[at] & 0xFF)
                | (packets[at + 1] & 0xFF) << 8
                | (packets[at + 2] & 0xFF) << 16;
    }
}
