package org.quiredb.master;

import java.util.List;
import java.util.function.Consumer;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ClassPosition;
import org.quiredb.common.message.GroupMessage;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.rpc.RpcPeer;
import org.quiredb.common.topology.Member;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.LoggedStatement;
import org.quiredb.master.commit.CommitSettings;
import org.quiredb.master.commit.Commits;
import org.quiredb.master.lock.LockManager;
import org.quiredb.master.log.LoggerCalls;
import org.quiredb.master.schema.SchemaChanger;
import org.quiredb.master.session.SchemaGate;
import org.quiredb.master.session.Sessions;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.service.Engine;
import org.quiredb.replica.service.UpdateService;

/// A master, as its replica's service sees it.
///
/// Threads: any.
public final class MasterService implements UpdateService, AutoCloseable {
    /// @param lockWaitMillis how long a statement waits for locks, and a schema change for open
    ///   transactions
    /// @param maximumTransactions open at once; the next one waits
    /// @param lagMillis how long a member of the in-sync set may hold commits back
    public record Settings(
            long lockWaitMillis, int maximumTransactions, long lagMillis, CommitSettings commits) {
        public static final Settings DEFAULT =
                new Settings(10_000, 4096, 2_000, CommitSettings.DEFAULT);
    }

    /// Makes a replica, which commits wait for already, a member of the topology.
    @FunctionalInterface
    public interface Admission {
        /// @throws QuireException when it does not become one
        void admit(Member member);
    }

    private final LockManager locks = new LockManager();
    private final SchemaGate gate;
    private final Progress progress;
    private final Commits commits;
    private final Sessions sessions;
    private final SchemaChanger schemas;
    private final Admission admission;
    private final long term;

    /// @param epoch of a topology in force that this master leads, the first such
    public MasterService(
            PageStore store,
            Engine engine,
            Progress progress,
            LoggerCalls log,
            Consumer<byte[]> multicast,
            long epoch,
            Admission admission,
            Settings settings) {
        term = epoch;
        this.progress = progress;
        this.admission = admission;
        gate = new SchemaGate(settings.maximumTransactions(), settings.lockWaitMillis());
        commits = new Commits(store, progress, log, multicast, settings.commits(), epoch);
        sessions =
                new Sessions(
                        store,
                        engine,
                        progress,
                        locks,
                        gate,
                        commits::commit,
                        settings.lockWaitMillis());
        schemas = new SchemaChanger(store, engine, progress, gate, commits, log);
    }

    public Commits commits() {
        return commits;
    }

    @Override
    public ReplicaReply handle(RpcPeer peer, ReplicaRequest request, Consumer<byte[]> parts) {
        try {
            return switch (request) {
                case ReplicaRequest.Update update ->
                        refused(update.epoch())
                                ? otherEpoch()
                                : sessions.update(peer, update, parts);
                case ReplicaRequest.Commit(long epoch, long session, long transactionId) ->
                        refused(epoch)
                                ? otherEpoch()
                                : sessions.commit(peer, session, transactionId);
                case ReplicaRequest.Rollback(long session) -> sessions.rollBack(peer, session);
                case ReplicaRequest.ChangeSchema change ->
                        refused(change.epoch()) ? otherEpoch() : schemas.change(change);
                case ReplicaRequest.EnterInSync(Member member) -> {
                    commits.enterInSync(member.name());
                    admission.admit(member);
                    yield new ReplicaReply.Done();
                }
                case ReplicaRequest.Outcome(long epoch, var conflictClass, long transactionId) -> {
                    if (refused(epoch)) {
                        yield otherEpoch();
                    }
                    yield commits.settled(conflictClass, transactionId)
                            .map(this::committed)
                            .orElseGet(ReplicaReply.RolledBack::new);
                }
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
        commits.received(from, received.conflictClass(), received.epoch(), received.commitNumber());
    }

    @Override
    public List<ClassPosition> stable() {
        return commits.stablePositions();
    }

    @Override
    public VersionVector stableVector() {
        return commits.stableVector();
    }

    @Override
    public List<NodeStatus.Figure> figures() {
        LockManager.Figures lock = locks.figures();
        return List.of(
                new NodeStatus.Figure("transactions.open", gate.inside()),
                new NodeStatus.Figure("lock.waiting", lock.waitingNow()),
                new NodeStatus.Figure("lock.waits", lock.waits()),
                new NodeStatus.Figure("lock.wait.seconds", lock.waitedNanos() / 1e9),
                new NodeStatus.Figure("lock.deadlocks", lock.deadlocks()),
                new NodeStatus.Figure("lock.timeouts", lock.timeouts()),
                new NodeStatus.Figure("statements.retried", sessions.retried()),
                new NodeStatus.Figure("writeset.bytes", commits.bytesSent()),
                new NodeStatus.Figure("replicas.insync", commits.inSync().size()));
    }

    @Override
    public void close() {
        commits.close();
    }

    private ReplicaReply committed(CommitRecord record) {
        VersionVector vector = commits.stableVector();
        long catalogueVersion = progress.catalogueVersion();
        if (record.statements().size() == 1) {
            LoggedStatement only = record.statements().getFirst();
            if (only.affectedRows() >= 0) {
                return new ReplicaReply.Updated(
                        only.affectedRows(), only.insertId(), 0, "", vector, catalogueVersion);
            }
        }
        return new ReplicaReply.Committed(vector, catalogueVersion);
    }

    private boolean refused(long epoch) {
        return epoch < term || epoch > commits.epoch();
    }

    private ReplicaReply otherEpoch() {
        return new ReplicaReply.Refused(
                ReplicaReply.Reason.OTHER_EPOCH,
                commits.epoch(),
                "this master is of epoch " + commits.epoch());
    }
}
