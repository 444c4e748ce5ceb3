package org.quiredb.scheduler.endpoint;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.mysql.PacketReader;
import org.quiredb.common.sql.SqlValue;

/// A connection's prepared statements.
///
/// Threads: owned by the connection's thread.
final class PreparedStatements {
    private static final int MAXIMUM_STATEMENTS = 16_382; // MySQL's max_prepared_stmt_count

    private final Map<Long, Prepared> byId = new HashMap<>();
    private long lastId;

    /// One statement and what was bound to it last.
    static final class Prepared {
        final String sql;
        private final int parameters;
        private final Map<Integer, ByteArrayOutputStream> longData = new HashMap<>();
        private int @Nullable [] types;

        Prepared(String sql, int parameters) {
            this.sql = sql;
            this.parameters = parameters;
        }

        /// Reads the values from COM_STMT_EXECUTE, the reader standing after the iteration count.
        List<SqlValue> bind(PacketReader reader) {
            List<SqlValue> values = new ArrayList<>(parameters);
            if (parameters == 0) {
                return values;
            }
            byte[] nulls = reader.raw((parameters + 7) / 8);
            int[] current = types;
            if (reader.int1() == 1) {
                current = new int[parameters];
                for (int i = 0; i < parameters; i++) {
                    current[i] = reader.int2();
                }
                types = current;
            }
            if (current == null) {
                throw new QuireException(ErrorCode.UNKNOWN_COMMAND, "parameters without types");
            }
            for (int i = 0; i < parameters; i++) {
                ByteArrayOutputStream sent = longData.get(i);
                if (sent != null) {
                    values.add(BoundValue.ofLongData(sent.toByteArray(), current[i]));
                } else if ((nulls[i / 8] >> (i % 8) & 1) != 0) {
                    values.add(SqlValue.NULL);
                } else {
                    values.add(BoundValue.read(reader, current[i]));
                }
            }
            longData.clear();
            return values;
        }

        void append(int parameter, byte[] data) {
            longData.computeIfAbsent(parameter, p -> new ByteArrayOutputStream()).writeBytes(data);
        }

        void reset() {
            longData.clear();
        }
    }

    long add(String sql, int parameters) {
        if (byId.size() >= MAXIMUM_STATEMENTS) {
            throw new QuireException(
                    ErrorCode.UNKNOWN_ERROR, "too many prepared statements; close some");
        }
        byId.put(++lastId, new Prepared(sql, parameters));
        return lastId;
    }

    Prepared get(long id) {
        Prepared prepared = byId.get(id);
        if (prepared == null) {
            throw new QuireException(
                    ErrorCode.UNKNOWN_STATEMENT_HANDLER,
                    "Unknown prepared statement handler (" + id + ")");
        }
        return prepared;
    }

    void close(long id) {
        byId.remove(id);
    }

    void clear() {
        byId.clear();
    }
}
