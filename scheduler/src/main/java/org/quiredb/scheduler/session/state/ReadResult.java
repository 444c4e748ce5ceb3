package org.quiredb.scheduler.session.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.PacketReader;

/// One result in the text protocol, taken apart as its packets come.
///
/// Threads: one at a time, as the result's packets come one after the other.
public final class ReadResult {
    private static final int HEADER = 4;
    private static final int NULL = 0xFB;

    private final Consumer<byte[]> rows;
    private final List<ColumnMetadata> columns = new ArrayList<>();
    private long count = -1;
    private long bytes;
    private boolean described;
    private int warnings;

    /// @param rows gets the payload of each, once the columns are known
    public ReadResult(Consumer<byte[]> rows) {
        this.rows = rows;
    }

    /// @param whole packets
    public void take(byte[] whole) {
        for (int at = 0; at < whole.length; ) {
            int length =
                    (whole[at] & 0xFF) | (whole[at + 1] & 0xFF) << 8 | (whole[at + 2] & 0xFF) << 16;
            packet(Arrays.copyOfRange(whole, at + HEADER, at + HEADER + length));
            at += HEADER + length;
        }
    }

    private void packet(byte[] payload) {
        bytes += payload.length;
        if (count < 0) {
            count = new PacketReader(payload).lenencInt();
        } else if (columns.size() < count) {
            columns.add(ColumnMetadata.read(payload));
        } else if (!described) {
            described = true;
        } else if (isEnd(payload)) {
            warnings = (payload[1] & 0xFF) | (payload[2] & 0xFF) << 8;
        } else {
            rows.accept(payload);
        }
    }

    private static boolean isEnd(byte[] payload) {
        return payload.length == 5 && (payload[0] & 0xFF) == 0xFE;
    }

    public List<ColumnMetadata> columns() {
        return columns;
    }

    /// Of all payloads so far.
    public long bytes() {
        return bytes;
    }

    /// How many its end tells of.
    public int warnings() {
        return warnings;
    }

    /// The values of a row.
    ///
    /// @param of makes one of a column's bytes
    public <T> List<T> row(byte[] payload, T ofNull, BiFunction<ColumnMetadata, byte[], T> of) {
        PacketReader reader = new PacketReader(payload);
        List<T> row = new ArrayList<>();
        for (ColumnMetadata column : columns) {
            if (reader.peek() == NULL) {
                reader.skip(1);
                row.add(ofNull);
            } else {
                row.add(of.apply(column, reader.lenencBytes()));
            }
        }
        return row;
    }
}
