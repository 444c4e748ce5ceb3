package org.quiredb.logger.log;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.logger.backend.Connections;

/// The statements on Quire's own tables of the first backend. Each runs in the caller's
/// transaction.
///
/// Threads: one per connection.
public final class CommitLog implements LogTables {
    private static final int MAXIMUM_ROWS_PER_INSERT = 128;
    private static final int MAXIMUM_BYTES_PER_INSERT = 256 << 10;
    private static final int MAXIMUM_BYTES_PER_PART = 256 << 10;
    private static final int MAXIMUM_BYTES_READ = 16 << 20;

    private final Connection connection;

    public CommitLog(Connection connection) {
        this.connection = connection;
    }

    @Override
    public LogTail lockTail(ConflictClass conflictClass) throws SQLException {
        long inForce = lockTopology().mastership(conflictClass).term();
        long opened = 0;
        try (PreparedStatement query =
                connection.prepareStatement(
                        "SELECT epoch FROM quire.class_epoch WHERE class_name = ? FOR UPDATE")) {
            query.setString(1, conflictClass.name());
            try (ResultSet result = query.executeQuery()) {
                if (result.next()) {
                    opened = result.getLong(1);
                }
            }
        }
        return new LogTail(opened, inForce, lastCommitNumber(conflictClass));
    }

    @Override
    public Topology lockTopology() throws SQLException {
        return topology(" FOR UPDATE");
    }

    /// The topology in force; before the first one, none at the newest epoch of any class.
    public Topology topology() throws SQLException {
        return topology("");
    }

    private Topology topology(String lock) throws SQLException {
        try (PreparedStatement query =
                        connection.prepareStatement(
                                "SELECT record FROM quire.topology WHERE id = 1" + lock);
                ResultSet result = query.executeQuery()) {
            if (!result.next()) {
                return Topology.vacant(highestEpoch());
            }
            ByteReader reader = new ByteReader(result.getBytes(1));
            Topology topology = Topology.decode(reader);
            reader.finish();
            return topology;
        }
    }

    @Override
    public void store(Topology topology) throws SQLException {
        ByteWriter writer = new ByteWriter(256);
        topology.encode(writer);
        store("topology", topology.epoch(), writer);
    }

    private void store(String table, long epoch, ByteWriter record) throws SQLException {
        try (PreparedStatement replace =
                connection.prepareStatement(
                        "REPLACE INTO quire." + table + " (id, epoch, record) VALUES (1, ?, ?)")) {
            replace.setLong(1, epoch);
            replace.setBytes(2, record.toByteArray());
            replace.executeUpdate();
        }
    }

    @Override
    public int nextTableId() throws SQLException {
        try (PreparedStatement query =
                        connection.prepareStatement(
                                "SELECT next_id FROM quire.table_ids WHERE id = 1 FOR UPDATE");
                ResultSet result = query.executeQuery()) {
            return result.next() ? result.getInt(1) : 0;
        }
    }

    @Override
    public void storeNextTableId(int next) throws SQLException {
        try (PreparedStatement replace =
                connection.prepareStatement(
                        "REPLACE INTO quire.table_ids (id, next_id) VALUES (1, ?)")) {
            replace.setInt(1, next);
            replace.executeUpdate();
        }
    }

    /// The schedulers, nobody before the first one.
    public Schedulers schedulers() throws SQLException {
        return schedulers("");
    }

    @Override
    public Schedulers lockSchedulers() throws SQLException {
        return schedulers(" FOR UPDATE");
    }

    private Schedulers schedulers(String lock) throws SQLException {
        try (PreparedStatement query =
                        connection.prepareStatement(
                                "SELECT record FROM quire.schedulers WHERE id = 1" + lock);
                ResultSet result = query.executeQuery()) {
            if (!result.next()) {
                return Schedulers.NOBODY;
            }
            ByteReader reader = new ByteReader(result.getBytes(1));
            Schedulers schedulers = Schedulers.decode(reader);
            reader.finish();
            return schedulers;
        }
    }

    @Override
    public void store(Schedulers schedulers) throws SQLException {
        ByteWriter writer = new ByteWriter(256);
        schedulers.encode(writer);
        store("schedulers", schedulers.epoch(), writer);
    }

    /// One question, as replicas and schedulers ask several times a second: {@link
    /// #lastCommitNumber} of each class. Neither server finds a MAX by the end of an index here.
    @Override
    public List<ClassPosition> ends() throws SQLException {
        try (PreparedStatement query =
                        connection.prepareStatement(
                                """
                                SELECT e.class_name, GREATEST(
                                    COALESCE((SELECT l.commit_number FROM quire.commit_log l
                                        WHERE l.class_name = e.class_name
                                        ORDER BY l.commit_number DESC LIMIT 1), 0),
                                    COALESCE((SELECT a.commit_number FROM quire.applied a
                                        WHERE a.class_name = e.class_name), 0))
                                FROM quire.class_epoch e ORDER BY e.class_name\
                                """);
                ResultSet row = query.executeQuery()) {
            List<ClassPosition> ends = new ArrayList<>();
            while (row.next()) {
                ends.add(new ClassPosition(new ConflictClass(row.getString(1)), row.getLong(2)));
            }
            return ends;
        }
    }

