package org.quiredb.logger.apply;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.LoggedStatement;
import org.quiredb.logger.backend.BackendErrors;
import org.quiredb.logger.backend.Connections;
import org.quiredb.logger.log.SchemaStatement;

/// Executes commit records on one connection and moves the backend's mark with them.
///
/// Threads: one.
public final class RecordRunner implements AutoCloseable {
    /// MySQL 8 refuses dates of zeroes by default, MariaDB and the tier do not. What is committed
    /// has to be applied.
    private static final String WITH_ZERO_DATES =
            "SET sql_mode = REPLACE(REPLACE(REPLACE(@@sql_mode,"
                    + " 'NO_ZERO_IN_DATE', ''), 'NO_ZERO_DATE', ''), 'TRADITIONAL', '')";

    private final Connection connection;
    private final ConflictClass conflictClass;
    private String database = "";
    private long timestampMicros = -1;
    private List<String> settings = List.of();

    public RecordRunner(Connection connection, ConflictClass conflictClass) throws SQLException {
        this.connection = connection;
        this.conflictClass = conflictClass;
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute(WITH_ZERO_DATES);
        }
    }

    /// The backend's mark, created at 0 where the class is new to it.
    long readApplied() throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement(
                        "INSERT IGNORE INTO quire.applied (class_name, commit_number) VALUES (?, 0)")) {
            insert.setString(1, conflictClass.name());
            insert.executeUpdate();
        }
        try (PreparedStatement query =
                connection.prepareStatement(
                        "SELECT commit_number FROM quire.applied WHERE class_name = ?")) {
            query.setString(1, conflictClass.name());
            try (ResultSet result = query.executeQuery()) {
                result.next();
                long applied = result.getLong(1);
                connection.commit();
                return applied;
            }
        }
    }

    /// Applies contiguous records that hold queries only, in one transaction.
    ///
    /// @return the new mark, or empty when the backend's mark is not where it was thought to be
    OptionalLong apply(List<CommitRecord> records) throws SQLException {
        long last = records.getLast().commitNumber();
        try {
            if (!mark(records.getFirst().commitNumber() - 1, last)) {
                connection.rollback();
                return OptionalLong.empty();
            }
            for (CommitRecord record : records) {
                for (LoggedStatement statement : record.statements()) {
                    run(record.commitNumber(), statement);
                }
            }
            connection.commit();
            return OptionalLong.of(last);
        } catch (SQLException | DriftException e) {
            connection.rollback();
            throw e;
        }
    }

    /// Carries out a schema change, unless it is done already, and marks it.
    ///
    /// @return empty when the backend's mark is not where it was thought to be
    /// @throws SQLException when the backend refuses and nothing has changed
    public Optional<SchemaOutcome> changeSchema(CommitRecord record) throws SQLException {
        SchemaIntent intent = new SchemaIntent(connection, conflictClass);
        intent.lock();
        try {
            long before = record.commitNumber() - 1;
            if (readApplied() != before) {
                return Optional.empty();
            }
            SchemaOutcome outcome = carryOut(intent, record);
            boolean marked = mark(before, record.commitNumber());
            connection.commit();
            return marked ? Optional.of(outcome) : Optional.empty();
        } finally {
            database = ""; // the one in use may be dropped and created anew
            if (!connection.isClosed()) {
                intent.release();
            }
        }
    }

    private SchemaOutcome carryOut(SchemaIntent intent, CommitRecord record) throws SQLException {
        LoggedStatement change = record.statements().getFirst();
        String now = SchemaFootprint.of(connection, change);
        Optional<String> begun = intent.read(record);
        boolean changed = begun.isPresent() && !begun.get().equals(now);
        if (changed && !SchemaStatement.drops(change.sql())) {
            return SchemaOutcome.DONE;
        }
        if (begun.isEmpty()) {
            intent.write(record, now);
        }
        try {
            database = "";
            return execute(change, SchemaOutcome::of);
        } catch (SQLException e) {
            if (changed && BackendErrors.saysAlreadyDone(e)) {
                return SchemaOutcome.DONE;
            }
            if (BackendErrors.isTransient(e)
                    || SchemaFootprint.of(connection, change).equals(now)) {
                throw e;
            }
            return new SchemaOutcome(0, 0, e);
        }
    }

    private boolean mark(long from, long to) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement(
                        "UPDATE quire.applied SET commit_number = ? WHERE class_name = ? AND commit_number = ?")) {
            update.setLong(1, to);
            update.setString(2, conflictClass.name());
            update.setLong(3, from);
            return update.executeUpdate() == 1;
        }
    }

    private void run(long commitNumber, LoggedStatement logged) throws SQLException {
        long count = execute(logged, Statement::getLargeUpdateCount);
        if (logged.affectedRows() >= 0 && count != logged.affectedRows()) {
            throw new DriftException(
                    "commit "
                            + commitNumber
                            + " of "
                            + conflictClass
                            + ": a query found "
                            + count
                            + " rows here, but "
                            + logged.affectedRows()
                            + " on the master");
        }
    }

    private interface Answer<T> {
        T of(Statement executed) throws SQLException;
    }

    private <T> T execute(LoggedStatement logged, Answer<T> answer) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (!logged.database().isEmpty() && !logged.database().equals(database)) {
                statement.execute("USE `" + logged.database().replace("`", "``") + "`");
                database = logged.database();
            }
            fixSettings(statement, logged.settings());
            fixSession(statement, logged);
            statement.executeLargeUpdate(logged.sql());
            return answer.of(statement);
        }
    }

    private void fixSettings(Statement statement, List<String> wanted) throws SQLException {
        if (!wanted.equals(settings)) {
            statement.execute("SET foreign_key_checks = DEFAULT, sql_mode = DEFAULT");
            statement.execute(WITH_ZERO_DATES);
            for (String setting : wanted) {
                statement.execute(setting);
            }
            settings = List.copyOf(wanted);
        }
    }

    private void fixSession(Statement statement, LoggedStatement logged) throws SQLException {
        boolean sameTime = logged.timestampMicros() == timestampMicros;
        if (!sameTime || logged.insertId() != 0) {
            String time = sameTime ? "" : "TIMESTAMP=" + seconds(logged.timestampMicros());
            String insertId = logged.insertId() == 0 ? "" : "INSERT_ID=" + logged.insertId();
            statement.execute(
                    "SET " + time + (time.isEmpty() || insertId.isEmpty() ? "" : ", ") + insertId);
            timestampMicros = logged.timestampMicros();
        }
    }

    private static String seconds(long micros) {
        return micros == 0
                ? "DEFAULT"
                : String.format(Locale.ROOT, "%d.%06d", micros / 1_000_000, micros % 1_000_000);
    }

    @Override
    public void close() {
        Connections.close(connection);
    }
}
