package org.quiredb.scheduler.session.transaction;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.classify.StoredCalls;
import org.quiredb.scheduler.cluster.CallLost;
import org.quiredb.scheduler.cluster.Catalogue;
import org.quiredb.scheduler.cluster.Cluster;
import org.quiredb.scheduler.cluster.PartSink;
import org.quiredb.scheduler.cluster.ReplicaLink;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.fallback.Snapshot;
import org.quiredb.scheduler.route.ReadAttempts;
import org.quiredb.scheduler.route.Router;
import org.quiredb.scheduler.route.Routing;
import org.quiredb.scheduler.route.Tags;
import org.quiredb.scheduler.session.backend.CaughtUp;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Description;
import org.quiredb.scheduler.session.state.Isolation;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.ReadView;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.StatementCalls;
import org.quiredb.scheduler.session.state.Transaction;
import org.quiredb.scheduler.session.state.Transaction.Open;
import org.quiredb.scheduler.session.state.Transaction.ReadOnly;
import org.quiredb.sql.text.NormalizedSql;
import org.quiredb.sql.tree.TableName;

/// Tagged reads on replicas, and what follows when one does not answer.
///
/// A read-only transaction sees one state, also where a statement of it needs the backend: its
/// snapshot there says how far each class was applied, which makes a tag of the same state.
///
/// Threads: owned by whoever runs the session.
public final class Reads {
    private static final long STATEMENT_TIMEOUT_MILLIS = 300_000;
    private static final long DESCRIBE_TIMEOUT_MILLIS = 30_000;
    private static final String CANNOT_RUN = "a replica found that it cannot run it as MySQL does";

    private final Services services;
    private final Cluster cluster;
    private final SessionState state;
    private final Fallback fallback;
    private final LockedByOthers locked;
    private final LostUnderWay lost;

    public Reads(Services services, SessionState state, Fallback fallback, LockedByOthers locked) {
        this.locked = locked;
        this.services = services;
        this.cluster = services.cluster();
        this.lost = new LostUnderWay(cluster, state.losses());
        this.state = state;
        this.fallback = fallback;
    }

    /// A read-only transaction of one statement.
    public void standalone(
            Set<TableName> tables, String backendReason, ClientStatement statement, Output output) {
        cluster.awaitReady();
        Optional<Set<Integer>> ids = ids(tables);
        if (!backendReason.isEmpty() || ids.isEmpty()) {
            locked.await(tables);
            fallback.run(statement, classes(tables, statement), told(backendReason), output);
            return;
        }
        boolean answered;
        try (ReadView view = view(tables, statement.normalized().text())) {
            answered = read(view, tables, ids.get(), statement, output);
        }
        if (!answered) {
            fallback.run(statement, classes(tables, statement), CANNOT_RUN, output);
        }
    }

    /// Of which a read of these tables may show something: of any where they are not known, or not
    /// all of them held here, as views, or where it calls what may read others.
    private Predicate<ConflictClass> classes(Set<TableName> tables, ClientStatement statement) {
        Catalogue known = cluster.catalogue();
        Set<ConflictClass> classes = new HashSet<>();
        for (TableName table : tables) {
            Optional<CatalogueEntry> held = known.table(table);
            if (held.isEmpty()) {
                return CaughtUp.ANY;
            }
            classes.add(held.get().conflictClass());
        }
        return tables.isEmpty() || StoredCalls.in(statement.tokens(), services.mariaDb())
                ? CaughtUp.ANY
                : classes::contains;
    }

    /// A read outside transactions, or in one that cannot have changed what it shows, where a
    /// replica of this process answers it at once on this thread. Nothing has happened where none
    /// does.
    ///
    /// @param known of tables: whoever asks for it anew may have to wait
    /// @return the result's packets, null for none
    public @Nullable List<byte[]> now(
            Catalogue known, Set<TableName> tables, ClientStatement statement) {
        Optional<Set<Integer>> ids = ids(known, tables);
        boolean changed =
                state.transaction() instanceof Transaction.Update update
                        && update.changed(tables, known);
        return ids.isEmpty() || changed ? null : now(ids.get(), statement);
    }

