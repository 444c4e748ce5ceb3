package org.quiredb.master;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.GroupMessage;
import org.quiredb.common.message.LockWait;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.rpc.RpcPeer;
import org.quiredb.common.topology.Member;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.Effects;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.master.commit.CommitSettings;
import org.quiredb.master.commit.Commits;
import org.quiredb.master.commit.Inquiry;
import org.quiredb.master.lock.LockManager;
import org.quiredb.master.log.RemoteQueryLog;
import org.quiredb.master.role.Admission;
import org.quiredb.master.role.Admission.Step;
import org.quiredb.master.schema.SchemaChanger;
import org.quiredb.master.session.SchemaGate;
import org.quiredb.master.session.Sessions;
import org.quiredb.master.transaction.UpdateTransaction;
import org.quiredb.replica.engine.Engine;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.service.UpdateService;

/// What a replica adds as master of classes, as its service sees it; there while it is master of
/// none, too.
///
/// Threads: any.
public final class MasterService implements UpdateService, AutoCloseable {
    /// @param lockWaitMillis how long a statement waits for locks, and a schema change for open
    ///   transactions
    /// @param maximumTransactions open at once; the next one waits
    /// @param lagMillis how long a member of the in-sync set may hold commits back
    /// @param maximumCommitBytes of row changes that one transaction may have
    public record Settings(
            long lockWaitMillis,
            int maximumTransactions,
            long lagMillis,
            int maximumCommitBytes,
            CommitSettings commits) {
        public static final Settings DEFAULT =
                new Settings(10_000, 4096, 700, 24 << 20, CommitSettings.DEFAULT);
    }

    /// Where a replica that joins comes from, and goes to.
    public interface Joiners {
        /// Whether the replica is in this one's group now.
        boolean sees(String replica);

        /// Proposes it to the topology, as leader.
        ///
        /// @param epoch in which every master has said that it waits for it
        void propose(Member member, long epoch);
    }

    private final LockManager locks = new LockManager();
    private final SchemaGate gate;
    private final Progress progress;
    private final Commits commits;
    private final Sessions sessions;
    private final SchemaChanger schemas;
    private final Joiners joiners;
    private final long waitMillis;
    private final DoubleSupplier awaySeconds;
    private final String self;

    /// @param awaySeconds for how long the log has not answered this replica
    public MasterService(
            PageStore store,
            Engine engine,
            Progress progress,
            RemoteQueryLog log,
            DoubleSupplier awaySeconds,
            Consumer<byte[]> multicast,
            String self,
            Joiners joiners,
            Settings settings) {
        this.self = self;
        this.awaySeconds = awaySeconds;
        this.progress = progress;
        this.joiners = joiners;
        this.waitMillis = settings.commits().waitMillis();
        gate = new SchemaGate(settings.maximumTransactions(), settings.lockWaitMillis());
        commits =
                new Commits(
                        store,
                        progress,
                        log,
                        multicast,
                        engine::committed,
                        settings.commits(),
                        self);
        sessions =
                new Sessions(
                        store,
                        engine,
                        progress,
                        locks,
                        gate,
                        ends(commits),
                        commits.mastery()::working,
                        settings.lockWaitMillis(),
                        settings.maximumCommitBytes(),
                        log::packetBytes);
        schemas = new SchemaChanger(store, engine, progress, gate, commits, log);
    }

    private static Sessions.Ends ends(Commits commits) {
        return new Sessions.Ends() {
            @Override
            public VersionVector commit(
                    ConflictClass conflictClass,
                    UpdateTransaction transaction,
                    long transactionId,
                    Effects effects) {
                return commits.commit(conflictClass, transaction, transactionId, effects);
            }

            @Override
            public VersionVector seen(Optional<ConflictClass> conflictClass) {
                return commits.seen(conflictClass);
            }

            @Override
            public long assigned(ConflictClass conflictClass) {
                return commits.assigned(conflictClass);
            }

            @Override
            public VersionVector stableAt(ConflictClass conflictClass, long commitNumber) {
                return commits.stableAt(conflictClass, commitNumber);
            }
        };
    }

    public Commits commits() {
        return commits;
    }

    @Override
    public ReplicaReply handle(RpcPeer peer, ReplicaRequest request, Consumer<byte[]> parts) {
        try {
            return switch (request) {
                case ReplicaRequest.Update update ->
                        refusal(update.conflictClass(), update.term())
                                .orElseGet(() -> sessions.update(peer, update, parts));
                case ReplicaRequest.Commit commit ->
                        refusal(commit.conflictClass(), commit.term())
                                .orElseGet(() ->
                                        sessions.commit(
                                                peer, commit.session(), commit.transactionId()));
                case ReplicaRequest.Rollback rollback -> sessions.rollBack(peer, rollback);
                case ReplicaRequest.ChangeSchema change ->
                        refusal(change.conflictClass(), change.term())
                                .orElseGet(() -> schemas.change(change));
                case ReplicaRequest.EnterInSync(Member member, long epoch) ->
                        enterInSync(member, epoch);
                case ReplicaRequest.Outcome asked -> outcome(asked);
                default -> throw new IllegalArgumentException("not for a master: " + request);
            };
        } catch (QuireException e) {
            return new ReplicaReply.Failed(
                    e.code().number(),
                    e.code().sqlState(),
                    String.valueOf(e.getMessage()),
                    false,
                    0);
        }
    }

