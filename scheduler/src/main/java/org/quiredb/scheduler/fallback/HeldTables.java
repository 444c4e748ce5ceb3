package org.quiredb.scheduler.fallback;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.SavepointStep;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.scheduler.fallback.connection.Asked;
import org.quiredb.scheduler.fallback.connection.BackendRows;
import org.quiredb.scheduler.fallback.connection.BackendSession;
import org.quiredb.scheduler.fallback.connection.Outcome;
import org.quiredb.scheduler.fallback.connection.OverlaySql;
import org.quiredb.scheduler.fallback.connection.PooledConnection;
import org.quiredb.scheduler.fallback.connection.Server;
import org.quiredb.scheduler.fallback.connection.StatementRun;
import org.quiredb.sql.tree.TableName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A client's own connection to the backend while it has temporary tables there.
///
/// Beside each of the client's transactions that names one there is a transaction here, which ends
/// as that one does and brings the temporary tables' rows with it. It reads what is committed now
/// and locks no row that it merely reads, so that an applier never waits for a client that idles,
/// but with tables that it has read whoever changes their definition waits: it is ended then.
///
/// Invariant: of other tables nothing that is written here stays.
///
/// Threads: any.
public final class HeldTables extends HeldConnection implements Evaluating {
    private static final Logger LOG = LoggerFactory.getLogger(HeldTables.class);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int DEADLOCK = 1213;

    /// No client has one of that name.
    private static final String BEFORE = "`quire gives temporary tables their rows`";

    private final Databases databases;
    private volatile boolean begun;
    private volatile boolean undone;
    private volatile boolean ending;
    private volatile long sinceNanos;

    HeldTables(HeldConnections all, Databases databases, PooledConnection pooled, Runnable lost) {
        super(all, pooled, lost);
        this.databases = databases;
    }

    /// A transaction of the client's that names a temporary table begins.
    ///
    /// @param savepoints that it has already
    public void begin(BackendSession session, Collection<String> savepoints) {
        boolean _ =
                with(own -> {
                    own.follow(session);
                    try (Statement statement = own.connection().createStatement()) {
                        statement.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
                        statement.execute("START TRANSACTION READ WRITE");
                        for (String name : savepoints) {
                            statement.execute("SAVEPOINT " + OverlaySql.quote(name));
                        }
                    }
                    begun = true;
                    undone = false;
                    ending = false;
                    sinceNanos = System.nanoTime();
                    return true;
                });
    }

    /// Whether the transaction was rolled back here, though the client has not ended it.
    public boolean isUndone() {
        return with(own -> undone);
    }

    /// It is about to end with the client's: nobody is given way any more.
    ///
    /// @return false where it was rolled back already
    public boolean keep() {
        return with(own -> {
            ending = true;
            return !undone;
        });
    }

    public void end(boolean commit) {
        boolean _ =
                with(own -> {
                    begun = false;
                    undone = false;
                    ending = false;
                    return own.execute(commit ? "COMMIT" : "ROLLBACK");
                });
    }

    public void savepoint(SavepointStep step) {
        String name = OverlaySql.quote(step.name());
        boolean _ =
                with(own ->
                        own.execute(
                                switch (step.kind()) {
                                    case SET -> "SAVEPOINT " + name;
                                    case ROLL_BACK_TO -> "ROLLBACK TO SAVEPOINT " + name;
                                    case RELEASE -> "RELEASE SAVEPOINT " + name;
                                }));
    }

    /// As {@link FallbackBackend#run}, with a transaction's own rows laid over other tables
    /// meanwhile.
    ///
    /// @param changed the temporary tables that the statement changes or makes
    public Outcome run(
            BackendSession session,
            Freshness freshness,
            RowChanges rows,
            Collection<TableName> changed,
            Asked asked,
            Consumer<byte[]> sink) {
        return used(own -> {
            own.follow(session);
            databases.awaitReached(own, freshness);
            List<TemporaryCopy> copies = new ArrayList<>();
            Outcome outcome;
            try (LaidRows _ = LaidRows.over(own, rows)) {
                outcome = StatementRun.run(own, asked, () -> shown(own, freshness), sink);
                for (TableName table : rows.isEmpty() ? Set.<TableName>of() : changed) {
                    copies.add(TemporaryCopy.of(own, table, copies.size()));
                }
            }
            if (!copies.isEmpty()) {
                fill(own, copies);
            }
            return outcome;
        });
    }

