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
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.logger.active.Fence;
import org.quiredb.logger.backend.Connections;

/// What one master offers, checked and stored by one statement, which is a transaction of its own:
/// one round trip for the commit that waits for it.
///
/// The statement stores all records or none, where this logger's term is in force: records name it
/// in a column that refers to the term of the active logger, whose row the server locks to check
/// that, as {@link Fence#require} does. While the term is in force nobody but this logger's writer
/// changes which epoch a class has, or writes its log. So the epoch, and where the log ends, are
/// remembered from the work done last, and hold as long as the term does; where anything is
/// otherwise the longer way finds out what. (A sub-query that reads the term, the topology and the
/// class's epoch under locks costs twice as much as the whole statement.) A master that says only
/// what is stable asks the database nothing: that stays true whoever is master, or logger, by now,
/// as does where the log ended.
///
/// So is who takes ids for new tables, which schema changes do one after the other: of those taken
/// the longer way some are left for the next ones, of whichever class.
///
/// Invariant: an end is remembered only of a transaction that was the last one of this logger, but
/// for quick appends of other classes. Threads: the log writer's.
final class QuickAppend {
    /// So many statements are prepared on a connection at most.
    private static final int MAXIMUM_ROWS = 128;

    private static final int MAXIMUM_BYTES = 256 << 10;
    private static final int SPARE_TABLE_IDS = 16;
    private static final int DUPLICATE_KEY = 1062;
    private static final int NO_PARENT = 1452;

    private final Fence fence;
    private final Map<ConflictClass, End> ends = new HashMap<>();
    private int nextTableId;
    private int endOfTableIds;
    private final Map<Integer, PreparedStatement> prepared = new HashMap<>();
    private @Nullable Connection preparedOn;

    /// Where a class's log ends, and the epoch that it is open for.
    private record End(long epoch, long commitNumber) {}

    /// @param fence of which no other logger has the term; without one nothing is done quickly
    QuickAppend(Fence fence) {
        this.fence = fence;
    }

    /// What is remembered of the log's ends may be otherwise by now.
    void forget() {
        ends.clear();
    }

    /// As the work is to be done the longer way. Of ids that are left it only asks whether the
    /// master may have them: one that nobody gets stays in every vector as a table yet to come.
    List<LogWork> widened(List<LogWork> work) {
        if (work.stream().anyMatch(LogWork.TakeTableIdsAnew.class::isInstance)) {
            endOfTableIds = 0; // the lesser ones are taken for those of dropped tables
        }
        return fence.term() > 0
                        && work.size() == 1
                        && work.getFirst() instanceof LogWork.TakeTableIds ids
                        && ids.count() > 0
                ? List.of(ids.and(isLeft(ids) ? -ids.count() : SPARE_TABLE_IDS))
                : work;
    }

    /// Work that was done the longer way.
    ///
    /// @param widened as {@link #widened} made it
    /// @return its outcomes
    List<LogOutcome> remember(
            List<LogWork> work, List<LogWork> widened, List<LogOutcome> outcomes) {
        forget();
        if (!work.equals(widened)
                && work.getFirst() instanceof LogWork.TakeTableIds ids
                && outcomes.getFirst() instanceof LogOutcome.TableIds(int first)) {
            if (!isLeft(ids)) {
                nextTableId = first;
                endOfTableIds = first + ids.count() + SPARE_TABLE_IDS;
            }
            return List.of(tableIds(ids).orElseThrow());
        }
        for (int i = 0; i < work.size(); i++) {
            if (work.get(i) instanceof LogWork.Append append
                    && outcomes.get(i) instanceof LogOutcome.Stored(long last, boolean repeated)) {
                ends.put(append.conflictClass(), new End(append.epoch(), last));
            } else {
                forget();
            }
        }
        return outcomes;
    }

    /// Does the work where it is one append after the end that is remembered, or takes ids that are
    /// left.
    ///
    /// @param connection in autocommit mode, with a strict sql_mode
    Optional<LogOutcome> run(Connection connection, List<LogWork> work) throws SQLException {
        if (fence.term() > 0
                && work.size() == 1
                && work.getFirst() instanceof LogWork.TakeTableIds ids
                && ends.get(ids.conflictClass()) instanceof End(long opened, long _)
                && opened == ids.epoch()) {
            return tableIds(ids);
        }
        if (fence.term() > 0
                && work.size() == 1
                && work.getFirst() instanceof LogWork.Append append
                && ends.get(append.conflictClass()) instanceof End(long epoch, long end)) {
            if (append.records().isEmpty()) {
                return Optional.of(new LogOutcome.Stored(end, true));
            }
            if (append.epoch() == epoch && follow(append.records(), end)) {
                return store(connection, append);
            }
        }
        return Optional.empty();
    }

    private Optional<LogOutcome> tableIds(LogWork.TakeTableIds ids) {
        if (ids.count() > 0 && !isLeft(ids)) {
            return Optional.empty();
        }
        int first = Math.max(nextTableId, ids.least());
        if (ids.count() > 0) {
            nextTableId = first + ids.count();
        }
        return Optional.of(new LogOutcome.TableIds(first));
    }

    private boolean isLeft(LogWork.TakeTableIds ids) {
        return Math.max(nextTableId, ids.least()) + ids.count() <= endOfTableIds;
    }

    private static boolean follow(List<CommitRecord> records, long end) {
        for (int i = 0; i < records.size(); i++) {
            if (records.get(i).commitNumber() != end + 1 + i) {
                return false;
            }
        }
        return records.size() <= MAXIMUM_ROWS;
    }

    private Optional<LogOutcome> store(Connection connection, LogWork.Append append)
            throws SQLException {
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
            int parameter = 1;
            for (int i = 0; i < encoded.size(); i++) {
                insert.setString(parameter++, append.conflictClass().name());
                insert.setLong(parameter++, records.get(i).commitNumber());
                insert.setLong(parameter++, append.epoch());
                insert.setLong(parameter++, records.get(i).transactionId());
                insert.setBytes(parameter++, encoded.get(i));
                insert.setLong(parameter++, fence.term());
            }
            insert.executeUpdate();
        } catch (SQLException e) {
            if (e.getErrorCode() == DUPLICATE_KEY || e.getErrorCode() == NO_PARENT) {
                return Optional.empty();
            }
            throw e;
        }
        long last = records.getLast().commitNumber();
        ends.put(append.conflictClass(), new End(append.epoch(), last));
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

    private static String sql(int rows) {
        return """
        INSERT INTO quire.commit_log
            (class_name, commit_number, part, epoch, transaction_id, record, term)
        VALUES (?, ?, 0, ?, ?, ?, ?)%s\
        """
                .formatted(", (?, ?, 0, ?, ?, ?, ?)".repeat(rows - 1));
    }
}