    @Override
    public List<ClassPosition> applied() throws SQLException {
        try (PreparedStatement query =
                        connection.prepareStatement(
                                "SELECT class_name, commit_number FROM quire.applied ORDER BY class_name");
                ResultSet row = query.executeQuery()) {
            List<ClassPosition> applied = new ArrayList<>();
            while (row.next()) {
                applied.add(new ClassPosition(new ConflictClass(row.getString(1)), row.getLong(2)));
            }
            return applied;
        }
    }

    @Override
    public long applied(ConflictClass conflictClass) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement(
                        "SELECT commit_number FROM quire.applied WHERE class_name = ?")) {
            query.setString(1, conflictClass.name());
            try (ResultSet result = query.executeQuery()) {
                return result.next() ? result.getLong(1) : 0;
            }
        }
    }

    @Override
    public void cutOff(ConflictClass conflictClass, long after) throws SQLException {
        try (PreparedStatement delete =
                connection.prepareStatement(
                        "DELETE FROM quire.commit_log WHERE class_name = ? AND commit_number > ?")) {
            delete.setString(1, conflictClass.name());
            delete.setLong(2, after);
            delete.executeUpdate();
        }
    }

    @Override
    public List<CommitRecord> find(ConflictClass conflictClass, long transactionId)
            throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement(
                        "SELECT part, record FROM quire.commit_log WHERE class_name = ? AND transaction_id = ?"
                                + " ORDER BY commit_number, part")) {
            query.setString(1, conflictClass.name());
            query.setLong(2, transactionId);
            return records(query);
        }
    }

    @Override
    public long forgottenUpTo(ConflictClass conflictClass) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement(
                        """
                        SELECT COALESCE(
                            (SELECT MIN(commit_number) - 1 FROM quire.commit_log WHERE class_name = ?),
                            (SELECT commit_number FROM quire.applied WHERE class_name = ?), 0)\
                        """)) {
            query.setString(1, conflictClass.name());
            query.setString(2, conflictClass.name());
            try (ResultSet result = query.executeQuery()) {
                result.next();
                return result.getLong(1);
            }
        }
    }

    /// The last commit number logged; where the log was pruned to nothing, the last one applied.
    public long lastCommitNumber(ConflictClass conflictClass) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement(
                        """
                        SELECT GREATEST(
                            COALESCE((SELECT MAX(commit_number) FROM quire.commit_log WHERE class_name = ?), 0),
                            COALESCE((SELECT commit_number FROM quire.applied WHERE class_name = ?), 0))\
                        """)) {
            query.setString(1, conflictClass.name());
            query.setString(2, conflictClass.name());
            try (ResultSet result = query.executeQuery()) {
                result.next();
                return result.getLong(1);
            }
        }
    }

    @Override
    public void storeEpoch(ConflictClass conflictClass, long epoch) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement(
                        """
                        INSERT INTO quire.class_epoch (class_name, epoch) VALUES (?, ?)
                        ON DUPLICATE KEY UPDATE epoch = GREATEST(epoch, VALUES(epoch))\
                        """)) {
            update.setString(1, conflictClass.name());
            update.setLong(2, epoch);
            update.executeUpdate();
        }
    }

    @Override
    public void insert(ConflictClass conflictClass, long epoch, List<CommitRecord> records)
            throws SQLException {
        List<Part> together = new ArrayList<>();
        int sizeBytes = 0;
        for (CommitRecord record : records) {
            for (Part part : Part.of(record)) {
                boolean full =
                        together.size() == MAXIMUM_ROWS_PER_INSERT
                                || sizeBytes + part.bytes.length > MAXIMUM_BYTES_PER_INSERT;
                if (full && !together.isEmpty()) {
                    insertParts(conflictClass, epoch, together);
                    together.clear();
                    sizeBytes = 0;
                }
                together.add(part);
                sizeBytes += part.bytes.length;
            }
        }
        if (!together.isEmpty()) {
            insertParts(conflictClass, epoch, together);
        }
    }

    /// A row of the log: what of a record fits into one packet of any server (1 MiB).
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Part(CommitRecord record, int number, byte[] bytes) {
        static List<Part> of(CommitRecord record) {
            ByteWriter writer = new ByteWriter(256);
            record.encode(writer);
            List<Part> parts = new ArrayList<>(1);
            for (int from = 0; from < writer.size(); from += MAXIMUM_BYTES_PER_PART) {
                int to = Math.min(writer.size(), from + MAXIMUM_BYTES_PER_PART);
                byte[] bytes = Arrays.copyOfRange(writer.array(), from, to);
                parts.add(new Part(record, parts.size(), bytes));
            }
            return parts;
        }
    }

    private void insertParts(ConflictClass conflictClass, long epoch, List<Part> parts)
            throws SQLException {
        String rows = "(?, ?, ?, ?, ?, ?)" + ", (?, ?, ?, ?, ?, ?)".repeat(parts.size() - 1);
        // By the server, which takes bytes as they are: the driver would send their digits.
        try (PreparedStatement insert =
                Connections.prepareOnServer(
                        connection,
                        "INSERT INTO quire.commit_log"
                                + " (class_name, commit_number, part, epoch, transaction_id, record)"
                                + " VALUES "
                                + rows)) {
            int parameter = 1;
            for (Part part : parts) {
                insert.setString(parameter++, conflictClass.name());
                insert.setLong(parameter++, part.record.commitNumber());
                insert.setInt(parameter++, part.number);
                insert.setLong(parameter++, epoch);
                insert.setLong(parameter++, part.record.transactionId());
                insert.setBytes(parameter++, part.bytes);
            }
            insert.executeUpdate();
        }
    }

    @Override
    public void delete(ConflictClass conflictClass, long commitNumber) throws SQLException {
        try (PreparedStatement delete =
                connection.prepareStatement(
                        "DELETE FROM quire.commit_log WHERE class_name = ? AND commit_number = ?")) {
            delete.setString(1, conflictClass.name());
            delete.setLong(2, commitNumber);
            delete.executeUpdate();
        }
    }

    @Override
    public boolean sameTransaction(ConflictClass conflictClass, CommitRecord record)
            throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement(
                        "SELECT transaction_id FROM quire.commit_log WHERE class_name = ? AND commit_number = ?")) {
            query.setString(1, conflictClass.name());
            query.setLong(2, record.commitNumber());
            try (ResultSet result = query.executeQuery()) {
                return !result.next() || result.getLong(1) == record.transactionId();
            }
        }
    }

    @Override
    public List<CommitRecord> read(ConflictClass conflictClass, long from, long to)
            throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement(
                        """
                        SELECT part, record FROM quire.commit_log
                        WHERE class_name = ? AND commit_number BETWEEN ? AND ?
                        ORDER BY commit_number, part\
                        """)) {
            query.setString(1, conflictClass.name());
            query.setLong(2, from);
            query.setLong(3, to);
            return records(query);
        }
    }

    /// No more than fit into memory besides other things, but at least one.
    private static List<CommitRecord> records(PreparedStatement query) throws SQLException {
        query.setFetchSize(Integer.MIN_VALUE); // row by row
        List<CommitRecord> records = new ArrayList<>();
        long sizeBytes = 0;
        ByteWriter parts = new ByteWriter(256);
        try (ResultSet result = query.executeQuery()) {
            while (result.next()) {
                byte[] part = result.getBytes(2);
                if (result.getInt(1) == 0 && parts.size() > 0) {
                    records.add(decoded(parts));
                    sizeBytes += parts.size();
                    parts = new ByteWriter(part.length);
                    if (sizeBytes > MAXIMUM_BYTES_READ) {
                        return records;
                    }
                }
                parts.raw(part, 0, part.length);
            }
        }
        if (parts.size() > 0) {
            records.add(decoded(parts));
        }
        return records;
    }

    private static CommitRecord decoded(ByteWriter parts) {
        ByteReader reader = new ByteReader(parts.array(), 0, parts.size());
        CommitRecord record = CommitRecord.decode(reader);
        reader.finish();
        return record;
    }

    /// The newest epoch of any class, 0 before the first master.
    public long highestEpoch() throws SQLException {
        try (PreparedStatement query =
                        connection.prepareStatement(
                                "SELECT COALESCE(MAX(epoch), 0) FROM quire.class_epoch");
                ResultSet result = query.executeQuery()) {
            result.next();
            return result.getLong(1);
        }
    }

    /// Every class that a master has opened.
    public List<ConflictClass> classes() throws SQLException {
        try (PreparedStatement query =
                        connection.prepareStatement(
                                "SELECT class_name FROM quire.class_epoch ORDER BY class_name");
                ResultSet result = query.executeQuery()) {
            List<ConflictClass> classes = new ArrayList<>();
            while (result.next()) {
                classes.add(new ConflictClass(result.getString(1)));
            }
            return classes;
        }
    }

    /// Forgets records up to a commit number that every backend has applied.
    public void prune(ConflictClass conflictClass, long upTo) throws SQLException {
        try (PreparedStatement delete =
                connection.prepareStatement(
                        "DELETE FROM quire.commit_log WHERE class_name = ? AND commit_number <= ?")) {
            delete.setString(1, conflictClass.name());
            delete.setLong(2, upTo);
            delete.executeUpdate();
        }
    }
}
