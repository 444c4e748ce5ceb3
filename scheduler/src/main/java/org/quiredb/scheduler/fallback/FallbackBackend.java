package org.quiredb.scheduler.fallback;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.scheduler.account.Account;
import org.quiredb.scheduler.account.GrantTables;
import org.quiredb.scheduler.account.Secret;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.fallback.connection.Asked;
import org.quiredb.scheduler.fallback.connection.BackendErrors;
import org.quiredb.scheduler.fallback.connection.BackendLogin;
import org.quiredb.scheduler.fallback.connection.BackendRows;
import org.quiredb.scheduler.fallback.connection.BackendSession;
import org.quiredb.scheduler.fallback.connection.Definitions;
import org.quiredb.scheduler.fallback.connection.Outcome;
import org.quiredb.scheduler.fallback.connection.PooledConnection;
import org.quiredb.scheduler.fallback.connection.ProcedureCall;
import org.quiredb.scheduler.fallback.connection.Routines;
import org.quiredb.scheduler.fallback.connection.Seats;
import org.quiredb.scheduler.fallback.connection.Server;
import org.quiredb.scheduler.fallback.connection.SettingAnswers;
import org.quiredb.scheduler.fallback.connection.ShownRoutines;
import org.quiredb.scheduler.fallback.connection.StatementRun;
import org.quiredb.sql.tree.TableName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs statements on the backend for clients' sessions.
///
/// Where it is several databases, a statement runs on the one that answered last, and on the next
/// one when that is lost before anything of its result has gone out. One that hangs is noticed by
/// what comes before each statement, as its position; a statement itself may take as long as it
/// likes.
///
/// Invariant: what must show some commits never runs on a database that has not applied them, as
/// one has that was away; and what a client may have seen of a database that is ahead of others is
/// learned before the client has it. Both are read from `quire.applied` on the same connection.
///
/// A client's statements run with the rights of its own account, on connections that are logged in
/// as that; those of an account of the configuration with Quire's own.
///
/// Threads: any, virtual ones. At most `maximumConnections` are used; whoever finds none waits.
public final class FallbackBackend implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FallbackBackend.class);

    /// How long one of several databases may take for what needs no time, before it counts as lost.
    private static final int ANSWER_MILLIS = 1_000;

    /// For so long every database may be behind, or away, before the client is told.
    private static final long BEHIND_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long LOOK_AT_SNAPSHOTS_MILLIS = 500;
    private static final int TOO_MANY_CONNECTIONS = 1040;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int LOGINS_TRIED = 4;
    private static final long LOOK_AT_HELD_MILLIS = 1_000;
    private static final long TRY_MILLIS = 5_000;

    private final List<Server> servers;
    private final Seats seats;
    private final Set<Snapshot> snapshots = ConcurrentHashMap.newKeySet();
    private final long schemaPatienceSeconds;
    private final Thread watch;
    private final Thread heldWatch;
    private final Set<HeldConnection> held = ConcurrentHashMap.newKeySet();
    private final int mostHeld;
    private final Semaphore holding;
    private final Semaphore trying = new Semaphore(LOGINS_TRIED, true);

    /// Fingerprint of the rights that were read last.
    private final AtomicReference<String> accountsRead = new AtomicReference<>("");

    private final CountDownLatch warm;
    private final SettingAnswers settings = new SettingAnswers(System::nanoTime);
    private final Definitions definitions = new Definitions();
    private volatile int preferred;

    /// @param urls of databases that hold the same
    public FallbackBackend(
            List<String> urls, String user, String password, int maximumConnections) {
        this(urls, user, password, maximumConnections, 0, Duration.ofSeconds(10));
    }

    /// @param longConnections beyond the maximum, for what takes long
    /// @param schemaWait how long a schema change waits for snapshots
    public FallbackBackend(
            List<String> urls,
            String user,
            String password,
            int maximumConnections,
            int longConnections,
            Duration schemaWait) {
        int answerMillis = urls.size() > 1 ? ANSWER_MILLIS : 0; // else there is nobody else to ask
        int all = maximumConnections + longConnections;
        servers =
                urls.stream()
                        .map(url -> new Server(url, user, password, answerMillis, all))
                        .toList();
        warm = new CountDownLatch(servers.size());
        seats = new Seats(maximumConnections, longConnections);
        schemaPatienceSeconds = Math.max(1, schemaWait.toSeconds() / 2);
        mostHeld = Math.max(1, longConnections);
        holding = new Semaphore(mostHeld);
        heldWatch = Thread.ofVirtual().name("held-connections").start(this::watchHeld);
        watch = Thread.ofVirtual().name("snapshots").start(this::watchSnapshots);
    }

    /// Ends snapshots and transactions that are idle, once a schema change has waited for long
    /// enough.
    private void watchSnapshots() {
        try {
            while (true) {
                Thread.sleep(LOOK_AT_SNAPSHOTS_MILLIS);
                for (Server server : servers) {
                    List<Runnable> ends = new ArrayList<>();
                    for (Snapshot snapshot : snapshots) {
                        if (snapshot.idleOn(server)) {
                            ends.add(snapshot::end);
                        }
                    }
                    for (HeldConnection one : held) {
                        if (one instanceof HeldTables tables && tables.idleOn(server)) {
                            ends.add(() -> Thread.ofVirtual().start(tables::undo));
                        }
                    }
                    if (!ends.isEmpty() && server.schemaWaits(schemaPatienceSeconds)) {
                        ends.forEach(Runnable::run);
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Who waits for a lock that is gone must not wait for long, nor who thinks that it has one.
    private void watchHeld() {
        try {
            while (true) {
                Thread.sleep(LOOK_AT_HELD_MILLIS);
                held.forEach(one -> Thread.ofVirtual().start(one::look));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// A connection for a client's named locks: to the first database, which all schedulers have to
    /// have in the first place, as a lock of one keeps nobody out of another.
    ///
    /// @param lost when its locks are gone; must not block
    /// @throws QuireException TIER_UNAVAILABLE when too many clients have one
    public HeldLocks holdLocks(BackendSession session, Runnable lost) {
        Opening first = () -> open(servers.getFirst(), session);
        return hold(first, session, pooled -> new HeldLocks(this, pooled, lost));
    }

    /// A connection for a client's temporary tables.
    ///
    /// @param lost when they are gone; must not block
    /// @throws QuireException as of {@link #holdLocks}
    public HeldTables holdTables(BackendSession session, Runnable lost) {
        Opening now = () -> open(servers.get(preferred), session);
        return hold(now, session, pooled -> new HeldTables(this, pooled, lost));
    }

    /// A connection for a file of a client's; throws as {@link #holdLocks}.
    public LoadedRows holdFile(BackendSession session) {
        Opening now = () -> servers.get(preferred).openForFile(session.login());
        return hold(now, session, pooled -> new LoadedRows(this, pooled));
    }

    private interface Opening {
        PooledConnection open() throws SQLException;
    }

    private <T extends HeldConnection> T hold(
            Opening opening, BackendSession session, Function<PooledConnection, T> holder) {
        if (!holding.tryAcquire()) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "%d clients of this scheduler hold named locks, have temporary tables or send files, as many as may (scheduler.limits.longBackendConnections)"
                            .formatted(mostHeld));
        }
        boolean open = false;
        try {
            PooledConnection pooled = opening.open();
            try {
                pooled.take(session);
                open = true;
            } finally {
                if (!open) {
                    pooled.server().giveBack(pooled, false);
                }
            }
            T one = holder.apply(pooled);
            held.add(one);
            return one;
        } catch (SQLException e) {
            throw BackendErrors.failure(e);
        } finally {
            if (!open) {
                holding.release();
            }
        }
    }

    void release(HeldConnection one, PooledConnection pooled) {
        held.remove(one);
        pooled.server().giveBack(pooled, false);
        holding.release();
    }

    /// Whether there is more than one database.
    public boolean several() {
        return servers.size() > 1;
    }

    /// Begins to open a connection to each database: the driver's first one takes long, and the
    /// clients of a scheduler that died come all at once.
    public void warmUp() {
        for (Server server : servers) {
            Thread.ofVirtual()
                    .name("backend")
                    .start(() -> {
                        try {
                            server.giveBack(server.open(BackendLogin.OWN), true);
                        } catch (SQLException e) {
                            // Whoever needs it is told.
                        } finally {
                            warm.countDown();
                        }
                    });
        }
    }

    /// Whether {@link #isUtc} waits for nothing.
    public boolean knowsZone() {
        return warm.getCount() == 0;
    }

    /// Whether the tier's own time zone is that of sessions that set none. Waits for {@link
    /// #warmUp}, which must have been called. A scheduler that has found no database yet says that
    /// it is.
    public boolean isUtc() {
        try {
            warm.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (Server server : servers) {
            if (!server.isUtc()) {
                return false;
            }
        }
        return true;
    }

    /// What it has answered of settings.
    public SettingAnswers settings() {
        return settings;
    }

    /// What it has told of views and procedures.
    public Definitions definitions() {
        return definitions;
    }

    /// Makes an assignment where nothing else is run before it is undone, to see what the backend
    /// says of it.
    public void check(BackendSession session, String assignment) {
        boolean _ = with(session, pooled -> pooled.tries(assignment));
    }

    /// The last commit of each class that the first database shows to whoever asked it before;
    /// empty when it does not answer.
    public Optional<Map<ConflictClass, Long>> applied() {
        try {
            return Optional.of(servers.getFirst().applied());
        } catch (SQLException e) {
            LOG.debug("the backend does not tell what it shows", e);
            return Optional.empty();
        }
    }

    /// @param sink gets the packets of a result set
    public Outcome run(
            BackendSession session, Freshness freshness, Asked asked, Consumer<byte[]> sink) {
        return run(session, freshness, asked, false, sink);
    }

    /// @param reading whether the server is to refuse whatever changes rows, as what is called may
    public Outcome run(
            BackendSession session,
            Freshness freshness,
            Asked asked,
            boolean reading,
            Consumer<byte[]> sink) {
        boolean compares = several() && freshness.asked();
        AtomicBoolean begun = new AtomicBoolean();
        return with(
                session,
                () -> !begun.get(),
                pooled -> {
                    if (compares) {
                        requireFresh(freshness, pooled.server().applied(pooled));
                    }
                    if (reading) {
                        pooled.beginReading(asked.sql());
                        pooled.getsMore(); // a function behind a view may set user variables
                    }
                    return StatementRun.run(
                            pooled,
                            asked,
                            () -> {
                                if (compares) {
                                    freshness.shown().accept(pooled.server().applied());
                                }
                            },
                            packets -> {
                                begun.set(true);
                                sink.accept(packets);
                            });
                });
    }

    /// Runs what changes something of the server's own, once: where it was lost nobody knows
    /// whether it is done.
    public Outcome change(BackendSession session, Asked asked) {
        return with(
                session, () -> false, pooled -> StatementRun.run(pooled, asked, () -> {}, _ -> {}));
    }

    /// The first column of what Quire's own account is told.
    public List<String> own(String query) {
        return with(
                BackendSession.OWN,
                pooled -> {
                    List<String> told = new ArrayList<>();
                    try (Statement statement = pooled.connection().createStatement();
                            ResultSet rows = statement.executeQuery(query)) {
                        while (rows.next()) {
                            told.add(rows.getString(1));
                        }
                    }
                    return told;
                });
    }

    /// Runs a CALL by which nothing can be changed.
    ///
    /// @param sink gets the packets of its results
    public Evaluated call(
            BackendSession session,
            Freshness freshness,
            Routines.Look look,
            Consumer<byte[]> sink) {
        boolean compares = several() && freshness.asked();
        AtomicBoolean begun = new AtomicBoolean();
        return with(
                session,
                () -> !begun.get(),
                pooled -> {
                    Server server = pooled.server();
                    if (compares) {
                        requireFresh(freshness, server.applied(pooled));
                    }
                    try (Confined confined = Confined.begin(pooled, false)) {
                        return confined.call(
                                look,
                                packets -> {
                                    begun.set(true);
                                    if (compares) {
                                        freshness.shown().accept(shown(server));
                                    }
                                    sink.accept(packets);
                                });
                    }
                });
    }

    /// A block of statements that reads and changes nothing.
    public Outcome compute(BackendSession session, Asked asked, Consumer<byte[]> sink) {
        ProcedureCall block = new ProcedureCall(asked, new TableName("", ""), List.of(), false);
        return with(
                session,
                pooled -> {
                    if (!asked.then().isEmpty()) {
                        pooled.getsMore();
                    }
                    return ProcedureRun.run(pooled, block, sink);
                });
    }

    private static Map<ConflictClass, Long> shown(Server server) {
        try {
            return server.applied();
        } catch (SQLException e) {
            throw BackendErrors.failure(e);
        }
    }

    /// The backend as it is now, for as long as the snapshot is open.
    ///
    /// @param tables of which the session's account can read one, perhaps
    public Snapshot snapshot(
            BackendSession session, Freshness freshness, Snapshot.Use use, List<TableName> tables) {
        Seats.Seat seat = seats.take();
        boolean open = false;
        try {
            Snapshot snapshot =
                    onOne(
                            session,
                            () -> true,
                            pooled -> begin(pooled, session, freshness, seat, use, tables));
            snapshots.add(snapshot);
            seat.keptFor(snapshot::evict);
            open = true;
            return snapshot;
        } finally {
            if (!open) {
                seat.close();
            }
        }
    }

    private Snapshot begin(
            PooledConnection pooled,
            BackendSession session,
            Freshness freshness,
            Seats.Seat seat,
            Snapshot.Use use,
            List<TableName> tables)
            throws SQLException {
        boolean begun = false;
        try {
            pooled.take(session);
            Snapshot snapshot = Snapshot.begin(this, pooled, seat, use, tables);
            requireFresh(freshness, snapshot.positions());
            begun = true;
            return snapshot;
        } finally {
            if (!begun) {
                pooled.server().giveBack(pooled, false);
            }
        }
    }

    /// The names of stored functions, in lower case: what they do may be no part of their
    /// statement.
    public Set<String> functions() {
        try {
            return servers.get(preferred).functions();
        } catch (SQLException e) {
            throw BackendErrors.failure(e);
        }
    }

    /// The stored programs, as Quire's own account is shown them now.
    public Routines routines() {
        return new ShownRoutines(servers.get(preferred), null);
    }

    /// Whether a client is shown that there is such a procedure.
    public boolean isShown(BackendSession session, TableName procedure) {
        return session.login().isOwn()
                || with(session, pooled -> new ShownRoutines(pooled).isShown(procedure));
    }

    /// The columns that a statement would answer with; none when it answers with no rows.
    public List<ColumnMetadata> describe(BackendSession session, String sql) {
        return with(session, pooled -> BackendRows.prepared(pooled.connection(), sql));
    }

    /// Has a server look for mistakes in a text, which is not run.
    public void read(BackendSession session, String sql) {
        boolean _ = with(session, pooled -> BackendRows.isRead(pooled.connection(), sql));
    }

    /// The one row of a query.
    public List<@Nullable String> values(BackendSession session, String query) {
        return with(
                session,
                pooled -> {
                    try (Statement statement = pooled.connection().createStatement();
                            ResultSet row = statement.executeQuery(query)) {
                        row.next();
                        List<@Nullable String> values = new ArrayList<>();
                        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                            values.add(row.getString(i));
                        }
                        return values;
                    }
                });
    }

    private interface Work<T> {
        T on(PooledConnection pooled) throws SQLException;
    }

    private <T> T with(BackendSession session, Work<T> work) {
        return with(session, () -> true, work);
    }

    /// @param repeatable whether the work can be begun anew on another database
    private <T> T with(BackendSession session, BooleanSupplier repeatable, Work<T> work) {
        try (Seats.Seat seat = seats.take()) {
            StopSignal ours = new StopSignal();
            seat.keptFor(ours::request);
            try (StopSignal.Watch _ = StopSignal.current().watch(ours::request)) {
                return ours.during(
                        () -> onOne(session, repeatable, pooled -> with(pooled, session, work)));
            } catch (RuntimeException e) {
                throw seat.evicted() ? Seats.evictedFor(e) : e;
            }
        }
    }

    private static <T> T with(PooledConnection pooled, BackendSession session, Work<T> work)
            throws SQLException {
        boolean healthy = false;
        try {
            pooled.take(session);
            T result = work.on(pooled);
            healthy = !pooled.stopped() && pooled.leave();
            return result;
        } catch (SQLException e) {
            healthy = !BackendErrors.isLost(e) && !pooled.stopped() && pooled.leave();
            throw e;
        } finally {
            pooled.server().giveBack(pooled, healthy);
        }
    }

    private interface Attempt<T> {
        /// Gives the connection back, unless it succeeds and keeps it.
        T on(PooledConnection pooled) throws SQLException;
    }

    /// On the database that answered last, or else on the next that does. Where those that answer
    /// are behind, which a current one is for a moment only, they are asked again.
    private <T> T onOne(BackendSession session, BooleanSupplier repeatable, Attempt<T> attempt) {
        long deadlineNanos = System.nanoTime() + BEHIND_NANOS;
        while (true) {
            SQLException lost = null;
            boolean behind = false;
            int first = preferred;
            for (int i = 0; i < servers.size(); i++) {
                int number = (first + i) % servers.size();
                try {
                    T result = attempt.on(open(servers.get(number), session));
                    preferred = number;
                    return result;
                } catch (BehindException e) {
                    behind = true;
                    lost = e;
                } catch (SQLException e) {
                    if (!BackendErrors.isLost(e) || !repeatable.getAsBoolean()) {
                        throw BackendErrors.failure(e);
                    }
                    servers.get(number).close(); // a connection is seldom lost alone
                    lost = e;
                }
            }
            if (!behind || System.nanoTime() - deadlineNanos > 0) {
                throw BackendErrors.failure(Objects.requireNonNull(lost));
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /// What refuses a connection is no error of the statement: an account of our own whose password
    /// was changed, too many connections. What refuses the client's account is for the client.
    private static PooledConnection open(Server server, BackendSession session)
            throws SQLException {
        try {
            return server.open(session);
        } catch (SQLException e) {
            if (!session.login().isOwn() && e.getErrorCode() != TOO_MANY_CONNECTIONS) {
                throw e;
            }
            throw new SQLException(
                    "it takes no connection, error %d (%s)"
                            .formatted(e.getErrorCode(), e.getSQLState()),
                    "08001",
                    e);
        }
    }

    /// Of several databases one may be behind, since it was lost or is not waited for.
    private void requireFresh(Freshness freshness, Map<ConflictClass, Long> applied)
            throws SQLException {
        if (several() && !freshness.metBy(applied)) {
            throw new BehindException(applied);
        }
    }

    /// Waits until a connection that is no other's shows what an answer must show.
    void awaitReached(PooledConnection pooled, Freshness freshness) throws SQLException {
        if (!several() || !freshness.asked()) {
            return;
        }
        long deadlineNanos = System.nanoTime() + BEHIND_NANOS;
        while (!freshness.metBy(pooled.server().applied(pooled))) {
            StopSignal.current().check();
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new QuireException(
                        ErrorCode.TIER_UNAVAILABLE,
                        "the backend with the client's temporary tables is behind the tier");
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /// A database that answers, but does not have yet what the statement must show.
    private static final class BehindException extends SQLException {
        private static final long serialVersionUID = 1;

        BehindException(Map<ConflictClass, Long> applied) {
            super("it is behind the tier: " + applied, "08S01");
        }
    }

    /// Who may log in there, and what they may do.
    ///
    /// It waits for none of the connections that statements use: there is one more. When rights
    /// have changed, clients' connections that are open already are used no more.
    GrantTables accounts() {
        AccountTables.Read read =
                onOne(
                        BackendSession.OWN,
                        () -> true,
                        pooled ->
                                with(
                                        pooled,
                                        BackendSession.OWN,
                                        own -> AccountTables.read(own.connection())));
        String before = accountsRead.getAndSet(read.fingerprint());
        if (!before.equals(read.fingerprint())) {
            servers.forEach(Server::rightsChanged);
            settings.clear();
            definitions.clear(); // a view's definer may read less
        }
        return read.tables();
    }

    /// Whether it lets the account in with this password. Few are tried at a time, as anybody can
    /// have one tried.
    ///
    /// @throws QuireException when it is not told in time
    boolean admits(Account account, String password) {
        BackendLogin login =
                new BackendLogin(account.user(), account.host(), new Secret.Password(password));
        requireTurn();
        try {
            return onOne(
                    new BackendSession(login, "", List.of()),
                    () -> true,
                    pooled -> {
                        pooled.server().giveBack(pooled, true);
                        return true;
                    });
        } catch (StatementFailed e) {
            return false;
        } finally {
            trying.release();
        }
    }

    private void requireTurn() {
        try {
            if (trying.tryAcquire(TRY_MILLIS, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new QuireException(
                ErrorCode.TIER_UNAVAILABLE, "the backend does not tell whether the login is right");
    }

    void release(Snapshot snapshot, PooledConnection pooled, boolean healthy) {
        snapshots.remove(snapshot);
        pooled.server().giveBack(pooled, healthy);
    }

    @Override
    public void close() {
        watch.interrupt();
        heldWatch.interrupt();
        servers.forEach(Server::close);
    }
}
