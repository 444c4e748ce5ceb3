package org.quiredb.scheduler.fallback;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.quiredb.common.schema.TriggerDefinition;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.scheduler.fallback.connection.DriverErrors;
import org.quiredb.scheduler.fallback.connection.Killer;
import org.quiredb.scheduler.fallback.connection.OverlaySql;
import org.quiredb.scheduler.fallback.connection.PooledConnection;
import org.quiredb.scheduler.fallback.connection.Server;
import org.quiredb.scheduler.fallback.connection.SettingsBefore;
import org.quiredb.sql.tree.TableName;

/// A transaction's own rows in a transaction on the backend, for as long as a statement runs over
/// them. Closing it takes them back; what it has locked stays so until the transaction there ends.
///
/// Rows are written as an applier writes them: strict about what would not fit, with zero dates,
/// without foreign keys and CHECKs, which the master has checked. Then the session has its own
/// settings again.
///
/// Threads: one; its connection's.
final class LaidRows implements AutoCloseable {
    /// Whoever is waited for here is an applier, or another client's rows: neither takes long.
    private static final String AS_THEY_ARE =
            "SET sql_mode = 'STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES',"
                    + " time_zone = '+00:00', character_set_client = utf8mb4,"
                    + " character_set_connection = utf8mb4,"
                    + " unique_checks = 1, foreign_key_checks = 0,"
                    + " sql_safe_updates = 0, innodb_lock_wait_timeout = 5"
                    + ", @"
                    + TriggerDefinition.VARIABLE
                    + " = 1"
                    + "/*M! , check_constraint_checks = 0 */";

    private static final String SETTINGS =
            "SELECT @@sql_mode, @@time_zone, @@character_set_client,"
                    + " @@character_set_connection, @@collation_connection,"
                    + " @@unique_checks, @@foreign_key_checks,"
                    + " @@sql_safe_updates, @@innodb_lock_wait_timeout"
                    + "/*M! , @@check_constraint_checks */ LIMIT 1";

    private static final Set<Integer> DENIED = Set.of(1044, 1142, 1143, 1227);

    /// A deadlock, a wait in vain, a row that was changed since the snapshot, a key that is taken.
    private static final Set<Integer> PASSING = Set.of(1020, 1062, 1205, 1213);

    /// Of no client's.
    private static final String SAVEPOINT = "`quire lays the rows of a transaction over these`";

    private final PooledConnection pooled;
    private final boolean any;
    private final List<HidingCopy> copies;

    private LaidRows(PooledConnection pooled, boolean any, List<HidingCopy> copies) {
        this.pooled = pooled;
        this.any = any;
        this.copies = List.copyOf(copies);
    }

    /// @throws NotLaidException after which the transaction there is to be rolled back
    static LaidRows over(PooledConnection pooled, RowChanges rows) throws SQLException {
        if (rows.isEmpty()) {
            return new LaidRows(pooled, false, List.of());
        }
        for (TableName table : tables(rows)) {
            if (!pooled.server().isPlain(table.database(), table.name())) {
                throw notPlain(table);
            }
        }
        return lay(pooled, rows, List.of());
    }

    /// As {@link #over}, where the statement changes rows, too, which are taken back with them:
    /// those of tables without transactions in copies.
    static LaidRows under(PooledConnection pooled, RowChanges rows, Evaluation evaluation)
            throws SQLException {
        Set<TableName> tables = tables(rows);
        evaluation.targets().stream()
                .map(Evaluation.Target::table)
                .forEach(table -> tables.add(new TableName(table.schema(), table.name())));
        return lay(pooled, rows, hidden(pooled.server(), tables, evaluation.mostRows()));
    }

    /// An engine in whose table nobody has looked before it takes part in no savepoint: Aria has
    /// none.
    private static LaidRows lay(PooledConnection pooled, RowChanges rows, List<HidingCopy> copies)
            throws SQLException {
        try (Statement statement = pooled.connection().createStatement();
                Killer _ = pooled.stoppable()) {
            statement.setEscapeProcessing(false);
            statement.execute("SAVEPOINT " + SAVEPOINT);
            if (!pooled.inTransaction()) { // they would stay
                throw new SQLException("no transaction is open to lay rows in", "08S01");
            }
            LaidRows laid = new LaidRows(pooled, true, copies);
            if (rows.isEmpty() && copies.isEmpty()) {
                return laid;
            }
            try (SettingsBefore _ =
                    SettingsBefore.of(pooled, statement, SETTINGS)
                            .with("@" + TriggerDefinition.VARIABLE + " = NULL")) {
                for (HidingCopy copy : copies) {
                    copy.make(pooled);
                }
                statement.execute(AS_THEY_ARE);
                lay(statement, rows);
                return laid;
            } catch (SQLException e) {
                laid.close();
                throw e;
            }
        } catch (NotLaidException e) {
            throw e;
        } catch (SQLException e) {
            throw DriverErrors.isLost(e) || e.getErrorCode() == DriverErrors.INTERRUPTED
                    ? e
                    : notLaid(e);
        }
    }

    private static NotLaidException notLaid(SQLException e) {
        return new NotLaidException(
                PASSING.contains(e.getErrorCode()),
                DENIED.contains(e.getErrorCode())
                        ? "the backend does not let the client's account write what the transaction has changed: "
                                + e.getMessage()
                        : "the backend does not take what the transaction has changed: "
                                + e.getMessage(),
                e);
    }

    private static void lay(Statement statement, RowChanges rows) throws SQLException {
        for (OverlaySql.Counted one : OverlaySql.of(rows)) {
            long found = statement.executeLargeUpdate(one.sql());
            if (found != one.rows()) {
                throw new NotLaidException(
                        true,
                        "the backend has %d rows where the transaction has changed %d"
                                .formatted(found, one.rows()));
            }
        }
    }

    private static Set<TableName> tables(RowChanges rows) {
        Set<TableName> tables = new LinkedHashSet<>();
        for (RowChange row : rows) {
            tables.add(new TableName(row.shape().schema(), row.shape().table()));
        }
        return tables;
    }

    /// What a trigger does there would be no part of the transaction, and what is written to a
    /// table without transactions stays.
    ///
    /// @return for the tables that are to be hidden
    private static List<HidingCopy> hidden(Server server, Set<TableName> tables, int mostRows)
            throws SQLException {
        List<HidingCopy> hidden = new ArrayList<>();
        for (TableName table : tables) {
            if (server.isPlain(table.database(), table.name())) {
                continue;
            }
            if (!server.mayBeHidden(table.database(), table.name())) {
                throw notPlain(table);
            }
            hidden.add(new HidingCopy(table, mostRows));
        }
        return hidden;
    }

    private static NotLaidException notPlain(TableName table) {
        return new NotLaidException(
                false,
                table.name()
                        + " has a trigger on the backend that was not made through Quire, or is no table of InnoDB there");
    }

    /// Nobody sees them any more. Where they cannot be taken back, nobody uses the connection
    /// again: the statement has its result all the same.
    @Override
    public void close() {
        if (!any) {
            return;
        }
        try (Statement statement = pooled.connection().createStatement()) {
            statement.execute("ROLLBACK TO SAVEPOINT " + SAVEPOINT);
        } catch (SQLException e) {
            pooled.unclear();
        }
        copies.forEach(copy -> copy.drop(pooled));
    }
}
