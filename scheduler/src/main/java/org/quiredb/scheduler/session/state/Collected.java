package org.quiredb.scheduler.session.state;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.mysql.PacketReader;
import org.quiredb.common.sql.SqlValue;

/// A result that goes to the session itself: its columns, and its first rows.
///
/// Threads: one at a time, as the result's packets come one after the other.
public final class Collected implements Output {
    private static final int HEADER = 4;
    private static final int NULL = 0xFB;
    private static final int BINARY = 63;

    private final int most;
    private final List<ColumnMetadata> columns = new ArrayList<>();
    private final List<List<UserVariable>> rows = new ArrayList<>();
    private long count = -1;
    private boolean described;
    private int warnings;

    /// Of one row: one too many is enough to know.
    public Collected() {
        this(2);
    }

    /// @param most rows that are kept
    public Collected(int most) {
        this.most = most;
    }

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
        if (count < 0) {
            count = new PacketReader(payload).lenencInt();
        } else if (columns.size() < count) {
            columns.add(ColumnMetadata.read(payload));
        } else if (!described) {
            described = true;
        } else if (isEnd(payload)) {
            warnings = (payload[1] & 0xFF) | (payload[2] & 0xFF) << 8;
        } else if (rows.size() < most) {
            rows.add(row(payload));
        }
    }

    private static boolean isEnd(byte[] payload) {
        return payload.length == 5 && (payload[0] & 0xFF) == 0xFE;
    }

    private List<UserVariable> row(byte[] payload) {
        PacketReader reader = new PacketReader(payload);
        List<UserVariable> row = new ArrayList<>();
        for (ColumnMetadata column : columns) {
            if (reader.peek() == NULL) {
                reader.skip(1);
                row.add(UserVariable.NULL);
            } else {
                row.add(UserVariable.of(column, value(reader.lenencBytes(), column), "", ""));
            }
        }
        return row;
    }

    private static SqlValue value(byte[] bytes, ColumnMetadata column) {
        boolean raw =
                column.characterSet() == BINARY
                        && switch (column.type()) {
                            case MySqlType.VAR_STRING,
                                    MySqlType.STRING,
                                    MySqlType.VARCHAR,
                                    MySqlType.BLOB,
                                    MySqlType.TINY_BLOB,
                                    MySqlType.MEDIUM_BLOB,
                                    MySqlType.LONG_BLOB,
                                    MySqlType.BIT,
                                    MySqlType.GEOMETRY ->
                                    true;
                            default -> false;
                        };
        return raw
                ? new SqlValue.BytesValue(bytes)
                : new SqlValue.StringValue(new String(bytes, StandardCharsets.UTF_8));
    }

    @Override
    public void ok(
            long affectedRows, long lastInsertId, int statusFlags, int warnings, String info) {}

    public List<ColumnMetadata> columns() {
        return columns;
    }

    /// How many its end tells of.
    public int warnings() {
        return warnings;
    }

    /// No more of them than are kept.
    public List<List<UserVariable>> rows() {
        return rows;
    }
}
