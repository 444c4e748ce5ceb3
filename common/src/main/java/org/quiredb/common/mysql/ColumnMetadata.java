package org.quiredb.common.mysql;

/// A result column as the protocol describes it (Column Definition 41).
///
/// @param table the alias, empty for an expression
/// @param originalTable the table's own name, empty for an expression
/// @param characterSet collation number: 45 or 255 for utf8mb4, 63 for binary and for everything
///   that is not text
/// @param length the widest display form in bytes
/// @param type one of {@link MySqlType}
/// @param flags of {@link ColumnFlag}
/// @param decimals digits after the point or of a second's fraction; {@link #UNSPECIFIED_DECIMALS}
///   for a float without
public record ColumnMetadata(
        String schema,
        String table,
        String originalTable,
        String name,
        String originalName,
        int characterSet,
        long length,
        int type,
        int flags,
        int decimals) {
    public static final int UNSPECIFIED_DECIMALS = 31;

    /// A column of an expression: it has a name and a type, and no table.
    public static ColumnMetadata expression(
            String name, int characterSet, long length, int type, int flags, int decimals) {
        return new ColumnMetadata(
                "", "", "", name, "", characterSet, length, type, flags, decimals);
    }

    public ColumnMetadata withName(String other) {
        return new ColumnMetadata(
                schema,
                table,
                originalTable,
                other,
                originalName,
                characterSet,
                length,
                type,
                flags,
                decimals);
    }

    public ColumnMetadata withTable(String other) {
        return new ColumnMetadata(
                schema,
                other,
                originalTable,
                name,
                originalName,
                characterSet,
                length,
                type,
                flags,
                decimals);
    }

    public ColumnMetadata withOriginalTable(String other) {
        return new ColumnMetadata(
                schema,
                table,
                other,
                name,
                originalName,
                characterSet,
                length,
                type,
                flags,
                decimals);
    }

    public ColumnMetadata withOriginalName(String other) {
        return new ColumnMetadata(
                schema,
                table,
                originalTable,
                name,
                other,
                characterSet,
                length,
                type,
                flags,
                decimals);
    }

    public boolean has(int flag) {
        return (flags & flag) != 0;
    }

    public byte[] payload() {
        return new PacketWriter(128)
                .lenencString("def")
                .lenencString(schema)
                .lenencString(table)
                .lenencString(originalTable)
                .lenencString(name)
                .lenencString(originalName)
                .lenencInt(12)
                .int2(characterSet)
                .int4(length)
                .int1(type)
                .int2(flags)
                .int1(decimals)
                .int2(0)
                .toByteArray();
    }

    public static ColumnMetadata read(byte[] payload) {
        PacketReader reader = new PacketReader(payload);
        reader.lenencBytes();
        String schema = reader.lenencString();
        String table = reader.lenencString();
        String originalTable = reader.lenencString();
        String name = reader.lenencString();
        String originalName = reader.lenencString();
        reader.lenencInt();
        return new ColumnMetadata(
                schema,
                table,
                originalTable,
                name,
                originalName,
                reader.int2(),
                reader.int4(),
                reader.int1(),
                reader.int2(),
                reader.int1());
    }
}
