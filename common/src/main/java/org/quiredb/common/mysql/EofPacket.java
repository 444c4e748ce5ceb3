package org.quiredb.common.mysql;

/// The end of the columns, and of the rows.
public record EofPacket(int statusFlags, int warnings) {
    public byte[] payload() {
        return new PacketWriter(8).int1(0xFE).int2(warnings).int2(statusFlags).toByteArray();
    }
}
