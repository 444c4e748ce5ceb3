package org.quiredb.scheduler.session.program;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.PacketReader;
import org.quiredb.scheduler.session.state.Output;

/// A result in the text protocol that a program keeps for itself, of so many bytes at most.
///
/// Threads: one at a time, as the result's packets come one after the other.
final class Rows implements Output {
    private static final long MOST_BYTES = 16L << 20;
    private static final int HEADER = 4;
    private static final int NULL = 0xFB;

    private final List<ColumnMetadata> columns = new ArrayList<>();
    private final List<byte[]> rows = new ArrayList<>();
    private long count = -1;
    private long bytes;
    private boolean described;

    @Override
    public void relay(byte[] whole, Runnable written) {
        for (int at = 0; at < whole.length; ) {
            int length =
                    (whole[at] & 0xFF) | (whole[at + 1] & 0xFF) << 8 | (whole[at + 2] & 0xFF) << 16;
            packet(Arrays.copyOfRange(whole, at + HEADER, at + HEADER + length));
            at += HEADER + length;
        }
        written.run();
    }

    private void packet(byte[] payload) {
        bytes += payload.length;
        if (count < 0) {
            count = new PacketReader(payload).lenencInt();
        } else if (columns.size() < count) {
            columns.add(ColumnMetadata.read(payload));
        } else if (!described) {
            described = true;
        } else if (!(payload.length == 5 && (payload[0] & 0xFF) == 0xFE) && bytes <= MOST_BYTES) {
            rows.add(payload);
        }
    }

    @Override
    public void ok(
            long affectedRows, long lastInsertId, int statusFlags, int warnings, String info) {}

    /// @throws QuireException where it was too large
    Rows whole() {
        if (bytes > MOST_BYTES) {
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET,
                    "Quire does not support a cursor, or values for variables, of more than "
                            + MOST_BYTES
                            + " bytes in such a procedure");
        }
        return this;
    }

    long bytes() {
        return bytes;
    }

    int columns() {
        return columns.size();
    }

    int size() {
        return rows.size();
    }

    List<Value> row(int number) {
        PacketReader reader = new PacketReader(rows.get(number));
        List<Value> row = new ArrayList<>();
        for (ColumnMetadata column : columns) {
            if (reader.peek() == NULL) {
                reader.skip(1);
                row.add(Value.NULL);
            } else {
                row.add(Value.of(column, reader.lenencBytes()));
            }
        }
        return row;
    }
}
