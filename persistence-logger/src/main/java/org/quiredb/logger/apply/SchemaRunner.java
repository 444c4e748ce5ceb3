package org.quiredb.logger.apply;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Optional;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.LoggedStatement;
import org.quiredb.logger.backend.BackendErrors;
import org.quiredb.logger.backend.KeptConnection;

/// Carries out a schema change on one connection, in autocommit mode, and moves the backend's mark.
///
/// A client waits for it, and most of what it takes are questions to and fro: each says all that it
/// can at once.
///
/// Threads: one.
public final class SchemaRunner {
    /// But for dates of zeroes: MySQL 8 refuses them by default, MariaDB and the tier do not. What
    /// is committed has to be applied.
    private static final String AS_THE_SERVER_WILL =
            "SET sql_mode = REPLACE(REPLACE(REPLACE(@@GLOBAL.sql_mode,"
                    + " 'NO_ZERO_IN_DATE', ''), 'NO_ZERO_DATE', ''), 'TRADITIONAL', ''),"
                    + " foreign_key_checks = DEFAULT/*M! , check_constraint_checks = DEFAULT */,"
                    + " TIMESTAMP = ";

    /// Literals of one with UTF-16 or UCS-2 do not name a time zone. There are none here. And the
    /// statement's session may have had little patience, while what is done has to be marked.
    private static final String AS_OUR_OWN =
            "SET character_set_client = utf8mb4, character_set_results = utf8mb4,"
                    + " collation_connection = utf8mb4_general_ci,"
                    + " lock_wait_timeout = DEFAULT, innodb_lock_wait_timeout = DEFAULT";

    private static final int LOCK_WAIT_TIMEOUT = 1205;

    private final Connection connection;
    private final ConflictClass conflictClass;
    private final SchemaIntent intent;
    private final boolean showsAlike;

    private SchemaRunner(Connection connection, ConflictClass conflictClass, boolean showsAlike) {
        this.connection = connection;
        this.conflictClass = conflictClass;
        this.showsAlike = showsAlike;
        this.intent = new SchemaIntent(connection, conflictClass);
    }

    /// A connection for one that comes after another soon.
    public static KeptConnection kept() {
        return new KeptConnection("READ COMMITTED");
    }

    /// Keeps others from the class's schema, which is all that it does.
    ///
    /// @param showsAlike as a kept connection does
    /// @throws SQLException as for a lost connection, when another still is at it
    public static SchemaRunner of(
            Connection connection, ConflictClass conflictClass, boolean showsAlike)
            throws SQLException {
        SchemaRunner runner = new SchemaRunner(connection, conflictClass, showsAlike);
        runner.intent.lock();
        return runner;
    }

    /// Carries a change out, unless it is done already, and marks it, unless the backend refuses
    /// it. The session is no use for anything else then.
    ///
    /// @return empty when the backend's mark is not where it was thought to be
    /// @throws SQLException when it may be carried out and not marked: it is to be tried again
    public Optional<SchemaOutcome> change(CommitRecord record) throws SQLException {
        long before = record.commitNumber() - 1;
        SchemaIntent.Found found = intent.read(record);
        if (found.applied() != before) {
            return Optional.empty();
        }
        SchemaOutcome outcome = carryOut(record, found.footprint());
        if (!outcome.changed()) {
            return Optional.of(outcome);
        }
        return RecordRunner.mark(connection, conflictClass, before, record.commitNumber())
                ? Optional.of(outcome)
                : Optional.empty();
    }

    private SchemaOutcome carryOut(CommitRecord record, Optional<String> begun)
            throws SQLException {
        LoggedStatement change = record.schemaChange();
        String now;
        try {
            now =
                    showsAlike
                            ? SchemaFootprint.shownAlike(connection, change)
                            : SchemaFootprint.of(connection, change);
            if (begun.isEmpty()) {
                intent.write(record, now);
            }
        } catch (SQLException e) {
            if (begun.isEmpty() && !BackendErrors.isTransient(e)) {
                return SchemaOutcome.refused(e); // nobody has begun it
            }
            throw e;
        }
        String atFirst = begun.orElse(now);
        boolean changed = !atFirst.equals(now);
        if (changed && !change.names().drops()) {
            return SchemaOutcome.DONE;
        }
        try {
            return execute(change);
        } catch (SQLException e) {
            if (changed && BackendErrors.saysAlreadyDone(e)) {
                return SchemaOutcome.DONE;
            }
            if (BackendErrors.saysNoTriggerToFollow(e, change.names())) {
                return SchemaOutcome.refused(
                        new SQLException(
                                e.getMessage(), "HY000", BackendErrors.NO_TRIGGER_TO_FOLLOW, e));
            }
            if (BackendErrors.isTransient(e) && e.getErrorCode() != LOCK_WAIT_TIMEOUT) {
                throw e;
            }
            return SchemaFootprint.of(connection, change).equals(atFirst)
                    ? SchemaOutcome.refused(e)
                    : SchemaOutcome.halfWay(e);
        }
    }

    /// In autocommit mode: elsewhere MariaDB's EXCHANGE PARTITION waits for locks of its own, until
    /// innodb_lock_wait_timeout.
    private SchemaOutcome execute(LoggedStatement change) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (!change.database().isEmpty()) {
                statement.execute("USE " + RowSql.quote(change.database()));
            }
            try {
                statement.execute(AS_THE_SERVER_WILL + seconds(change.timestampMicros()));
                for (String setting : change.settings()) { // which may be of another moment
                    statement.execute(setting);
                }
                statement.executeLargeUpdate(change.sql());
                return SchemaOutcome.of(statement);
            } finally {
                if (!connection.isClosed()) {
                    statement.execute(AS_OUR_OWN);
                }
            }
        }
    }

    private static String seconds(long micros) {
        return micros == 0
                ? "DEFAULT"
                : String.format(Locale.ROOT, "%d.%06d", micros / 1_000_000, micros % 1_000_000);
    }

    /// Lets others at the class's schema; so does the end of the session.
    void release() throws SQLException {
        intent.release();
    }
}
