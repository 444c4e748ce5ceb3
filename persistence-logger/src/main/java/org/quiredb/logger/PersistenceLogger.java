package org.quiredb.logger;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.Trouble;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.NodeStatus.Figure;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.rpc.RpcHandler;
import org.quiredb.common.rpc.RpcPeer;
import org.quiredb.common.rpc.RpcReply;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.trust.Trust;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.logger.active.Fence;
import org.quiredb.logger.active.StandbyException;
import org.quiredb.logger.apply.Applier;
import org.quiredb.logger.apply.ReplicaRows;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.backend.BackendErrors;
import org.quiredb.logger.backend.Backends;
import org.quiredb.logger.backend.Hindrance;
import org.quiredb.logger.log.CommitLog;
import org.quiredb.logger.log.LogOutcome;
import org.quiredb.logger.log.LogStore;
import org.quiredb.logger.log.LogWork;
import org.quiredb.logger.log.LogWriter;
import org.quiredb.logger.log.OutcomeQuestion;
import org.quiredb.logger.log.SingleStore;
import org.quiredb.logger.set.BackendState;
import org.quiredb.logger.set.CatchUp;
import org.quiredb.logger.set.LoneBackend;
import org.quiredb.logger.set.SharedStore;
import org.quiredb.logger.snapshot.BackendSnapshot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The persistence logger: answers every {@link LoggerRequest}. Long, because each kind of request
/// has a few lines here that lead to who does the work.
///
/// Threads: handle and begin from any; what begin has taken the log's writer answers.
public final class PersistenceLogger implements RpcHandler, AutoCloseable {
    private static final Logger logger = LoggerFactory.getLogger(PersistenceLogger.class);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int PRUNE_EVERY_COMMITS = 1000;
    private static final int SHORT_BYTES = 64 << 10;

    private final LoggerConfiguration configuration;
    private final Backends backends;
    private final LoggedClasses classes;
    private final LogWriter log;
    private final @Nullable SharedStore shared;
    private final @Nullable CatchUp catchUp;
    private final ReplicaRows replicas;
    private final SnapshotReader snapshots;
    private final Comparisons comparisons;
    private final BackendSchemaChanger schemaChanger;
    private final AtomicLong highestEpoch = new AtomicLong();
    private final AtomicLong appended = new AtomicLong();
    private final Trouble absence = new Trouble();
    private final AtomicLong schemaChanges = new AtomicLong();
    private final AtomicBoolean pruning = new AtomicBoolean();

    /// When a member of the topology asked for anything last; at first when this logger began.
    private volatile long heardNanos = System.nanoTime();

    private PersistenceLogger(
            LoggerConfiguration configuration,
            Backends backends,
            LogStore store,
            Fence fence,
            Optional<Trust> trust) {
        this.shared = store instanceof SharedStore several ? several : null;
        this.catchUp =
                shared != null
                        ? new CatchUp(backends, shared, configuration.absence().silenceMillis())
                        : null;
        this.configuration = configuration;
        this.backends = backends;
        long waitMillis = configuration.backendWaitMillis();
        this.replicas =
                trust.<ReplicaRows>map(t -> new RowsOfReplicas(backends, t))
                        .orElse(ReplicaRows.NONE);
        this.classes = new LoggedClasses(configuration, backends, fence, replicas);
        this.log = new LogWriter(store, waitMillis);
        this.snapshots = new SnapshotReader(classes, log, waitMillis);
        this.comparisons = new Comparisons(backends, classes, waitMillis);
        this.schemaChanger = new BackendSchemaChanger(backends, classes, log, waitMillis);
    }

    /// Prepares the backends and starts the appliers of the classes that the log knows. They apply
    /// nothing before a request says what is stable.
    ///
    /// @throws QuireException when a backend is not there or refuses the account
    public static PersistenceLogger start(LoggerConfiguration configuration) {
        return start(configuration, Fence.NONE);
    }

    static PersistenceLogger start(LoggerConfiguration configuration, Fence fence) {
        return start(configuration, fence, configuration.backendWaitMillis(), Optional.empty());
    }