    /// Finishes a schema change that a lost master has left in the log.
    void finishSchemaChange(ClassPosition left) {
        schemas.finish(left.conflictClass(), left.commitNumber());
    }

    @Override
    public void disconnected(RpcPeer peer) {
        sessions.disconnected(peer);
    }

    /// A replica has acknowledged.
    public void received(String from, GroupMessage.Received received) {
        commits.received(
                from,
                received.conflictClass(),
                received.epoch(),
                received.commitNumber(),
                received.parts());
    }

    @Override
    public List<NodeStatus.Mastered> masterOf() {
        return commits.mastery().serving().entrySet().stream()
                .map(e -> new NodeStatus.Mastered(e.getKey(), e.getValue()))
                .toList();
    }

    @Override
    public List<ClassPosition> stable() {
        return commits.mastery().stablePositions();
    }

    @Override
    public VersionVector stableVector() {
        return commits.mastery().stableVector();
    }

    @Override
    public List<NodeStatus.Figure> figures() {
        NodeStatus.Figure away =
                new NodeStatus.Figure("log.away.seconds", awaySeconds.getAsDouble());
        if (commits.mastery().serving().isEmpty()) {
            return List.of(away);
        }
        LockManager.Figures lock = locks.figures();
        return List.of(
                away,
                new NodeStatus.Figure("transactions.open", gate.inside()),
                new NodeStatus.Figure("lock.waiting", lock.waitingNow()),
                new NodeStatus.Figure("lock.waits", lock.waits()),
                new NodeStatus.Figure("lock.wait.seconds", lock.waitedNanos() / 1e9),
                new NodeStatus.Figure("lock.deadlocks", lock.deadlocks()),
                new NodeStatus.Figure("lock.timeouts", lock.timeouts()),
                new NodeStatus.Figure("statements.retried", sessions.retried()),
                new NodeStatus.Figure("writeset.bytes", commits.bytesSent()),
                new NodeStatus.Figure("replicas.insync", commits.mastery().inSync().size()));
    }

    @Override
    public List<LockWait> lockWaits() {
        return sessions.waits();
    }

    /// What is done while no update transaction is open.
    @FunctionalInterface
    interface Action {
        void run() throws InterruptedException;
    }

    /// Lets open update transactions end and new ones wait meanwhile; false when they do not end in
    /// time.
    boolean drained(long limitMillis, Action action) throws InterruptedException {
        if (!gate.tryClose(limitMillis)) {
            return false;
        }
        try {
            action.run();
            return true;
        } finally {
            gate.open();
        }
    }

    @Override
    public void close() {
        commits.close();
    }

    private ReplicaReply committed(CommitRecord record) {
        VersionVector vector = commits.mastery().stableVector();
        long catalogueVersion = progress.catalogueVersion();
        if (record.logged() instanceof Effects(RowChanges rows, long affectedRows, long insertId)
                && affectedRows >= 0) {
            return new ReplicaReply.Updated(
                    affectedRows, insertId, 0, "", vector, catalogueVersion);
        }
        return new ReplicaReply.Committed(vector, catalogueVersion);
    }

    private ReplicaReply outcome(ReplicaRequest.Outcome asked) {
        return switch (commits.outcome(
                asked.conflictClass(), asked.term(), asked.transactionId(), asked.began())) {
            case Inquiry.Outcome.Committed(CommitRecord record) -> committed(record);
            case Inquiry.Outcome.RolledBack() ->
                    new ReplicaReply.RolledBack(commits.mastery().stableVector());
            case Inquiry.Outcome.Forgotten() -> new ReplicaReply.Forgotten();
            case Inquiry.Outcome.Refused(Reason reason) -> refused(reason, asked.conflictClass());
        };
    }

    private ReplicaReply enterInSync(Member member, long epoch) {
        Admission admission = new Admission(self, progress, commits.mastery(), member, epoch);
        Step step = admission.begin(joiners.sees(member.name()), waitMillis, nowMillis());
        while (true) {
            switch (step) {
                case Step.AwaitHeld(ConflictClass c, long number, long untilMillis) -> {
                    commits.awaitHeldBy(member.name(), c, number, untilMillis - nowMillis());
                    step = admission.look(nowMillis());
                }
                case Step.Propose() -> {
                    joiners.propose(member, epoch);
                    step = admission.look(nowMillis());
                }
                case Step.AwaitTopology(long untilMillis) -> {
                    boolean is =
                            progress.awaitTopology(
                                    t -> t.epoch() > epoch, MILLISECONDS.toNanos(untilMillis));
                    step = admission.look(is ? nowMillis() : untilMillis);
                }
                case Step.Answer(ReplicaReply reply) -> {
                    return reply;
                }
            }
        }
    }

    private static long nowMillis() {
        return NANOSECONDS.toMillis(System.nanoTime());
    }

    private Optional<ReplicaReply> refusal(ConflictClass conflictClass, long ofTerm) {
        return commits.mastery()
                .refusal(conflictClass, ofTerm)
                .map(reason -> refused(reason, conflictClass));
    }

    private ReplicaReply refused(Reason reason, ConflictClass conflictClass) {
        OptionalLong served = commits.mastery().served(conflictClass);
        String detail =
                served.isEmpty()
                        ? "%s is not master of %s".formatted(self, conflictClass)
                        : "the master of %s is of epoch %d"
                                .formatted(conflictClass, served.getAsLong());
        return new ReplicaReply.Refused(reason, commits.mastery().epoch(), detail);
    }
}