    private @Nullable List<byte[]> now(Set<Integer> tables, ClientStatement statement) {
        String text = statement.normalized().text();
        boolean repeatable = state.isolation() == Isolation.REPEATABLE_READ;
        ReadView held = state.snapshot();
        return switch (state.transaction()) {
            case Transaction.None() ->
                    state.autocommit() && !state.setsNext()
                            ? fresh(text, tables, statement, _ -> false)
                            : null;
            case Open(boolean readOnly) when readOnly ->
                    services.needSnapshot().of(text)
                            ? null
                            : fresh(text, tables, statement, this::keepReadOnly);
            case Open _ when !state.isolation().snapshots() -> null;
            case Open _ when repeatable && held != null -> now(held, tables, statement);
            case Open _ when repeatable && services.needSnapshot().of(text) -> null;
            case Open _ -> fresh(text, tables, statement, view -> repeatable && keep(view));
            case ReadOnly(ReadView view) -> now(view, tables, statement);
            case Transaction.Update _ ->
                    repeatable && held != null && !held.untouched()
                            ? now(held, tables, statement)
                            : null;
        };
    }

    private boolean keepReadOnly(ReadView view) {
        state.transaction(new ReadOnly(view));
        return true;
    }

    private boolean keep(ReadView view) {
        state.snapshot(view);
        return true;
    }

    /// Of what is acknowledged now.
    ///
    /// @param kept told of the view if it was read; whether it keeps it
    private @Nullable List<byte[]> fresh(
            String text, Set<Integer> tables, ClientStatement statement, Predicate<ReadView> kept) {
        Tags.Use use = cluster.companions().tagNow();
        if (use == null) {
            return null;
        }
        ReadView view = new ReadView(use, text);
        boolean left = true;
        try {
            List<byte[]> packets = now(view, tables, statement);
            left = packets == null || !kept.test(view);
            return packets;
        } finally {
            if (left) {
                view.close();
            }
        }
    }

    private @Nullable List<byte[]> now(
            ReadView view, Set<Integer> tables, ClientStatement statement) {
        if (view.isOfAnotherLife(cluster) || !statement.isReadAt(view.tag())) {
            return null;
        }
        // The turn is for who reads in the usual way, if this does not.
        ReplicaLink link = choose(view.replica(), view.tag(), tables, cluster::turn);
        List<byte[]> packets = link == null ? null : link.readNow(request(view.tag(), statement));
        if (link != null && packets != null) {
            view.ranOn(link.name());
            long _ = cluster.nextTurn();
        }
        return packets;
    }

    /// Begins a read-only transaction.
    ///
    /// @param tables of its first statement
    /// @param firstStatement normalised, empty when it is not known yet
    public void begin(Set<TableName> tables, String firstStatement) {
        ReadView view = view(tables, firstStatement);
        state.transaction(new ReadOnly(view));
        if (services.needSnapshot().of(firstStatement)) {
            Snapshot _ = atSnapshot(view, false);
        }
    }

    /// A statement of the read-only transaction that the session is in.
    public void inTransaction(
            Set<TableName> tables, String backendReason, ClientStatement statement, Output output) {
        if (!(state.transaction() instanceof ReadOnly(ReadView view))) {
            throw new IllegalStateException("not in a read-only transaction");
        }
        Optional<Set<Integer>> ids = ids(tables);
        if (!backendReason.isEmpty() || ids.isEmpty()) {
            fallback.run(snapshot(view), statement, told(backendReason), output);
            return;
        }
        if (!read(view, tables, ids.get(), statement, output)) {
            fallback.run(snapshot(view), statement, CANNOT_RUN, output);
        }
    }

