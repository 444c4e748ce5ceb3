package org.quiredb.logger.set;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.logger.log.CommitLog;

/// Makes the log of one backend that of another: what differs at its end is cut off, what it lacks
/// is copied.
///
/// Two records with the same number, epoch and transaction are the same, and so are all before
/// them: a record is logged after the one before it only. Threads: one per connection.
final class LogCopy {
    private static final int CHUNK = 512;

    private final Connection from;
    private final Connection to;

    LogCopy(Connection from, Connection to) {
        this.from = from;
        this.to = to;
    }

    /// The log cannot be made whole.
    static final class StaleException extends Exception {
        private static final long serialVersionUID = 1;

        StaleException(String message) {
            super(message);
        }
    }

    /// Runs between chunks; what was copied since the last one may be committed.
    interface Pause {
        void pause() throws SQLException;
    }

    void records(Pause pause) throws SQLException, StaleException {
        for (ConflictClass conflictClass : classes()) {
            records(conflictClass, pause);
        }
    }

    /// Which epochs opened which classes, the topology, the schedulers, and which table ids are
    /// given.
    void epochs() throws SQLException {
        table("class_epoch", "class_name, epoch");
        table("topology", "id, epoch, record");
        table("schedulers", "id, epoch, record");
        table("table_ids", "id, next_id");
    }

    /// By how many commits the one has applied less than the other, in the class where it is most.
    long behind() throws SQLException {
        long behind = 0;
        for (ConflictClass conflictClass : classes()) {
            behind = Math.max(behind, applied(from, conflictClass) - applied(to, conflictClass));
        }
        return behind;
    }

    private Set<ConflictClass> classes() throws SQLException {
        Set<ConflictClass> classes = new LinkedHashSet<>(new CommitLog(from).classes());
        classes.addAll(new CommitLog(to).classes());
        return classes;
    }

    /// An excluded backend may have applied more than its own log holds: its appliers read
    /// another's.
    private void records(ConflictClass conflictClass, Pause pause)
            throws SQLException, StaleException {
        long applied = applied(to, conflictClass);
        long end = new CommitLog(from).lastCommitNumber(conflictClass);
        if (applied > end) {
            throw new StaleException(
                    "it has applied commit %d of %s, and the log ends at %d"
                            .formatted(applied, conflictClass, end));
        }
        long last = common(conflictClass);
        new CommitLog(to).cutOff(conflictClass, last);
        while (last < end) {
            long copied = chunk(conflictClass, last, applied);
            if (copied == last) {
                throw new StaleException(
                        "of %s it has applied commit %d and logged %d, and what follows is kept no more"
                                .formatted(conflictClass, applied, last));
            }
            last = copied;
            pause.pause();
        }
    }

    /// The last commit up to which both logs are known to be the same; 0 when they have none in
    /// common.
    private long common(ConflictClass conflictClass) throws SQLException {
        long last = Math.min(logEnd(from, conflictClass), logEnd(to, conflictClass));
        while (last > 0) {
            Map<Long, List<Long>> here = identities(to, conflictClass, last);
            Map<Long, List<Long>> there = identities(from, conflictClass, last);
            for (long stop = Math.max(0, last - CHUNK); last > stop; last--) {
                List<Long> one = here.get(last);
                if (one == null || there.get(last) == null) {
                    return 0;
                }
                if (one.equals(there.get(last))) {
                    return last;
                }
            }
        }
        return 0;
    }

    private static long logEnd(Connection connection, ConflictClass conflictClass)
            throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement(
                        "SELECT MAX(commit_number) FROM quire.commit_log WHERE class_name = ?")) {
            query.setString(1, conflictClass.name());
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private static Map<Long, List<Long>> identities(
            Connection connection, ConflictClass conflictClass, long last) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement(
                        """
                        SELECT commit_number, epoch, transaction_id FROM quire.commit_log
                        WHERE class_name = ? AND commit_number > ? AND commit_number <= ?\
                        """)) {
            query.setString(1, conflictClass.name());
            query.setLong(2, last - CHUNK);
            query.setLong(3, last);
            Map<Long, List<Long>> identities = new HashMap<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    identities.put(row.getLong(1), List.of(row.getLong(2), row.getLong(3)));
                }
            }
            return identities;
        }
    }

    /// @param applied up to here there may be a gap, which is where the log begins that is copied
    /// @return the last commit copied
    private long chunk(ConflictClass conflictClass, long after, long applied) throws SQLException {
        long last = after;
        try (PreparedStatement query =
                from.prepareStatement(
                        """
                        SELECT DISTINCT commit_number FROM quire.commit_log
                        WHERE class_name = ? AND commit_number > ?
                        ORDER BY commit_number LIMIT 512\
                        """)) {
            query.setString(1, conflictClass.name());
            query.setLong(2, after);
            try (ResultSet row = query.executeQuery()) {
                while (row.next() && row.getLong(1) <= Math.max(last, applied) + 1) {
                    last = row.getLong(1);
                }
            }
        }
        copy(conflictClass, after, last);
        return last;
    }

    private void copy(ConflictClass conflictClass, long after, long last) throws SQLException {
        try (PreparedStatement query =
                        from.prepareStatement(
                                """
                                SELECT commit_number, part, epoch, transaction_id, record
                                FROM quire.commit_log
                                WHERE class_name = ? AND commit_number > ? AND commit_number <= ?
                                ORDER BY commit_number, part\
                                """);
                PreparedStatement insert =
                        to.prepareStatement(
                                """
                                INSERT INTO quire.commit_log
                                (class_name, commit_number, part, epoch, transaction_id, record)
                                VALUES (?, ?, ?, ?, ?, ?)\
                                """)) {
            query.setFetchSize(Integer.MIN_VALUE); // row by row
            query.setString(1, conflictClass.name());
            query.setLong(2, after);
            query.setLong(3, last);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    insert.setString(1, conflictClass.name());
                    insert.setLong(2, row.getLong(1));
                    insert.setInt(3, row.getInt(2));
                    insert.setLong(4, row.getLong(3));
                    insert.setLong(5, row.getLong(4));
                    insert.setBytes(6, row.getBytes(5));
                    insert.executeUpdate();
                }
            }
        }
    }

    private void table(String name, String columns) throws SQLException {
        int count = columns.split(",").length;
        try (Statement statement = to.createStatement()) {
            statement.executeUpdate("DELETE FROM quire." + name);
        }
        try (Statement query = from.createStatement();
                ResultSet row = query.executeQuery("SELECT " + columns + " FROM quire." + name);
                PreparedStatement insert =
                        to.prepareStatement(
                                "INSERT INTO quire.%s (%s) VALUES (%s)"
                                        .formatted(name, columns, "?" + ", ?".repeat(count - 1)))) {
            while (row.next()) {
                for (int i = 1; i <= count; i++) {
                    insert.setBytes(i, row.getBytes(i));
                }
                insert.executeUpdate();
            }
        }
    }

    private static long applied(Connection connection, ConflictClass conflictClass)
            throws SQLException {
        return new CommitLog(connection).applied(conflictClass);
    }
}
