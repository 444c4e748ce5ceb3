package org.quiredb.replica.layout;

import org.quiredb.common.mysql.ColumnFlag;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.mysql.PacketWriter;

/// A column's bytes on a page as the protocol shows them, for types where no value need be made.
public final class ColumnBytes {
    private ColumnBytes() {}

    public static boolean suffice(ColumnType type) {
        if ((type.flags() & ColumnFlag.ZEROFILL) != 0) {
            return false;
        }
        return switch (type.storage()) {
            case INTEGER -> integer(type.mysql());
            case DECIMAL -> true;
            case STRING, FOLDED_STRING, BYTES ->
                    type.mysql() == MySqlType.STRING
                            || type.mysql() == MySqlType.VAR_STRING
                            || type.mysql() == MySqlType.BLOB
                            || type.mysql() == MySqlType.GEOMETRY;
            case BIG_DECIMAL, FLOAT, DOUBLE, DATE, TIMESTAMP, TIME, UUID -> false;
        };
    }

    private static boolean integer(int type) {
        return type == MySqlType.TINY
                || type == MySqlType.SHORT
                || type == MySqlType.INT24
                || type == MySqlType.LONG
                || type == MySqlType.LONGLONG;
    }

    /// @param binary the protocol of prepared statements, else that of texts
    public static void write(
            RowLayout layout,
            int column,
            byte[] page,
            int offset,
            PacketWriter out,
            boolean binary) {
        ColumnType type = layout.type(column);
        if (type.width() == 0) {
            int from = layout.variableFrom(page, offset, column);
            out.lenencBytes(page, from, layout.variableTo(page, offset, column) - from);
            return;
        }
        long number = layout.number(page, offset, column);
        if (!binary || type.storage() == ColumnType.Storage.DECIMAL) {
            out.lenencNumber(number, type.decimals());
            return;
        }
        switch (type.mysql()) {
            case MySqlType.TINY -> out.int1((int) number);
            case MySqlType.SHORT -> out.int2((int) number);
            case MySqlType.INT24, MySqlType.LONG -> out.int4(number);
            default -> out.int8(number);
        }
    }
}