    /// Of everything that was acknowledged before, for plain reads of an update transaction.
    ///
    /// @param tables that it reads first
    /// @param firstStatement normalised, empty when the state must not be chosen anew
    public ReadView view(Set<TableName> tables, String firstStatement) {
        cluster.awaitReady();
        return new ReadView(locked.tag(tables), firstStatement);
    }

    /// As {@link #view}, to be read again and again: where one that began like it has come to need
    /// the backend, it is the backend's state from the beginning.
    public ReadView repeatable(Set<TableName> tables, String firstStatement) {
        ReadView view = view(tables, firstStatement);
        if (services.needSnapshot().of(firstStatement)) {
            try {
                Snapshot _ = atSnapshot(view, true);
            } catch (RuntimeException e) {
                view.close();
                throw e;
            }
        }
        return view;
    }

    /// A plain read of an update transaction that has changed nothing at all. What only the backend
    /// runs sees what is committed there, as all of an update transaction's reads on the backend
    /// do.
    public void inUpdate(
            ReadView view, Set<TableName> tables, ClientStatement statement, Output output) {
        if (!onReplicas(view, tables, statement, output)) {
            fallback.run(
                    statement,
                    true,
                    ids(tables).isEmpty() ? Fallback.TABLE_NOT_HELD : CANNOT_RUN,
                    output);
        }
    }

    /// @return false when no replica runs it
    public boolean onReplicas(
            ReadView view, Set<TableName> tables, ClientStatement statement, Output output) {
        Optional<Set<Integer>> ids = ids(tables);
        return ids.isPresent() && read(view, tables, ids.get(), statement, output);
    }

    /// @param ids of the tables
    /// @return false when it is for the backend
    private boolean read(
            ReadView view,
            Set<TableName> tables,
            Set<Integer> ids,
            ClientStatement statement,
            Output output) {
        ReadAttempts reading = new ReadAttempts(ids, state.losses());
        while (true) {
            StopSignal.current().check();
            switch (reading.next(sight(view), cluster::nextTurn, Masters.nowMillis())) {
                case ReadAttempts.Step.Ask _ when !statement.isReadAt(view.tag()) -> {
                    return false;
                }
                case ReadAttempts.Step.Ask(String replica) -> {
                    if (answers(replica, reading, view, statement, output)) {
                        return true;
                    }
                }
                case ReadAttempts.Step.Pause(long millis) -> StatementCalls.pause(millis);
                case ReadAttempts.Step.TakeFreshTag(long waitMillis) -> {
                    awaitNewer(view.tag(), waitMillis);
                    view.moveTo(locked.tag(tables));
                }
                case ReadAttempts.Step.Backend() -> {
                    return false;
                }
                case ReadAttempts.Step.GiveUp(ErrorCode code, String why) ->
                        throw givenUp(view, code, why);
            }
        }
    }

    private ReadAttempts.Sight sight(ReadView view) {
        return new ReadAttempts.Sight(
                cluster.views(),
                view.tag(),
                view.replica(),
                !view.untouched() || view.lapsed(),
                view.isOfAnotherLife(cluster));
    }

    private boolean answers(
            String replica,
            ReadAttempts reading,
            ReadView view,
            ClientStatement statement,
            Output output) {
        ReplicaLink link = cluster.link(replica);
        HeldBack held = new HeldBack(output);
        try {
            switch (ask(link, view.tag(), statement, held)) {
                case ReplicaReply.Rows _ -> {
                    held.release();
                    view.ranOn(link.name());
                    return true;
                }
                case ReplicaReply.Failed f
                        when f.number() == ErrorCode.SYNTAX_ERROR.number() && f.packets() == 0 ->
                        reading.refused(Reason.CANNOT_RUN_HERE, f.message());
                case ReplicaReply.Failed f -> {
                    held.release();
                    throw new StatementFailed(f.number(), f.sqlState(), f.message());
                }
                case ReplicaReply.Refused(Reason reason, long _, String detail) ->
                        reading.refused(reason, detail);
                case ReplicaReply other ->
                        throw new IllegalStateException("a read is answered by " + other);
            }
        } catch (CallLost e) {
            lost.met(e, statement.normalized().text());
            reading.lost(held.passedOn(), String.valueOf(e.getMessage()));
        }
        return false;
    }

