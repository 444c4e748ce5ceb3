package org.quiredb.scheduler.fallback;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.scheduler.account.Account;
import org.quiredb.scheduler.account.GrantTables;
import org.quiredb.scheduler.account.Secret;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.fallback.connection.Asked;
import org.quiredb.scheduler.fallback.connection.BackendLogin;
import org.quiredb.scheduler.fallback.connection.BackendRows;
import org.quiredb.scheduler.fallback.connection.BackendSession;
import org.quiredb.scheduler.fallback.connection.Definitions;
import org.quiredb.scheduler.fallback.connection.DriverErrors;
import org.quiredb.scheduler.fallback.connection.Outcome;
import org.quiredb.scheduler.fallback.connection.ProcedureCall;
import org.quiredb.scheduler.fallback.connection.Routines;
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

    private static final int LOGINS_TRIED = 4;
    private static final long TRY_MILLIS = 5_000;

    private final Databases databases;
    private final HeldConnections held;
    private final Snapshots snapshots;
    private final Semaphore trying = new Semaphore(LOGINS_TRIED, true);

    /// Fingerprint of the rights that were read last.
    private final AtomicReference<String> accountsRead = new AtomicReference<>("");

    private final SettingAnswers settings = new SettingAnswers(System::nanoTime);
    private final Definitions definitions = new Definitions();

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
        databases = new Databases(urls, user, password, maximumConnections, longConnections);
        held = new HeldConnections(databases, Math.max(1, longConnections));
        snapshots = new Snapshots(databases, held, schemaWait);
    }

    /// A connection for a client's named locks: to the first database, which all schedulers have to
    /// have in the first place, as a lock of one keeps nobody out of another.
    ///
    /// @param lost when its locks are gone; must not block
    /// @throws QuireException TIER_UNAVAILABLE when too many clients have one
    public HeldLocks holdLocks(BackendSession session, Runnable lost) {
        return held.locks(session, lost);
    }

    /// A connection for a client's temporary tables.
    ///
    /// @param lost when they are gone; must not block
    /// @throws QuireException as of {@link #holdLocks}
    public HeldTables holdTables(BackendSession session, Runnable lost) {
        return held.tables(session, lost);
    }

    /// A connection for a file of a client's; throws as {@link #holdLocks}.
    public LoadedRows holdFile(BackendSession session) {
        return held.file(session);
    }

    /// The backend as it is now, for as long as the snapshot is open.
    ///
    /// @param tables of which the session's account can read one, perhaps
    public Snapshot snapshot(
            BackendSession session, Freshness freshness, Snapshot.Use use, List<TableName> tables) {
        return snapshots.open(session, freshness, use, tables);
    }

    /// Whether there is more than one database.
    public boolean several() {
        return databases.several();
    }

    /// Begins to open a connection to each database: the driver's first one takes long, and the
    /// clients of a scheduler that died come all at once.
    public void warmUp() {
        databases.warmUp();
    }

    /// Whether {@link #isUtc} waits for nothing.
    public boolean knowsZone() {
        return databases.knowsZone();
    }

    /// Whether the tier's own time zone is that of sessions that set none. Waits for {@link
    /// #warmUp}, which must have been called. A scheduler that has found no database yet says that
    /// it is.
    public boolean isUtc() {
        return databases.isUtc();
    }

    /// Whether group_concat_max_len of sessions that set none is MariaDB's default.
    public boolean joinsAsUsual() {
        return databases.joinAsUsual();
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
        boolean _ = databases.with(session, pooled -> pooled.tries(assignment));
    }

    /// The last commit of each class that the first database shows to whoever asked it before;
    /// empty when it does not answer.
    public Optional<Map<ConflictClass, Long>> applied() {
        try {
            return Optional.of(databases.first().applied());
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
        return databases.with(
                session,
                () -> !begun.get(),
                pooled -> {
                    if (compares) {
                        databases.requireFresh(freshness, pooled.server().applied(pooled));
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
        return databases.with(
                session, () -> false, pooled -> StatementRun.run(pooled, asked, () -> {}, _ -> {}));
    }

    /// The first column of what Quire's own account is told.
    public List<String> own(String query) {
        return databases.with(
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
        return databases.with(
                session,
                () -> !begun.get(),
                pooled -> {
                    Server server = pooled.server();
                    if (compares) {
                        databases.requireFresh(freshness, server.applied(pooled));
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
        return databases.with(
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
            throw DriverErrors.failure(e);
        }
    }

    /// The names of stored functions, in lower case: what they do may be no part of their
    /// statement.
    public Set<String> functions() {
        try {
            return databases.preferred().functions();
        } catch (SQLException e) {
            throw DriverErrors.failure(e);
        }
    }

    /// The stored programs, as Quire's own account is shown them now.
    public Routines routines() {
        return new ShownRoutines(databases.preferred(), null);
    }

    /// Whether a client is shown that there is such a procedure.
    public boolean isShown(BackendSession session, TableName procedure) {
        return session.login().isOwn()
                || databases.with(session, pooled -> new ShownRoutines(pooled).isShown(procedure));
    }

    /// The columns that a statement would answer with; none when it answers with no rows.
    public List<ColumnMetadata> describe(BackendSession session, String sql) {
        return databases.with(session, pooled -> BackendRows.prepared(pooled.connection(), sql));
    }

    /// Has a server look for mistakes in a text, which is not run.
    public void read(BackendSession session, String sql) {
        boolean _ = databases.with(session, pooled -> BackendRows.isRead(pooled.connection(), sql));
    }

    /// The one row of a query.
    public List<@Nullable String> values(BackendSession session, String query) {
        return databases.with(
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

    /// Who may log in there, and what they may do.
    ///
    /// It waits for none of the connections that statements use: there is one more. When rights
    /// have changed, clients' connections that are open already are used no more.
    GrantTables accounts() {
        AccountTables.Read read =
                databases.onOne(
                        BackendSession.OWN,
                        () -> true,
                        pooled ->
                                Databases.with(
                                        pooled,
                                        BackendSession.OWN,
                                        own -> AccountTables.read(own.connection())));
        String before = accountsRead.getAndSet(read.fingerprint());
        if (!before.equals(read.fingerprint())) {
            databases.all().forEach(Server::rightsChanged);
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
            return databases.onOne(
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

    @Override
    public void close() {
        snapshots.close();
        held.close();
        databases.close();
    }
}
