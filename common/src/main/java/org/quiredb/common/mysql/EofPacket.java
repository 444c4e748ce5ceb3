package org.quiredb.common.mysql;

/// The end of the columns, and of the rows.
public record EofPacket(int statusFlags, int warnings) {
    public byte[] payload() {
        PacketWriter out = new PacketWriter(8);
        write(out);
        return out.toByteArray();
    }

    void write(PacketWriter out) {
        out.int1(0xFE).int2(warnings).int2(statusFlags);
    }
}
