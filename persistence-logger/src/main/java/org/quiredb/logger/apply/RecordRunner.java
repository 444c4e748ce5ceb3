package org.quiredb.logger.apply;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.common.writeset.RowShape;
import org.quiredb.logger.backend.BackendErrors;
import org.quiredb.logger.backend.Connections;
import org.quiredb.logger.snapshot.SchemaReader;

/// Carries out commit records on one connection and moves the backend's mark with them.
///
/// Threads: one.
public final class RecordRunner implements AutoCloseable {
    /// Stores every value as it is, or fails.
    private static final String AS_THEY_ARE =
            "SET sql_mode = 'STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES',"
                    + " time_zone = '+00:00', unique_checks = 1, foreign_key_checks = 0"
                    + "/*M! , check_constraint_checks = 0 */";

    /// A statement's text is in memory three times on its way; and characters may be four bytes.
    private static final int MAXIMUM_CHARACTERS = 1 << 18;

    private static final int LARGE_BYTES = 1 << 20;
    private static final int ROWS_OF_A_PART = 1000;

    private final Connection connection;
    private final ConflictClass conflictClass;
    private final Map<String, Boolean> scanned = new HashMap<>();
    private boolean storesAsTheyAre;

    public RecordRunner(Connection connection, ConflictClass conflictClass) throws SQLException {
        this.connection = connection;
        this.conflictClass = conflictClass;
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        connection.setAutoCommit(false);
    }

    /// The backend's mark, created at 0 where the class is new to it.
    long readApplied() throws SQLException {
        OptionalLong applied = applied();
        if (applied.isEmpty()) {
            try (PreparedStatement insert =
                    connection.prepareStatement(
                            "INSERT IGNORE INTO quire.applied (class_name, commit_number) VALUES (?, 0)")) {
                insert.setString(1, conflictClass.name());
                insert.executeUpdate();
            }
            applied = applied();
        }
        connection.commit();
        return applied.orElseThrow();
    }

