package org.quiredb.logger.log;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.logger.active.Fence;
import org.quiredb.logger.backend.Connections;

/// What one master offers, checked and stored by one statement, which is a transaction of its own:
/// one round trip for the commit that waits for it.
///
/// The statement stores all records or none, under the same row locks as {@link LogWork.Append}:
/// where this logger's term is in force and the class's epoch is the master's. The class's term it
/// knows by the epoch of the topology, whose record was read here before. Where the log ends is
/// remembered: while its term is in force nobody but this logger writes the log, and it does so
/// here. Where anything is otherwise the longer way finds out what. A master that says only what is
/// stable asks the database nothing: that stays true whoever is master, or logger, by now, as does
/// where the log ended.
///
/// Invariant: an end is remembered only of a transaction that was the last one of this logger, but
/// for quick appends of other classes. Threads: the log writer's.
final class QuickAppend {
    /// So many statements are prepared on a connection at most.
    private static final int MAXIMUM_ROWS = 128;

    private static final int MAXIMUM_BYTES = 256 << 10;
    private static final int DUPLICATE_KEY = 1062;
    private static final int NO_NULL = 1048;
    private static final String LOCKED =
            "quire.logger_active a JOIN quire.topology o JOIN quire.class_epoch e";
    private static final String IN_FORCE =
            """
            a.id = 1 AND a.term = ? AND o.id = 1 AND o.epoch = ?
            AND e.class_name = ? AND e.epoch > 0 AND GREATEST(e.epoch, ?) = ?
            LOCK IN SHARE MODE\
            """;

    private final Fence fence;
    private final Map<ConflictClass, Long> ends = new HashMap<>();
    private final Map<Integer, PreparedStatement> prepared = new HashMap<>();
    private @Nullable Connection preparedOn;
    private @Nullable Topology seen;

    /// @param fence of which no other logger has the term; without one nothing is done quickly
    QuickAppend(Fence fence) {
        this.fence = fence;
    }

    /// What is remembered of the log's ends may be otherwise by now.
    void forget() {
        ends.clear();
    }

    /// Work that was done the longer way, under the topology where that was looked at.
    void remember(List<LogWork> work, List<LogOutcome> outcomes, Optional<Topology> topology) {
        forget();
        topology.ifPresent(inForce -> seen = inForce);
        for (int i = 0; i < work.size(); i++) {
            if (work.get(i) instanceof LogWork.Append append
                    && outcomes.get(i) instanceof LogOutcome.Stored(long last, boolean repeated)) {
                ends.put(append.conflictClass(), last);
            } else {
                forget();
            }
        }
    }

    /// Does the work where it is one append after the end that is remembered.
    ///
    /// @param connection in autocommit mode, with a strict sql_mode
    Optional<LogOutcome> run(Connection connection, List<LogWork> work) throws SQLException {
        if (fence.term() > 0
                && seen != null
                && work.size() == 1
                && work.getFirst() instanceof LogWork.Append append) {
            Long end = ends.get(append.conflictClass());
            if (end != null && append.records().isEmpty()) {
                return Optional.of(new LogOutcome.Stored(end, true));
            }
            if (end != null && follow(append.records(), end)) {
                return store(connection, append, seen);
            }
        }
        return Optional.empty();
    }

    private static boolean follow(List<CommitRecord> records, long end) {
        for (int i = 0; i < records.size(); i++) {
            if (records.get(i).commitNumber() != end + 1 + i) {
                return false;
            }
        }
        return records.size() <= MAXIMUM_ROWS;
    }

    private Optional<LogOutcome> store(
            Connection connection, LogWork.Append append, Topology topology) throws SQLException {
        List<CommitRecord> records = append.records();
        List<byte[]> encoded = new ArrayList<>(records.size());
        int sizeBytes = 0;
        for (CommitRecord record : records) {
            ByteWriter writer = new ByteWriter(256);
            record.encode(writer);
            encoded.add(writer.toByteArray());
            sizeBytes += writer.size();
        }
        if (sizeBytes > MAXIMUM_BYTES) {
            return Optional.empty();
        }
        try {
            PreparedStatement insert = prepared(connection, encoded.size());
            int parameter = setInForce(insert, 1, append, topology);
            for (int i = 0; i < encoded.size(); i++) {
                if (i > 0) {
                    insert.setString(parameter++, append.conflictClass().name());
                }
                insert.setLong(parameter++, records.get(i).commitNumber());
                insert.setLong(parameter++, append.epoch());
                insert.setLong(parameter++, records.get(i).transactionId());
                insert.setBytes(parameter++, encoded.get(i));
            }
            insert.executeUpdate();
        } catch (SQLException e) {
            if (e.getErrorCode() == DUPLICATE_KEY || e.getErrorCode() == NO_NULL) {
                return Optional.empty();
            }
            throw e;
        }
        long last = records.getLast().commitNumber();
        ends.put(append.conflictClass(), last);
        return Optional.of(new LogOutcome.Stored(last, false));
    }

    /// Prepared by the server, which spares it most of what the statement costs.
    private PreparedStatement prepared(Connection connection, int rows) throws SQLException {
        if (!connection.equals(preparedOn)) {
            prepared.clear(); // they have gone with theirs
            preparedOn = connection;
        }
        PreparedStatement known = prepared.get(rows);
        if (known == null) {
            known = Connections.prepareOnServer(connection, sql(rows));
            prepared.put(rows, known);
        }
        return known;
    }

    /// Where it is not in force the first row has no class, which is refused. (INSERT with SELECT
    /// and without VALUES costs the server twice as much.)
    private static String sql(int rows) {
        return """
        INSERT INTO quire.commit_log (class_name, commit_number, part, epoch, transaction_id, record)
        VALUES ((SELECT e.class_name FROM %s WHERE %s), ?, 0, ?, ?, ?)%s\
        """
                .formatted(LOCKED, IN_FORCE, ", (?, ?, 0, ?, ?, ?)".repeat(rows - 1));
    }

    /// @return the parameter after its own
    private int setInForce(
            PreparedStatement statement, int first, LogWork.Append append, Topology topology)
            throws SQLException {
        int parameter = first;
        statement.setLong(parameter++, fence.term());
        statement.setLong(parameter++, topology.epoch());
        statement.setString(parameter++, append.conflictClass().name());
        statement.setLong(parameter++, topology.mastership(append.conflictClass()).term());
        statement.setLong(parameter++, append.epoch());
        return parameter;
    }
}