    private QuireException givenUp(ReadView view, ErrorCode code, String why) {
        return switch (code) {
            case TABLE_CHANGED -> ReadView.tableChanged();
            case SNAPSHOT_TOO_OLD -> {
                services.counters().versionConflicts().increment();
                yield view.gone(why);
            }
            default -> new QuireException(code, why);
        };
    }

    private static String told(String backendReason) {
        return backendReason.isEmpty() ? Fallback.TABLE_NOT_HELD : backendReason;
    }

    /// A replica may know of newer commits than this scheduler does.
    private void awaitNewer(VersionVector old, long timeoutMillis) {
        services.counters().versionRetries().increment();
        try {
            cluster.tags().awaitNewer(old, timeoutMillis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuireException(ErrorCode.SERVER_SHUTDOWN, "the scheduler stops", e);
        }
    }

    /// The backend at the view's state. What the transaction has seen cannot be had there when the
    /// backend has gone on since; the next transaction of its kind then begins with a snapshot.
    private Snapshot snapshot(ReadView view) {
        Snapshot same = snapshot(view, false);
        if (same == null) {
            view.close();
            state.transaction(new Transaction.None());
            throw missed();
        }
        return same;
    }

    static QuireException missed() {
        return new QuireException(
                ErrorCode.DEADLOCK,
                "a statement that only the backend runs came after others have fixed what this"
                        + " transaction sees; try restarting transaction, which will then see one"
                        + " state in both");
    }

    /// The backend at the state of the read-only transaction that the session is in.
    public Snapshot onBackend() {
        if (!(state.transaction() instanceof ReadOnly(ReadView view))) {
            throw new IllegalStateException("not in a read-only transaction");
        }
        return snapshot(view);
    }

    /// As {@link #snapshot(ReadView)}, of any view.
    ///
    /// @param forRows whether rows are to be laid over it
    /// @return null when the backend has gone on
    @Nullable Snapshot snapshot(ReadView view, boolean forRows) {
        Snapshot open = view.snapshot();
        if (open != null) {
            return open;
        }
        services.needSnapshot().learn(view.firstStatement());
        if (view.untouched()) {
            return atSnapshot(view, forRows);
        }
        Snapshot now = fallback.snapshot(forRows ? Snapshot.Use.ROWS : Snapshot.Use.READS);
        if (!covers(view.tag(), now)) {
            try (now) { // whatever the tags lack, the next view has it
                VersionVector _ = learned(now);
            }
            services.counters().snapshotsMissed().increment();
            return null;
        }
        view.keep(now);
        return now;
    }

    /// The backend as it is now, whose state every scheduler knows.
    ///
    /// @param use other than for reads
    public Snapshot snapshotFor(Snapshot.Use use) {
        Snapshot now = fallback.snapshot(use);
        try {
            VersionVector _ = learned(now);
            return now;
        } catch (RuntimeException e) {
            now.close();
            throw e;
        }
    }

    /// Lets the view see what the backend shows now.
    private Snapshot atSnapshot(ReadView view, boolean forRows) {
        Snapshot now = fallback.snapshot(forRows ? Snapshot.Use.ROWS : Snapshot.Use.READS);
        try {
            VersionVector shown = learned(now);
            view.moveTo(cluster.tags().use(shown, fallback.applied().life()));
        } catch (RuntimeException e) {
            now.close();
            throw e;
        }
        view.keep(now);
        return now;
    }

    /// What a client has seen, nobody may see the state before any more.
    private VersionVector learned(Snapshot snapshot) {
        VersionVector shown = cluster.learnShown(snapshot.positions(), c -> true);
        cluster.requireLife(fallback.applied().life());
        return shown;
    }

    /// Whether the snapshot shows nothing that the tag does not. A class whose last table is gone
    /// shows nothing.
    private boolean covers(VersionVector tag, Snapshot snapshot) {
        Catalogue catalogue = cluster.catalogue();
        return catalogue.classes().stream()
                .allMatch(c ->
                        catalogue.position(c, tag) >= snapshot.positions().getOrDefault(c, 0L));
    }

    private ReplicaReply ask(
            ReplicaLink link, VersionVector tag, ClientStatement statement, PartSink parts)
            throws CallLost {
        return link.read(request(tag, statement), parts, STATEMENT_TIMEOUT_MILLIS);
    }

    private ReplicaRequest.Read request(VersionVector tag, ClientStatement statement) {
        StatementCall call = StatementCalls.of(state, statement, false);
        return new ReplicaRequest.Read(cluster.epoch(), tag, cluster.tags().lowWatermark(), call);
    }

    /// Null where nobody serves.
    private @Nullable ReplicaLink choose(
            String replica, VersionVector tag, Set<Integer> tables, LongSupplier turn) {
        return switch (Router.read(cluster.views(), replica, tag, tables, Set.of(), turn)) {
            case Routing.ToReplica(String name) -> cluster.link(name);
            case Routing.ToMaster(String name) -> cluster.link(name);
            case Routing.Rejected _ -> null;
        };
    }

    /// Empty when the tier does not know one of the tables: a view, or a mistake.
    private Optional<Set<Integer>> ids(Set<TableName> tables) {
        return ids(cluster.catalogue(), tables);
    }

    private static Optional<Set<Integer>> ids(Catalogue known, Set<TableName> tables) {
        Set<Integer> ids = new HashSet<>();
        for (TableName table : tables) {
            Optional<CatalogueEntry> entry = known.table(table);
            if (entry.isEmpty()) {
                return Optional.empty();
            }
            ids.add(entry.get().tableId());
        }
        return Optional.of(ids);
    }

    public Description describe(String sql, Classification classification) {
        int parameters = NormalizedSql.of(sql).parameterCount();
        return switch (classification) {
            case Classification.Read read when read.backendReason(sql).isEmpty() ->
                    new Description(parameters, columns(sql));
            case Classification.Read read -> new Description(parameters, fallback.describe(sql));
            case Classification.Information _, Classification.TableService _ ->
                    new Description(parameters, fallback.describe(sql));
            case Classification.Update update when update.shows() ->
                    new Description(parameters, fallback.describe(sql));
            default -> new Description(parameters, List.of());
        };
    }

    public Description describeOnBackend(String sql) {
        return new Description(NormalizedSql.of(sql).parameterCount(), fallback.describe(sql));
    }

    private List<byte[]> columns(String sql) {
        return describedHere(sql).orElseGet(() -> fallback.describe(sql));
    }

    /// The columns that a replica would answer a query with; empty where none tells.
    public Optional<List<byte[]>> describedHere(String sql) {
        cluster.awaitReady();
        ReplicaRequest request =
                new ReplicaRequest.Describe(state.database(), NormalizedSql.of(sql).text());
        try (Tags.Use use = cluster.companions().tag()) {
            ReplicaLink link = choose("", use.tag(), Set.of(), cluster::nextTurn);
            return link != null
                            && link.call(request, PartSink.NONE, DESCRIBE_TIMEOUT_MILLIS)
                                    instanceof
                                    ReplicaReply.Described(
                                            List<byte[]> parameters,
                                            List<byte[]> columns)
                    ? Optional.of(columns)
                    : Optional.empty();
        } catch (CallLost e) {
            return Optional.empty();
        }
    }
}