    private static void fill(PooledConnection own, List<TemporaryCopy> copies) throws SQLException {
        boolean _ = own.execute("SAVEPOINT " + BEFORE);
        try {
            for (TemporaryCopy copy : copies) {
                copy.fill(own);
            }
        } catch (SQLException e) {
            try {
                boolean _ = own.execute("ROLLBACK TO SAVEPOINT " + BEFORE);
            } catch (SQLException again) {
                own.unclear(); // a part of the statement is left
                e.addSuppressed(again);
            }
            throw e;
        }
    }

    private void shown(PooledConnection own, Freshness freshness) throws SQLException {
        if (databases.several() && freshness.asked()) {
            freshness.shown().accept(own.server().applied());
        }
    }

    @Override
    public Evaluated evaluate(RowChanges rows, BackendSession session, Evaluation evaluation) {
        return used(own -> {
            own.follow(session);
            try (LaidRows _ = LaidRows.under(own, rows, evaluation)) {
                return Evaluator.run(own, evaluation);
            } finally {
                own.movesVariables();
                if (evaluation.firstId() > 0) {
                    useUp(own, evaluation);
                }
            }
        });
    }

    @Override
    public long count(RowChanges rows, BackendSession session, String query, int most) {
        return used(own -> {
            own.follow(session);
            try (LaidRows _ = LaidRows.over(own, rows)) {
                return Evaluator.count(own, query, most);
            }
        });
    }

    @Override
    public boolean reaches(Freshness freshness) {
        return with(own -> freshness.metBy(own.server().applied(own)));
    }

    /// What a statement would answer with.
    public List<ColumnMetadata> describe(BackendSession session, String sql) {
        return used(own -> {
            own.follow(session);
            return BackendRows.prepared(own.connection(), sql);
        });
    }

    /// Else the server gives an id that no row has got to the next row of any table. Where the
    /// client may have no table there, it does.
    private static void useUp(PooledConnection own, Evaluation evaluation) {
        String table =
                OverlaySql.quote(evaluation.targets().getFirst().table().schema())
                        + ".`quire uses up an id`";
        try (Statement statement = own.connection().createStatement()) {
            statement.execute("DROP TEMPORARY TABLE IF EXISTS " + table);
            statement.execute(
                    "CREATE TEMPORARY TABLE "
                            + table
                            + " (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY)");
            statement.execute("INSERT INTO " + table + " VALUES (NULL)");
            statement.execute("DROP TEMPORARY TABLE " + table);
        } catch (SQLException e) {
            LOG.debug("an id is left for the next row", e);
        }
    }

    private <T> T used(Use<T> use) {
        return with(own -> {
            if (undone) {
                throw new QuireException(
                        ErrorCode.DEADLOCK,
                        "the transaction is rolled back: what it did with temporary tables is gone, as a schema change waited for it or it met another in a deadlock; try restarting transaction");
            }
            boolean done = false;
            try {
                T result = use.of(own);
                done = true;
                return result;
            } catch (NotLaidException e) {
                if (e.getCause() instanceof SQLException cause && isDeadlock(cause)) {
                    rolledBack(own);
                }
                throw new QuireException(
                        e.passes() ? ErrorCode.DEADLOCK : ErrorCode.NOT_SUPPORTED_YET,
                        String.valueOf(e.getMessage()),
                        e);
            } catch (SQLException e) {
                if (isDeadlock(e)) {
                    rolledBack(own);
                }
                throw e;
            } finally {
                settle(own, done);
            }
        });
    }

    /// No transaction is open but the one beside the client's; where that is not open any more,
    /// nothing may be laid. An error does not say what is open.
    private void settle(PooledConnection own, boolean done) {
        sinceNanos = System.nanoTime();
        try {
            if (begun && done && !own.inTransaction()) {
                undone = true;
                begun = false;
            } else if (!begun && !(done && !own.inTransaction())) { // a session without autocommit
                boolean _ = own.execute(done ? "COMMIT" : "ROLLBACK");
            }
        } catch (SQLException e) {
            LOG.debug("the connection of a client's temporary tables is lost", e);
            own.unclear();
        }
    }

    private static boolean isDeadlock(SQLException error) {
        return error.getErrorCode() == DEADLOCK;
    }

    private void rolledBack(PooledConnection own) throws SQLException {
        own.rollBack();
        undone = begun;
        begun = false;
    }

    /// Whether a transaction has done nothing there for a while.
    boolean idleOn(Server server) {
        return begun
                && !ending
                && server().equals(server)
                && System.nanoTime() - sinceNanos > IDLE_NANOS;
    }

    /// Lets others have what its transaction holds, unless a statement runs in it.
    void undo() {
        whenIdle(own -> {
            if (idleOn(own.server())) {
                rolledBack(own);
            }
            return own;
        });
    }
}