    private OptionalLong applied() throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement(
                        "SELECT commit_number FROM quire.applied WHERE class_name = ?")) {
            query.setString(1, conflictClass.name());
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
            }
        }
    }

    /// As the backend has them now.
    List<TableDefinition> tables() throws SQLException {
        List<TableDefinition> tables = new SchemaReader(connection).tables();
        connection.commit();
        return tables;
    }

    /// Applies contiguous records that change rows only, in one transaction.
    ///
    /// @return the new mark, or empty when the backend's mark is not where it was thought to be
    OptionalLong apply(List<CommitRecord> records) throws SQLException {
        long last = records.getLast().commitNumber();
        try {
            if (!mark(records.getFirst().commitNumber() - 1, last)) {
                connection.rollback();
                return OptionalLong.empty();
            }
            if (records.size() == 1 && records.getFirst().sizeBytes() > LARGE_BYTES) {
                runInParts(records.getFirst());
            } else {
                NetChanges changes = new NetChanges();
                records.forEach(record -> changes.add(record.rows()));
                run(records, changes);
            }
            connection.commit();
            return OptionalLong.of(last);
        } catch (SQLException | DriftException e) {
            connection.rollback();
            throw e;
        }
    }

    /// A record names a row once but for a delete and an insert: it is read three times, for each
    /// kind of change, and never held as a whole.
    private void runInParts(CommitRecord record) throws SQLException {
        for (Set<RowShape.Kind> kinds : NetChanges.KINDS_IN_ORDER) {
            NetChanges part = new NetChanges();
            int rows = 0;
            for (RowChange change : record.rows()) {
                if (kinds.contains(change.shape().kind())) {
                    part.add(change);
                    rows++;
                }
                if (rows == ROWS_OF_A_PART) {
                    run(List.of(record), part);
                    part = new NetChanges();
                    rows = 0;
                }
            }
            run(List.of(record), part);
        }
    }

    /// What became of rows that were looked at one by one.
    ///
    /// @param reached the mark; empty when the backend's is not where it was thought to be
    /// @param owed rows that are not what they should be
    /// @param met how many were not as expected
    record Mended(OptionalLong reached, List<RowChange> owed, int met) {}

    private interface Mending {
        void run(RowByRow rows, Statement statement) throws SQLException;
    }

    /// As {@link #apply}, where the backend has rows otherwise than the tier.
    Mended applyRowByRow(CommitRecord record) throws SQLException {
        return mend(
                record.commitNumber() - 1,
                record.commitNumber(),
                (rows, statement) -> {
                    for (Set<RowShape.Kind> kinds : NetChanges.KINDS_IN_ORDER) {
                        for (RowChange change : record.rows()) {
                            if (change.shape().kind() == RowShape.Kind.RAISE
                                    && kinds.contains(RowShape.Kind.RAISE)) {
                                raise(statement, change);
                            } else if (kinds.contains(change.shape().kind())) {
                                rows.run(change);
                            }
                        }
                    }
                });
    }

    /// Puts rows in the place of what the keys name, where the backend is at exactly that commit.
    Mended put(long at, List<RowChange> keys, List<RowChange> rows) throws SQLException {
        return mend(at, at, (mending, statement) -> mending.put(keys, rows));
    }

    private Mended mend(long from, long to, Mending mending) throws SQLException {
        try (Statement statement = storing()) {
            if (!mark(from, to)) {
                connection.rollback();
                return new Mended(OptionalLong.empty(), List.of(), 0);
            }
            RowByRow rows = new RowByRow(connection, statement);
            mending.run(rows, statement);
            connection.commit();
            return new Mended(OptionalLong.of(to), rows.owed(), rows.met());
        } catch (SQLException | RuntimeException e) {
            connection.rollback();
            throw e;
        }
    }

    private Statement storing() throws SQLException {
        Statement statement = connection.createStatement();
        if (!storesAsTheyAre) {
            statement.execute(AS_THEY_ARE);
            storesAsTheyAre = true;
        }
        return statement;
    }

    private void run(List<CommitRecord> records, NetChanges changes) throws SQLException {
        try (Statement statement = storing()) {
            List<RowSql.Counted> counted = new ArrayList<>();
            RowSql sql = new RowSql(MAXIMUM_CHARACTERS, this::isScanned);
            for (RowSql.Counted each : sql.of(changes)) {
                if (each.list().isEmpty()) {
                    counted.add(each);
                } else if (!finds(statement, each)) {
                    counted.addAll(each.oneByOne());
                }
            }
            check(records, counted, execute(statement, counted));
            for (NetChanges.Table table : changes.tables()) {
                if (table.raise() != null) {
                    raise(statement, table.raise());
                }
            }
        } catch (BatchUpdateException e) {
            throw e.getCause() instanceof SQLException cause ? cause : e;
        }
    }

    /// Whether a table has no index. Asked once: after a schema change of the class somebody else
    /// goes on.
    private boolean isScanned(RowShape shape) {
        return scanned.computeIfAbsent(RowSql.name(shape), name -> !hasIndex(shape));
    }

    private boolean hasIndex(RowShape shape) {
        try (PreparedStatement query =
                connection.prepareStatement(
                        "SELECT 1 FROM information_schema.STATISTICS"
                                + " WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? LIMIT 1")) {
            query.setString(1, shape.schema());
            query.setString(2, shape.table());
            try (ResultSet row = query.executeQuery()) {
                return row.next();
            }
        } catch (SQLException e) {
            return true; // what comes next will say what is wrong
        }
    }

    /// Deletes come before all else, so that these may come before other deletes. A list that the
    /// server does not take, as for its length, finds nothing.
    private boolean finds(Statement statement, RowSql.Counted deletes) throws SQLException {
        Savepoint before = connection.setSavepoint();
        try {
            if (statement.executeLargeUpdate(deletes.sql()) == deletes.rows()) {
                connection.releaseSavepoint(before);
                return true;
            }
        } catch (SQLException e) {
            if (BackendErrors.mayPass(e)) {
                throw e;
            }
        }
        connection.rollback(before);
        return false;
    }

    /// The driver sends a batch as one text of several statements, but none of a length near the
    /// server's largest packet.
    private static long[] execute(Statement statement, List<RowSql.Counted> counted)
            throws SQLException {
        if (counted.stream()
                .allMatch(each ->
                        each.values().isEmpty() && each.sql().length() <= MAXIMUM_CHARACTERS)) {
            for (RowSql.Counted each : counted) {
                statement.addBatch(each.sql());
            }
            return statement.executeLargeBatch();
        }
        long[] found = new long[counted.size()];
        for (int i = 0; i < found.length; i++) {
            found[i] = counted.get(i).run(statement);
        }
        return found;
    }

    private void check(List<CommitRecord> records, List<RowSql.Counted> counted, long[] found) {
        for (int i = 0; i < found.length; i++) {
            if (found[i] != counted.get(i).rows()) {
                throw new DriftException(
                        "commit %d of %s: a statement found %d rows here, but %d are changed on the master"
                                .formatted(
                                        records.getLast().commitNumber(),
                                        conflictClass,
                                        found[i],
                                        counted.get(i).rows()));
            }
        }
    }

    /// A row with the value comes and is rolled back, which is all that makes InnoDB count on
    /// without ending the transaction. Where none can be made, as for a unique key, the position
    /// stays what it is.
    private void raise(Statement statement, RowChange raise) throws SQLException {
        String table = RowSql.name(raise.shape());
        String column = RowSql.quote(raise.shape().counter());
        String value = raise.values().getFirst().literal();
        Savepoint before = connection.setSavepoint();
        try {
            statement.execute("SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO'");
            statement.execute("INSERT INTO %s (%s) VALUES (%s)".formatted(table, column, value));
        } catch (SQLException e) {
            if (BackendErrors.mayPass(e)) {
                throw e;
            }
        }
        connection.rollback(before);
        statement.execute(AS_THEY_ARE);
    }

    /// As {@link SchemaRunner#change}; whoever has it done begins anew, with another session.
    Optional<SchemaOutcome> changeSchema(CommitRecord record) throws SQLException {
        connection.setAutoCommit(true);
        SchemaRunner runner = SchemaRunner.of(connection, conflictClass, false);
        try {
            return runner.change(record);
        } finally {
            if (!connection.isClosed()) {
                runner.release();
                connection.setAutoCommit(false);
            }
        }
    }

    private boolean mark(long from, long to) throws SQLException {
        return mark(connection, conflictClass, from, to);
    }

    static boolean mark(Connection connection, ConflictClass conflictClass, long from, long to)
            throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement(
                        "UPDATE quire.applied SET commit_number = ? WHERE class_name = ? AND commit_number = ?")) {
            update.setLong(1, to);
            update.setString(2, conflictClass.name());
            update.setLong(3, from);
            return update.executeUpdate() == 1;
        }
    }

    @Override
    public void close() {
        Connections.close(connection);
    }
}
