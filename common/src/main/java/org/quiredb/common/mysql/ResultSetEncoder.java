package org.quiredb.common.mysql;

import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.sql.SqlValue;

/// Encodes a result set as the packets that answer COM_QUERY (text) or COM_STMT_EXECUTE (binary).
///
/// Threads: one; the sink is called on it.
public final class ResultSetEncoder {
    private static final int NULL_IN_TEXT_ROW = 0xFB;

    private final PacketFramer framer;
    private final PacketWriter row = new PacketWriter(128);
    private boolean binary;
    private int statusFlags;
    private ColumnMetadata[] columns = {};

    /// @param sink gets whole packets, about 32 KB at a time; their sequence numbers begin with 1
    /// @param statusFlags of {@link ServerStatus}
    public ResultSetEncoder(Consumer<byte[]> sink, boolean binary, int statusFlags) {
        this.framer = new PacketFramer(sink, 1);
        this.binary = binary;
        this.statusFlags = statusFlags;
    }

    /// Begins another result with the same memory, whatever became of the last one.
    public void restart(Consumer<byte[]> newSink, boolean binaryRows, int newStatusFlags) {
        framer.restart(newSink, 1);
        row.clear();
        binary = binaryRows;
        statusFlags = newStatusFlags;
    }

    public void columns(List<ColumnMetadata> list) {
        columns(ResultHeader.of(list));
    }

    public void columns(ResultHeader header) {
        columns = header.array();
        row.clear().lenencInt(columns.length);
        framer.payload(row.array(), row.size());
        for (byte[] payload : header.payloads()) {
            framer.payload(payload);
        }
        end(0);
    }

    public void row(SqlValue[] values) {
        if (values.length != columns.length) {
            throw new IllegalArgumentException(
                    values.length + " values for " + columns.length + " columns");
        }
        beginRow();
        for (int i = 0; i < values.length; i++) {
            value(i, values[i]);
        }
        endRow();
    }

    /// For a source that writes its values itself, in the columns' order and in the form of {@link
    /// #binary}, to what this returns.
    public PacketWriter beginRow() {
        row.clear();
        if (binary) {
            row.int1(0).zeros((columns.length + 9) / 8);
        }
        return row;
    }

    public void value(int column, SqlValue value) {
        if (value instanceof SqlValue.Null) {
            nullValue(column);
        } else if (binary) {
            BinaryValue.write(row, value, columns[column]);
        } else {
            row.lenencBytes(
                    Objects.requireNonNull(
                            ValueText.of(value, columns[column]), "only NULL has no text"));
        }
    }

    public void nullValue(int column) {
        if (binary) {
            row.or(1 + (column + 2) / 8, 1 << (column + 2) % 8);
        } else {
            row.int1(NULL_IN_TEXT_ROW);
        }
    }

    public void endRow() {
        framer.payload(row.array(), row.size());
    }

    public boolean binary() {
        return binary;
    }

    /// Ends the result and flushes.
    ///
    /// @return how many packets the whole result has
    public long finish() {
        return finish(0);
    }

    /// As {@link #finish()}, of a statement that had warnings.
    public long finish(int warnings) {
        end(warnings);
        framer.flush();
        return framer.packets();
    }

    /// The bytes that the text protocol shows for a value, null for NULL.
    public static byte @Nullable [] textValue(SqlValue value, ColumnMetadata column) {
        return ValueText.of(value, column);
    }

    private void end(int warnings) {
        new EofPacket(statusFlags, warnings).write(row.clear());
        framer.payload(row.array(), row.size());
    }
}
