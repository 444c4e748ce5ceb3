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
import org.quiredb.scheduler.characters.CharacterSet;
import org.quiredb.scheduler.session.state.ClientLimits;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Kept;

/// A connection's prepared statements.
///
/// Threads: owned by the connection's thread.
final class PreparedStatements {
    /// What the protocol has two bytes for.
    private static final int MOST_PLACEHOLDERS = 0xFFFF;

    private static final int READ_ONCE_CHARACTERS = 4 * 1024;

    /// Bytes of what was read of a text, by its characters: of each word some objects.
    private static final long READING = 12;

    /// MariaDB's connectors send the first execution with the preparation, before they know the id.
    private static final long PREPARED_BEFORE = 0xFFFF_FFFFL;

    private final ClientLimits limits;
    private final Kept kept;
    private final Map<Long, Prepared> byId = new HashMap<>();
    private long lastId;

    /// Of what the client's last preparation gave; 0 where that failed.
    private long before;

    /// @param kept what is kept for the client altogether
    PreparedStatements(ClientLimits limits, Kept kept) {
        this.limits = limits;
        this.kept = kept;
    }

    /// One statement and what was bound to it last.
    static final class Prepared {
        final String sql;
        private final String database;
        private final int parameters;
        private final Map<Integer, ByteArrayOutputStream> longData = new HashMap<>();
        private final int maximumBytes;
        private final Kept kept;
        private @Nullable ClientStatement read;
        private int @Nullable [] types;
        private @Nullable QuireException refused;
        private int longBytes;

        /// @param database the current one; empty for none
        Prepared(String sql, String database, int parameters, int maximumBytes, Kept kept) {
            this.database = database;
            this.maximumBytes = maximumBytes;
            this.kept = kept;
            this.sql = sql;
            this.parameters = parameters;
        }

        /// Reads the values from COM_STMT_EXECUTE, the reader standing after the iteration count.
        ///
        /// @param set of texts
        List<SqlValue> bind(PacketReader reader, CharacterSet set) {
            QuireException mistake = refused;
            if (mistake != null) {
                reset();
                throw mistake;
            }
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
            for (int i = 0; i < parameters; i++) {
                ByteArrayOutputStream sent = longData.get(i);
                if (sent == null && (nulls[i / 8] >> (i % 8) & 1) != 0) {
                    values.add(SqlValue.NULL); // for which a driver may have told no type yet
                } else if (current == null) {
                    throw new QuireException(ErrorCode.UNKNOWN_COMMAND, "parameters without types");
                } else if (sent != null) {
                    values.add(BoundValue.ofLongData(sent.toByteArray(), current[i], set));
                } else {
                    values.add(BoundValue.read(reader, current[i], set));
                }
            }
            reset();
            return values;
        }

        /// An execution with these values. A text that is not long is read once.
        ClientStatement with(List<SqlValue> values) {
            ClientStatement known = read;
            if (known != null) {
                return known.with(values);
            }
            ClientStatement made =
                    ClientStatement.of(sql, values, true, false).preparedIn(database);
            if (sql.length() <= READ_ONCE_CHARACTERS) {
                read = made.with(List.of());
            }
            return made;
        }

        /// Whether an execution takes nothing but what comes with it.
        boolean isWhole() {
            return longData.isEmpty() && refused == null;
        }

        /// The command has no answer: what is wrong is told when the statement is executed.
        void append(int parameter, byte[] data) {
            if (parameter >= parameters) {
                refused =
                        new QuireException(
                                ErrorCode.WRONG_ARGUMENTS,
                                "Incorrect arguments to mysqld_stmt_send_long_data");
                return;
            }
            if (refused != null || data.length > maximumBytes - longBytes) {
                refuse(
                        new QuireException(
                                ErrorCode.PACKET_TOO_LARGE,
                                "Got a packet bigger than 'max_allowed_packet' bytes: the long data of one statement"));
                return;
            }
            try {
                kept.add(data.length);
            } catch (QuireException e) {
                refuse(e);
                return;
            }
            longBytes += data.length;
            longData.computeIfAbsent(parameter, p -> new ByteArrayOutputStream()).writeBytes(data);
        }

        private void refuse(QuireException mistake) {
            reset();
            refused = mistake;
        }

        void reset() {
            refused = null;
            kept.add(-longBytes);
            longBytes = 0;
            longData.clear();
        }

        private void forget() {
            reset();
            kept.add(-bytes(sql));
        }
    }

    /// Of what is kept for a statement: its text, and what was read of it.
    private static long bytes(String sql) {
        return sql.length() <= READ_ONCE_CHARACTERS
                ? Kept.of(sql) + READING * sql.length()
                : Kept.of(sql);
    }

    /// @param database the current one; empty for none
    long add(String sql, String database, int parameters) {
        if (parameters > MOST_PLACEHOLDERS) {
            throw new QuireException(
                    ErrorCode.TOO_MANY_PLACEHOLDERS,
                    "Prepared statement contains too many placeholders");
        }
        if (byId.size() >= limits.preparedStatements()) {
            throw new QuireException(
                    ErrorCode.TOO_MANY_PREPARED,
                    "Can't create more than max_prepared_stmt_count statements (current value: %d)"
                            .formatted(limits.preparedStatements()));
        }
        kept.add(bytes(sql));
        before = ++lastId;
        byId.put(before, new Prepared(sql, database, parameters, limits.packetBytes(), kept));
        return lastId;
    }

    /// Another statement is to be prepared, which may fail.
    void prepares() {
        before = 0;
    }

    Prepared get(long id) {
        Prepared prepared = byId.get(id == PREPARED_BEFORE ? before : id);
        if (prepared == null) {
            throw new QuireException(
                    ErrorCode.UNKNOWN_STATEMENT_HANDLER,
                    "Unknown prepared statement handler (" + id + ")");
        }
        return prepared;
    }

    /// Long data has no answer, so none tells that there is no such statement either: it would be
    /// taken for that of the next command.
    void append(long id, int parameter, byte[] data) {
        Prepared prepared = byId.get(id == PREPARED_BEFORE ? before : id);
        if (prepared != null) {
            prepared.append(parameter, data);
        }
    }

    void close(long id) {
        Prepared closed = byId.remove(id);
        if (closed != null) {
            closed.forget();
        }
    }

    void clear() {
        byId.values().forEach(Prepared::forget);
        byId.clear();
    }
}