    /// Of several loggers, the one that is active while its fence lets it through.
    ///
    /// @param waitMillis for backends that are away
    /// @param trust how it proves itself to replicas; empty where there are none
    static PersistenceLogger start(
            LoggerConfiguration configuration,
            Fence fence,
            long waitMillis,
            Optional<Trust> trust) {
        List<Backend> configured = new ArrayList<>();
        for (int i = 0; i < configuration.backends().size(); i++) {
            configured.add(new Backend(i, configuration.backends().get(i)));
        }
        Backends backends = new Backends(configured);
        PersistenceLogger started =
                new PersistenceLogger(
                        configuration,
                        backends,
                        store(configuration, backends, fence, waitMillis),
                        fence,
                        trust);
        try {
            started.highestEpoch.set(started.classes.load());
        } catch (SQLException e) {
            started.close();
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "the log cannot be read: " + BackendErrors.describe(e),
                    e);
        }
        started.log.start();
        if (started.catchUp != null) {
            started.catchUp.start();
        }
        return started;
    }

    private static LogStore store(
            LoggerConfiguration configuration, Backends backends, Fence fence, long waitMillis) {
        if (backends.single()) {
            prepare(backends.first(), waitMillis);
            claim(backends.first());
            return new SingleStore(backends.first(), fence);
        }
        SharedStore shared = new SharedStore(backends, configuration.absence().silenceMillis());
        shared.take(waitMillis);
        return shared;
    }

    private static void claim(Backend backend) {
        try {
            LoneBackend.claim(backend);
        } catch (SQLException e) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    backend + " does not take its record: " + BackendErrors.describe(e),
                    e);
        }
    }

    /// Whether another logger writes the log by now.
    boolean replaced() {
        return shared != null && shared.replaced();
    }

    static void prepare(Backend backend, long waitMillis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
        while (true) {
            try {
                backend.prepare();
                return;
            } catch (SQLException e) {
                if (!BackendErrors.isTransient(e)
                        || System.nanoTime() - deadline > 0
                        || Thread.currentThread().isInterrupted()) {
                    throw new QuireException(
                            ErrorCode.TIER_UNAVAILABLE,
                            backend
                                    + " cannot be used: "
                                    + e.getMessage()
                                    + ". Check its address and account.",
                            e);
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    @Override
    public void handle(RpcPeer peer, byte[] request, RpcReply reply) {
        LoggerRequest asked = LoggerRequest.decode(request);
        LoggerReply answer;
        try {
            answer = answer(peer, asked, reply);
        } catch (QuireException | StandbyException e) {
            answer = refused(asked, e);
        } catch (SQLException e) {
            answer = failed(peer, asked, e);
        } catch (RpcException e) {
            logger.info("{} went away before its answer was complete", peer.address());
            return;
        }
        reply.end(answer.encode());
    }

    /// A short append waits for nothing but the log's writer, which also answers it: a commit waits
    /// for it, and each thread more on its way costs more than the record does.
    @Override
    public boolean begin(RpcPeer peer, byte[] request, RpcReply reply) {
        if (request.length > SHORT_BYTES || !LoggerRequest.isAppend(request)) {
            return false;
        }
        LoggerRequest.Append append = (LoggerRequest.Append) LoggerRequest.decode(request);
        LoggedClass logged = classes.known(append.conflictClass());
        if (logged == null || logged.isBehind(configuration.maximumBacklog())) {
            return false;
        }
        heardNanos = System.nanoTime();
        return log.begin(
                work(append),
                outcome -> {
                    LoggerReply answer;
                    try {
                        answer = stored(logged, append, outcome.get());
                    } catch (QuireException | StandbyException e) {
                        answer = refused(append, e);
                    }
                    reply.end(answer.encode());
                });
    }

    private static LoggerReply refused(LoggerRequest asked, RuntimeException refusal) {
        if (!(refusal instanceof QuireException e)) {
            return new LoggerReply.Standby();
        }
        String message = String.valueOf(e.getMessage());
        return mayBeAskedAgain(asked)
                ? new LoggerReply.Away(message)
                : new LoggerReply.Failed(e.code().number(), e.code().sqlState(), message);
    }

    private LoggerReply failed(RpcPeer peer, LoggerRequest asked, SQLException e) {
        if (mayBeAskedAgain(asked) || BackendErrors.mayPass(e)) {
            logger.debug("{} is to ask again: {}", peer.address(), BackendErrors.describe(e));
            return new LoggerReply.Away("the backend says " + BackendErrors.describe(e));
        }
        if (absence.met()) {
            logger.warn("a request of {} failed: {}", peer.address(), BackendErrors.describe(e));
        }
        return new LoggerReply.Failed(
                e.getErrorCode(), BackendSchemaChanger.state(e), String.valueOf(e.getMessage()));
    }

    /// What replicas and schedulers live by is theirs to ask for until it is answered: no state of
    /// a backend is a refusal of that.
    private static boolean mayBeAskedAgain(LoggerRequest asked) {
        return switch (asked) {
            case LoggerRequest.ReadTopology _,
                    LoggerRequest.ChangeTopology _,
                    LoggerRequest.ReadSchedulers _,
                    LoggerRequest.ChangeSchedulers _,
                    LoggerRequest.OpenClass _,
                    LoggerRequest.Append _,
                    LoggerRequest.FindTransaction _,
                    LoggerRequest.FinishSchemaChange _ ->
                    true;
            case LoggerRequest.AwaitApplied _,
                    LoggerRequest.Applied _,
                    LoggerRequest.Snapshot _,
                    LoggerRequest.ChangeSchema _,
                    LoggerRequest.OpenComparison _,
                    LoggerRequest.Digests _,
                    LoggerRequest.RowDigests _,
                    LoggerRequest.Repair _,
                    LoggerRequest.Status _ ->
                    false;
        };
    }

    @Override
    public void disconnected(RpcPeer peer) {
        comparisons.end(peer);
    }

    private LoggerReply answer(RpcPeer peer, LoggerRequest request, RpcReply reply)
            throws SQLException {
        return switch (request) {
            case LoggerRequest.OpenClass open -> open(open);
            case LoggerRequest.Append append -> append(append);
            case LoggerRequest.AwaitApplied(var conflictClass, long commitNumber) -> {
                awaitApplied(classes.get(conflictClass), commitNumber);
                yield new LoggerReply.Position(commitNumber);
            }
            case LoggerRequest.Applied() -> reply(log.submit(new LogWork.ReadApplied()));
            case LoggerRequest.Snapshot() -> {
                if (shared != null) {
                    shared.run(List.of()); // nobody else writes: what is logged now stays
                }
                schemaChanger.settle();
                snapshots.snapshot(reply::part);
                yield new LoggerReply.Done();
            }
            case LoggerRequest.ChangeSchema change -> {
                schemaChanges.incrementAndGet();
                LoggerReply changed = schemaChanger.change(change, reply::part);
                if (changed instanceof LoggerReply.SchemaChanged done && done.errorNumber() == 0) {
                    appended.incrementAndGet();
                }
                yield changed;
            }
            case LoggerRequest.FinishSchemaChange left -> schemaChanger.finish(left, reply::part);
            case LoggerRequest.OpenComparison(var atLeast) -> {
                log.submit(new LogWork.ReadApplied());
                yield new LoggerReply.Positions(
                        schemaChanger.betweenChanges(
                                () -> comparisons.open(peer, atLeast, schemaChanger.changing())));
            }
            case LoggerRequest.Digests() -> {
                comparisons.of(peer).digests(reply::part);
                yield new LoggerReply.Done();
            }
            case LoggerRequest.RowDigests(int backend, String schema, String table) -> {
                comparisons.of(peer).rowDigests(backend, schema, table, reply::part);
                yield new LoggerReply.Done();
            }
            case LoggerRequest.Repair repair -> {
                repair(repair);
                yield new LoggerReply.Done();
            }
            case LoggerRequest.Status() -> new LoggerReply.StatusReply(status());
            case LoggerRequest.ReadTopology(boolean asMember) -> readTopology(asMember);
            case LoggerRequest.ChangeTopology change -> changeTopology(change);
            case LoggerRequest.ReadSchedulers() ->
                    new LoggerReply.SchedulersReply(
                            backends.ask(c -> new CommitLog(c).schedulers()));
            case LoggerRequest.ChangeSchedulers(Schedulers next) ->
                    reply(log.submit(new LogWork.ChangeSchedulers(next)));
            case LoggerRequest.FindTransaction asked ->
                    backends.ask(c -> new OutcomeQuestion(asked).answer(new CommitLog(c)));
        };
    }

    /// What was stable when it was asked for is so in this logger's eyes too, if no other was
    /// active before.
    private void awaitApplied(LoggedClass logged, long commitNumber) {
        if (logged.appliedEverywhere() < commitNumber) {
            log.submit(new LogWork.ReadApplied());
            logged.awaitApplied(commitNumber, configuration.backendWaitMillis());
        }
    }

    /// The rows come to be owed. Those that are right by then are put there as they are.
    private void repair(LoggerRequest.Repair asked) throws SQLException {
        Applier applier =
                classes.get(asked.conflictClass()).appliers().stream()
                        .filter(a -> a.backend().index() == asked.backend())
                        .findFirst()
                        .orElseThrow(() ->
                                new QuireException(
                                        ErrorCode.UNKNOWN_ERROR,
                                        "there is no backend " + asked.backend()));
        List<RowChange> keys = new ArrayList<>();
        try (BackendSnapshot snapshot = BackendSnapshot.open(applier.backend())) {
            KeyTexts texts =
                    new KeyTexts(Comparison.definition(snapshot, asked.schema(), asked.table()));
            replicas.named(asked.conflictClass(), asked.schema(), asked.table(), asked.keys())
                    .forEach(row -> keys.add(texts.of(row)));
            keys.addAll(texts.on(snapshot.connection(), Set.copyOf(asked.keys())));
        }
        if (!applier.owe(keys)) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE, "too many rows wait to be put right; ask again");
        }
        applier.awaitNothingOwed(configuration.backendWaitMillis());
    }

    /// A sign of life counts when it comes, whether the backend answers or not.
    private LoggerReply readTopology(boolean asMember) throws SQLException {
        if (asMember) {
            heardNanos = System.nanoTime();
        }
        return backends.ask(connection -> {
            CommitLog committed = new CommitLog(connection);
            long quietMillis =
                    TimeUnit.NANOSECONDS.toMillis(Math.max(0, System.nanoTime() - heardNanos));
            return new LoggerReply.TopologyReply(
                    committed.topology(), committed.ends(), quietMillis);
        });
    }

    private LoggerReply changeTopology(LoggerRequest.ChangeTopology change) throws SQLException {
        heardNanos = System.nanoTime();
        LogOutcome outcome = log.submit(new LogWork.ChangeTopology(change.next(), change.ends()));
        if (outcome instanceof LogOutcome.InForce(Topology topology, var ends)
                && topology.equals(change.next())) {
            highestEpoch.accumulateAndGet(topology.epoch(), Math::max);
            for (ClassPosition end : change.ends()) {
                classes.get(end.conflictClass()).window().clear();
            }
            logger.info("recorded {}", topology.inWords());
        }
        return reply(outcome);
    }

    private LoggerReply open(LoggerRequest.OpenClass request) throws SQLException {
        LogOutcome outcome = log.submit(new LogWork.Open(request.conflictClass(), request.epoch()));
        if (outcome instanceof LogOutcome.Stored(long last, boolean repeated)) {
            highestEpoch.accumulateAndGet(request.epoch(), Math::max);
            if (!repeated) {
                classes.get(request.conflictClass()).stableUpTo(last);
            }
            logger.info(
                    "the log of {} is open to the master of epoch {}, after commit {}",
                    request.conflictClass(),
                    request.epoch(),
                    last);
        }
        return reply(outcome);
    }

    private LoggerReply append(LoggerRequest.Append request) throws SQLException {
        heardNanos = System.nanoTime();
        LoggedClass logged = classes.get(request.conflictClass());
        logged.awaitBacklog(configuration.maximumBacklog(), configuration.backendWaitMillis());
        return stored(logged, request, log.submit(work(request)));
    }

    private static LogWork work(LoggerRequest.Append request) {
        return new LogWork.Append(request.conflictClass(), request.epoch(), request.records());
    }

    /// What follows of an append. Waits for nothing.
    private LoggerReply stored(
            LoggedClass logged, LoggerRequest.Append request, LogOutcome outcome) {
        List<CommitRecord> records = request.records();
        if (outcome instanceof LogOutcome.Stored(long last, boolean repeated)) {
            if (!records.isEmpty() && !repeated) {
                logged.window().add(records);
                long before = appended.getAndAdd(records.size());
                boolean due =
                        before / PRUNE_EVERY_COMMITS
                                != (before + records.size()) / PRUNE_EVERY_COMMITS;
                if (due && pruning.compareAndSet(false, true)) {
                    Thread.ofVirtual()
                            .name("prune")
                            .start(() -> {
                                try {
                                    pruneWith(logged);
                                } finally {
                                    pruning.set(false);
                                }
                            });
                }
            }
            logged.stableUpTo(Math.min(request.stable(), last));
        }
        return reply(outcome);
    }

    private LoggerReply reply(LogOutcome outcome) {
        return switch (outcome) {
            case LogOutcome.Stored(long last, boolean repeated) ->
                    new LoggerReply.Position(last, backends.packetBytes());
            case LogOutcome.InForce(Topology topology, var ends) ->
                    new LoggerReply.TopologyReply(topology, ends);
            case LogOutcome.SchedulersInForce(Schedulers record) ->
                    new LoggerReply.SchedulersReply(record);
            case LogOutcome.Marks(var applied) -> new LoggerReply.Positions(applied);
            case LogOutcome.TableIds ids ->
                    throw new IllegalStateException("nobody asks for table ids alone");
            case LogOutcome.OldEpoch(long epoch) -> new LoggerReply.OldEpoch(epoch);
            case LogOutcome.NotTaken(String reason) -> new LoggerReply.Away(reason);
            case LogOutcome.Refused(String reason) ->
                    new LoggerReply.Failed(
                            ErrorCode.TIER_UNAVAILABLE.number(),
                            ErrorCode.TIER_UNAVAILABLE.sqlState(),
                            reason);
        };
    }

    /// Those that are away need what they have not logged, up to a bound; whoever has lost the
    /// answer to a COMMIT asks whether the log has it.
    private void prune(LoggedClass logged) {
        boolean complete = backends.current().size() == backends.all().size();
        long applied = logged.appliedEverywhere();
        long upTo =
                Math.min(
                        logged.retention().over(applied, System.nanoTime()),
                        applied - configuration.kept(complete, logged.window().isEmpty()));
        if (upTo > 0) {
            for (Backend backend : backends.current()) {
                prune(logged.conflictClass(), backend, upTo);
            }
        }
    }

    /// And those of classes to which nothing comes any more, as when others are configured.
    private void pruneWith(LoggedClass due) {
        prune(due);
        classes.all().stream().filter(logged -> logged.window().isEmpty()).forEach(this::prune);
    }

    private static void prune(ConflictClass conflictClass, Backend backend, long upTo) {
        try (Connection connection = backend.connect()) {
            new CommitLog(connection).prune(conflictClass, upTo);
        } catch (SQLException e) {
            logger.info("{} is pruned later: {}", backend, BackendErrors.describe(e));
        }
    }

    private BackendState standing(Backend backend) {
        BackendState standing =
                catchUp != null ? catchUp.standing(backend) : new BackendState.Current();
        return standing instanceof BackendState.Current
                ? classes.hindrance(backend)
                        .filter(Hindrance::lasting)
                        .<BackendState>map(
                                hindrance -> new BackendState.SetAside(hindrance.reason()))
                        .orElse(standing)
                : standing;
    }

    private List<String> troubles() {
        List<String> troubles = new ArrayList<>();
        log.hindrance()
                .ifPresent(hindrance ->
                        troubles.add(
                                "nothing can be committed, the log takes no record " + hindrance));
        for (Backend backend : backends.all()) {
            if (catchUp != null
                    && catchUp.standing(backend) instanceof BackendState.Stale(String why)) {
                troubles.add(backend + " has to be copied from a current one: " + why);
            }
            classes.owed(backend).ifPresent(troubles::add);
            classes.hindrance(backend)
                    .ifPresent(hindrance ->
                            troubles.add(
                                    "%s is set aside, and tried again, %s"
                                            .formatted(backend, hindrance)));
        }
        return troubles;
    }

    /// What `quire status` shows of this logger.
    public NodeStatus status() {
        List<LoggedClass> all = classes.all();
        double backlog =
                all.stream()
                        .flatMap(c -> c.current().stream())
                        .mapToLong(a -> a.backlog())
                        .max()
                        .orElse(0);
        List<Figure> figures =
                new ArrayList<>(
                        List.of(
                                new Figure("backends", backends.current().size()),
                                new Figure("appended_commits", appended.get()),
                                new Figure("log_transactions", log.transactions()),
                                new Figure("applier_backlog", backlog)));
        figures.addAll(BackendFigures.of(backends, all, this::standing));
        return new NodeStatus(
                configuration.name(),
                "logger",
                "serving",
                ProcessHandle.current().pid(),
                0,
                highestEpoch.get(),
                List.of(),
                classes.applied(),
                VersionVector.EMPTY,
                schemaChanges.get(),
                figures,
                troubles(),
                List.of());
    }

    /// Requests under way fail; backend transactions under way end first.
    @Override
    public void close() {
        comparisons.close();
        if (catchUp != null) {
            catchUp.close();
        }
        log.close();
        classes.close();
        schemaChanger.close();
        backends.close();
    }
}
