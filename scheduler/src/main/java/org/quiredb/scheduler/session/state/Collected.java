package org.quiredb.scheduler.session.state;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.sql.SqlValue;

/// A result that goes to the session itself: its columns, and its first rows.
///
/// Threads: one at a time, as the result's packets come one after the other.
public final class Collected implements Output {
    private static final int BINARY = 63;

    private final int most;
    private final ReadResult result = new ReadResult(this::row);
    private final List<List<UserVariable>> rows = new ArrayList<>();

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
        result.take(whole);
        written.run();
    }

    private void row(byte[] payload) {
        if (rows.size() < most) {
            rows.add(
                    result.row(
                            payload,
                            UserVariable.NULL,
                            (column, bytes) ->
                                    UserVariable.of(column, value(bytes, column), "", "")));
        }
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
        return result.columns();
    }

    /// How many its end tells of.
    public int warnings() {
        return result.warnings();
    }

    /// No more of them than are kept.
    public List<List<UserVariable>> rows() {
        return rows;
    }
}
