package org.quiredb.scheduler.fallback;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.scheduler.fallback.connection.Asked;
import org.quiredb.scheduler.fallback.connection.BackendSession;
import org.quiredb.scheduler.fallback.connection.DriverErrors;
import org.quiredb.scheduler.fallback.connection.Outcome;
import org.quiredb.scheduler.fallback.connection.OverlaySql;
import org.quiredb.scheduler.fallback.connection.PooledConnection;
import org.quiredb.scheduler.fallback.connection.Routines;
import org.quiredb.scheduler.fallback.connection.Seats;
import org.quiredb.scheduler.fallback.connection.Server;
import org.quiredb.scheduler.fallback.connection.StatementRun;
import org.quiredb.sql.tree.TableName;

/// The backend at one state: a transaction there, with the commit numbers up to which it sees each
/// class.
///
/// It keeps one of the backend's connections until it is closed, or ended in favour of others while
/// no statement runs in it.
///
/// Threads: one at a time; end by any.
public final class Snapshot implements Evaluating, AutoCloseable {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long STANDSTILL_NANOS = 5_000_000_000L;

    /// What it is for.
    public enum Use {
        READS,
        /// Rows are laid over it.
        ROWS,
        /// As of ROWS, by a CALL that may change others.
        CALL
    }

    private enum State {
        IDLE,
        RUNNING,
        OVER
    }

    private final Snapshots all;
    private final PooledConnection pooled;
    private final Seats.Seat seat;
    private final Map<ConflictClass, Long> positions;

    /// Null where rows may be laid over it and no CALL runs, or where the account reads none to
    /// begin with.
    private final @Nullable Confined confined;

    private boolean healthy = true;

    @GuardedBy("this")
    private State state = State.IDLE;

    @GuardedBy("this")
    private boolean ended;

    @GuardedBy("this")
    private StopSignal running = new StopSignal();

    @GuardedBy("this")
    private long sinceNanos = System.nanoTime();

    private Snapshot(
            Snapshots all,
            PooledConnection pooled,
            Seats.Seat seat,
            @Nullable Confined confined,
            Map<ConflictClass, Long> positions) {
        this.confined = confined;
        this.all = all;
        this.pooled = pooled;
        this.seat = seat;
        this.positions = positions;
    }

