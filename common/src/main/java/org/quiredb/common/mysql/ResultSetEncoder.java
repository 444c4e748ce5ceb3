package org.quiredb.common.mysql;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.sql.SqlValue;

/// Encodes a result set as the packets that answer COM_QUERY (text) or COM_STMT_EXECUTE (binary).
///
/// Threads: one; the sink is called on it.
public final class ResultSetEncoder {
    private static final int NULL_IN_TEXT_ROW = 0xFB;

    private final PacketFramer framer;
    private final boolean binary;
    private final int statusFlags;
    private final PacketWriter row = new PacketWriter(128);
    private ColumnMetadata[] columns = {};

    /// @param sink gets whole packets, about 32 KB at a time; their sequence numbers begin with 1
    /// @param statusFlags of {@link ServerStatus}
    public ResultSetEncoder(Consumer<byte[]> sink, boolean binary, int statusFlags) {
        this.framer = new PacketFramer(sink, 1);
        this.binary = binary;
        this.statusFlags = statusFlags;
    }

    public void columns(List<ColumnMetadata> list) {
        columns = list.toArray(ColumnMetadata[]::new);
        framer.payload(new PacketWriter(8).lenencInt(columns.length).toByteArray());
        for (ColumnMetadata column : columns) {
            framer.payload(column.payload());
        }
        framer.payload(new EofPacket(statusFlags, 0).payload());
    }

    public void row(SqlValue[] values) {
        if (values.length != columns.length) {
            throw new IllegalArgumentException(
                    values.length + " values for " + columns.length + " columns");
        }
        row.clear();
        if (binary) {
            binaryRow(values);
        } else {
            textRow(values);
        }
        framer.payload(row.array(), row.size());
    }

    /// Ends the result and flushes.
    ///
    /// @return how many packets the whole result has
    public long finish() {
        framer.payload(new EofPacket(statusFlags, 0).payload());
        framer.flush();
        return framer.packets();
    }

    /// The bytes that the text protocol shows for a value, null for NULL.
    public static byte @Nullable [] textValue(SqlValue value, ColumnMetadata column) {
        return ValueText.of(value, column);
    }

    private void textRow(SqlValue[] values) {
        for (int i = 0; i < values.length; i++) {
            byte[] text = ValueText.of(values[i], columns[i]);
            if (text == null) {
                row.int1(NULL_IN_TEXT_ROW);
            } else {
                row.lenencBytes(text);
            }
        }
    }

    private void binaryRow(SqlValue[] values) {
        row.int1(0).zeros((values.length + 9) / 8);
        for (int i = 0; i < values.length; i++) {
            if (values[i] instanceof SqlValue.Null) {
                row.or(1 + (i + 2) / 8, 1 << (i + 2) % 8);
            } else {
                BinaryValue.write(row, values[i], columns[i]);
            }
        }
    }
}
