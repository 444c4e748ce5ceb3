package org.quiredb.common.mysql;

/// The end of a statement without rows.
///
/// @param statusFlags of {@link ServerStatus}
/// @param info what the server has to say, as `Records: 3 Duplicates: 0 Warnings: 0`; mostly empty
public record OkPacket(
        long affectedRows, long lastInsertId, int statusFlags, int warnings, String info) {
    public OkPacket(long affectedRows, long lastInsertId, int statusFlags) {
        this(affectedRows, lastInsertId, statusFlags, 0, "");
    }

    /// The info goes out behind its length, as servers send it and drivers read it, although the
    /// protocol's description has it run to the packet's end. Where there is none they send
    /// nothing: some drivers show the length.
    public byte[] payload() {
        PacketWriter out =
                new PacketWriter()
                        .int1(0)
                        .lenencInt(affectedRows)
                        .lenencInt(lastInsertId)
                        .int2(statusFlags)
                        .int2(warnings);
        return (info.isEmpty() ? out : out.lenencString(info)).toByteArray();
    }

    public static OkPacket read(byte[] payload) {
        PacketReader reader = new PacketReader(payload);
        reader.skip(1);
        return new OkPacket(
                reader.lenencInt(),
                reader.lenencInt(),
                reader.int2(),
                reader.int2(),
                reader.remaining() == 0 ? "" : reader.lenencString());
    }
}