    /// An applier notes its position in the transaction that executes the queries, so that it is
    /// exactly as far as the rows are.
    ///
    /// A client's account may not read it. What Quire's own sees then before and after the
    /// transaction has begun is what that one sees, too, when it is the same.
    ///
    /// One over which no rows are laid is confined, and one for a CALL. Such a transaction begins
    /// at its first read.
    ///
    /// @param tables of which a client's account can read one, perhaps
    static Snapshot begin(
            Snapshots all,
            PooledConnection pooled,
            Seats.Seat seat,
            Use use,
            List<TableName> tables)
            throws SQLException {
        Server server = pooled.server();
        if (pooled.login().isOwn()) {
            Confined confined = use == Use.ROWS ? null : Confined.begin(pooled, use == Use.CALL);
            if (confined == null) {
                start(pooled, true);
            }
            return new Snapshot(all, pooled, seat, confined, server.applied(pooled));
        }
        long deadlineNanos = System.nanoTime() + STANDSTILL_NANOS;
        Map<ConflictClass, Long> before = server.applied(pooled);
        while (true) {
            Confined confined = use == Use.ROWS ? null : reading(pooled, use, tables);
            if (confined == null) {
                start(pooled, use == Use.ROWS);
            }
            Map<ConflictClass, Long> after = server.applied(pooled);
            if (after.equals(before)) {
                return new Snapshot(all, pooled, seat, confined, after);
            }
            end(pooled, confined);
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new SQLException("it never stood still for long enough", "08S01");
            }
            before = after;
        }
    }

    private static void start(PooledConnection pooled, boolean forRows) throws SQLException {
        boolean _ = pooled.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
        boolean _ =
                pooled.execute(
                        "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ "
                                + (forRows ? "WRITE" : "ONLY"));
    }

    /// @return null where the account reads none of the tables
    private static @Nullable Confined reading(
            PooledConnection pooled, Use use, List<TableName> tables) throws SQLException {
        if (tables.isEmpty()) {
            return null;
        }
        Confined confined = Confined.begin(pooled, use == Use.CALL);
        for (TableName table : tables) {
            String named =
                    OverlaySql.quote(table.database()) + "." + OverlaySql.quote(table.name());
            try {
                boolean _ = pooled.execute("SELECT 1 FROM " + named + " LIMIT 1");
                return confined;
            } catch (SQLException e) {
                if (DriverErrors.isLost(e)) {
                    throw e;
                }
            }
        }
        confined.close();
        return null;
    }

    private static void end(PooledConnection pooled, @Nullable Confined confined)
            throws SQLException {
        if (confined == null) {
            boolean _ = pooled.execute("ROLLBACK");
        } else {
            confined.close();
        }
    }

    /// The last commit of each class that it sees.
    public Map<ConflictClass, Long> positions() {
        return positions;
    }

    /// As {@link FallbackBackend#run}, at this state.
    ///
    /// @throws QuireException TABLE_CHANGED when it was ended
    public Outcome run(BackendSession session, Asked asked, Consumer<byte[]> sink) {
        return run(
                session,
                () -> {
                    pooled.getsMore(); // a function behind a view may set user variables
                    return StatementRun.run(pooled, asked, () -> {}, sink);
                });
    }

    /// As {@link #run}, with a transaction's own rows laid over this state meanwhile. The backend
    /// must have applied what they stand on.
    ///
    /// @throws QuireException DEADLOCK where it may do when it is tried again, NOT_SUPPORTED_YET
    ///   where it never does; the snapshot is of no use then
    public Outcome runOver(
            RowChanges rows, BackendSession session, Asked asked, Consumer<byte[]> sink) {
        return run(
                session,
                () -> {
                    pooled.getsMore();
                    try (LaidRows _ = LaidRows.over(pooled, rows)) {
                        return StatementRun.run(pooled, asked, () -> {}, sink);
                    }
                });
    }

    /// As {@link FallbackBackend#call}, at this state.
    ///
    /// @throws QuireException NOT_SUPPORTED_YET where it is not confined: a procedure that is
    ///   replaced once it was looked at could change something by START TRANSACTION READ WRITE
    public Evaluated call(BackendSession session, Routines.Look look, Consumer<byte[]> sink) {
        if (confined == null) {
            throw notConfined("CALL in a READ ONLY transaction");
        }
        return run(
                session,
                () -> {
                    pooled.movesVariables();
                    return confined.call(look, sink);
                });
    }

    @Override
    public Evaluated evaluate(RowChanges rows, BackendSession session, Evaluation evaluation) {
        return run(
                session,
                () -> {
                    try (LaidRows _ = LaidRows.under(pooled, rows, evaluation)) {
                        return Evaluator.run(pooled, evaluation);
                    } finally {
                        pooled.movesVariables();
                    }
                });
    }

    /// Has a CALL run over a transaction's own rows, as of {@link Evaluating#evaluate}.
    ///
    /// @param results gets the packets of its results
    /// @throws QuireException DEADLOCK, NOT_SUPPORTED_YET as there
    public Evaluated evaluate(
            RowChanges rows,
            BackendSession session,
            Evaluation evaluation,
            Routines.Look look,
            Consumer<byte[]> results) {
        Confined within = confined;
        if (within == null) {
            throw notConfined("CALL of a procedure that changes rows, or triggers,");
        }
        return run(
                session,
                () -> {
                    pooled.movesVariables();
                    within.calls();
                    try (LaidRows _ = LaidRows.under(pooled, rows, evaluation)) {
                        return Evaluator.call(pooled, evaluation, look, results);
                    }
                });
    }

    private static QuireException notConfined(String what) {
        return new QuireException(
                ErrorCode.NOT_SUPPORTED_YET,
                "Quire does not support "
                        + what
                        + " of an account that may read no table of the current database");
    }

    @Override
    public long count(RowChanges rows, BackendSession session, String query, int most) {
        return run(
                session,
                () -> {
                    try (LaidRows _ = LaidRows.over(pooled, rows)) {
                        return Evaluator.count(pooled, query, most);
                    }
                });
    }

    @Override
    public boolean reaches(Freshness freshness) {
        try {
            return freshness.metBy(pooled.server().applied());
        } catch (SQLException e) {
            throw DriverErrors.failure(e);
        }
    }

    private interface Work<T> {
        T run() throws SQLException;
    }

    private <T> T run(BackendSession session, Work<T> work) {
        StopSignal stop = begin();
        try (StopSignal.Watch _ = StopSignal.current().watch(stop::request)) {
            return stop.during(() -> {
                try {
                    pooled.follow(session);
                    return work.run();
                } catch (NotLaidException e) {
                    healthy = false;
                    throw new QuireException(
                            e.passes() ? ErrorCode.DEADLOCK : ErrorCode.NOT_SUPPORTED_YET,
                            String.valueOf(e.getMessage()),
                            e);
                } catch (SQLException e) {
                    healthy &= !DriverErrors.isLost(e);
                    throw DriverErrors.failure(e);
                }
            });
        } catch (RuntimeException e) {
            throw seat.evicted() ? Seats.evictedFor(e) : e;
        } finally {
            healthy &= !pooled.stopped() && !pooled.isUnclear();
            ran();
        }
    }

    private synchronized StopSignal begin() {
        if (ended || pooled.isUnclear()) {
            throw new QuireException(
                    ErrorCode.TABLE_CHANGED,
                    "Table definition has changed, please retry transaction: its snapshot on the backend was idle while a"
                            + " schema change or other clients waited for it");
        }
        state = State.RUNNING;
        running = new StopSignal();
        return running;
    }

    private void ran() {
        synchronized (this) {
            state = ended ? State.OVER : State.IDLE;
            sinceNanos = System.nanoTime();
            if (!ended) {
                return;
            }
        }
        over(false);
    }

    /// Whether nothing has run in it for a while.
    synchronized boolean idleOn(Server server) {
        return state == State.IDLE
                && pooled.server().equals(server)
                && System.nanoTime() - sinceNanos > IDLE_NANOS;
    }

    /// Lets others have what it holds, unless a statement runs in it.
    void end() {
        synchronized (this) {
            if (state != State.IDLE) {
                return;
            }
            state = State.OVER;
            ended = true;
        }
        Thread.ofVirtual().name("snapshot").start(() -> over(false));
    }

    /// As end, and ends a statement that runs in it too.
    void evict() {
        StopSignal statement;
        synchronized (this) {
            ended |= state == State.RUNNING;
            statement = running;
        }
        statement.request();
        end();
    }

    @Override
    public void close() {
        synchronized (this) {
            if (state == State.OVER) {
                return;
            }
            state = State.OVER;
        }
        try {
            end(pooled, confined);
        } catch (SQLException e) {
            healthy = false;
        }
        over(healthy);
    }

    private void over(boolean usable) {
        all.release(this, pooled, usable);
        seat.close();
    }
}
