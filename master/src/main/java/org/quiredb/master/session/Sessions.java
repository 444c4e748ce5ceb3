package org.quiredb.master.session;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.LockWait;
import org.quiredb.common.message.OverlayStep;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.SavepointStep;
import org.quiredb.common.message.SnapshotAt;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.message.TransactionStep;
import org.quiredb.common.mysql.PacketCounter;
import org.quiredb.common.rpc.RpcPeer;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.Effects;
import org.quiredb.master.lock.LockManager;
import org.quiredb.master.transaction.UpdateTransaction;
import org.quiredb.replica.engine.ChangeLimits;
import org.quiredb.replica.engine.Engine;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.SnapshotAccess;
import org.quiredb.replica.tree.OverlaidSnapshot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs statements, commits and rollbacks of update transactions.
///
/// An autocommit statement, or the first one of a transaction, that is a deadlock's victim is run
/// again, up to {@link #MAXIMUM_TRIES} times, as long as no byte of its result has gone out. Each
/// loss makes another one less likely, so that its client hardly ever learns of one (see {@link
/// org.quiredb.master.lock.LockTable}).
///
/// Threads: any.
public final class Sessions {
    private static final Logger LOG = LoggerFactory.getLogger(Sessions.class);
    private static final int MAXIMUM_TRIES = 10;

    /// A transaction that its client would have to run again counts as having lost so many
    /// deadlocks: a statement that is run again unseen loses in its stead, as long as it has not
    /// lost more.
    private static final int UNREPEATABLE = 3;

    /// What a transaction's changes take in memory, with their keys and what undoes them, over what
    /// they take in the log.
    private static final int BUFFER_FACTOR = 8;

    private record Key(long peer, long session) {}

    /// What a transaction's end needs of the commits of its class.
    public interface Ends {
        /// Returns when it is stable, with what it wrote and may have seen.
        VersionVector commit(
                ConflictClass conflictClass,
                UpdateTransaction transaction,
                long transactionId,
                Effects effects);

        /// What one that committed nothing may have seen; it has released its locks.
        ///
        /// @param conflictClass empty when it has touched no table
        VersionVector seen(Optional<ConflictClass> conflictClass);

        /// The last commit number that the class has given.
        long assigned(ConflictClass conflictClass);

        /// Returns when the class is stable up to this commit, with the vector of that.
        VersionVector stableAt(ConflictClass conflictClass, long commitNumber);
    }

    private final Map<Key, Session> sessions = new ConcurrentHashMap<>();
    private final AtomicLong lockOwners = new AtomicLong();
    private final LongAdder retried = new LongAdder();
    private final PageStore store;
    private final Engine engine;
    private final Progress progress;
    private final LockManager locks;
    private final SchemaGate gate;
    private final Ends ends;
    private final Overlays overlays;
    private final Function<ConflictClass, OptionalLong> served;
    private final long lockWaitMillis;
    private final int maximumCommitBytes;
    private final IntSupplier packetBytes;

    public Sessions(
            PageStore store,
            Engine engine,
            Progress progress,
            LockManager locks,
            SchemaGate gate,
            Ends ends,
            Function<ConflictClass, OptionalLong> served,
            long lockWaitMillis,
            int maximumCommitBytes,
            IntSupplier packetBytes) {
        this.maximumCommitBytes = maximumCommitBytes;
        this.packetBytes = packetBytes;
        this.store = store;
        this.engine = engine;
        this.progress = progress;
        this.locks = locks;
        this.gate = gate;
        this.ends = ends;
        overlays = new Overlays(store, engine, progress, ends);
        this.served = served;
        this.lockWaitMillis = lockWaitMillis;
    }

    public ReplicaReply update(
            RpcPeer peer, ReplicaRequest.Update request, Consumer<byte[]> parts) {
        PacketCounter counted = new PacketCounter(parts);
        return inSession(
                        peer,
                        request.session(),
                        session -> told(session, statement(peer, session, request, counted)))
                .after(counted.packets());
    }

    /// An error that ends its transaction says what this may have seen, as its commit would. Not
    /// where the commit itself has waited in vain: what became of it is asked for anew. Nor where
    /// the class has another master by now, which the scheduler asks.
    private ReplicaReply told(Session session, ReplicaReply reply) {
        if (reply instanceof ReplicaReply.Failed failed
                && failed.transactionOver()
                && failed.number() != ErrorCode.TIER_UNAVAILABLE.number()) {
            VersionVector seen = ends.seen(session.touched());
            boolean own = session.touched().map(served).map(OptionalLong::isPresent).orElse(true);
            return own ? failed.seeing(seen) : failed;
        }
        return reply;
    }

    private ReplicaReply statement(
            RpcPeer peer, Session session, ReplicaRequest.Update request, PacketCounter counted) {
        boolean first = request.autocommit() || !isOpen(session, request.transactionId());
        for (int tries = 1; ; tries++) {
            ReplicaReply reply = statement(peer, session, request, tries - 1, counted);
            boolean again =
                    first
                            && counted.packets() == 0
                            && tries < MAXIMUM_TRIES
                            && reply instanceof ReplicaReply.Failed failed
                            && failed.number() == ErrorCode.DEADLOCK.number();
            if (!again) {
                return reply;
            }
            retried.increment();
        }
    }

    /// Statements that lost a deadlock and were run again, each time counted.
    public long retried() {
        return retried.sum();
    }

    public ReplicaReply commit(RpcPeer peer, long session, long transactionId) {
        return inSession(
                peer, session, s -> isOpen(s, transactionId) ? told(s, commit(s)) : notOpen());
    }

    /// A lost connection has taken it with it, or it was begun on a master before this one.
    private ReplicaReply notOpen() {
        return new ReplicaReply.Refused(
                ReplicaReply.Reason.NOT_OPEN,
                progress.epoch(),
                "the transaction is not open here any more");
    }

    private static boolean isOpen(Session session, long transactionId) {
        Session.Open open = session.open();
        return open != null && open.transactionId() == transactionId;
    }

    public ReplicaReply rollBack(RpcPeer peer, ReplicaRequest.Rollback request) {
        return inSession(
                peer,
                request.session(),
                session -> {
                    end(session);
                    return request.told()
                            ? rolledBack(session, request.conflictClass())
                            : new ReplicaReply.RolledBack();
                });
    }

    /// Whether the class is its own it asks last: what was seen before may be stable elsewhere
    /// only.
    private ReplicaReply rolledBack(Session session, ConflictClass conflictClass) {
        ConflictClass touched = session.touched().orElse(conflictClass);
        VersionVector seen = ends.seen(Optional.of(touched));
        return served.apply(touched).isPresent()
                ? new ReplicaReply.RolledBack(seen)
                : new ReplicaReply.Refused(
                        ReplicaReply.Reason.NOT_MASTER,
                        progress.epoch(),
                        touched + " has another master now");
    }

    /// The connection is gone: whatever is open of it is rolled back, once the statement under way
    /// has ended.
    public void disconnected(RpcPeer peer) {
        sessions.keySet().stream()
                .filter(key -> key.peer == peer.id())
                .forEach(key -> Thread.startVirtualThread(() -> forget(peer, key.session)));
    }

    private void forget(RpcPeer peer, long session) {
        rollBack(peer, new ReplicaRequest.Rollback(session, ConflictClass.NONE, false));
    }

    private ReplicaReply inSession(
            RpcPeer peer, long number, Function<Session, ReplicaReply> action) {
        Key key = new Key(peer.id(), number);
        while (true) {
            Session session = sessions.computeIfAbsent(key, k -> new Session());
            session.oneAtATime.lock();
            try {
                // Forgotten by its last user while this one waited for it: begin with a new one.
                if (sessions.get(key) == session) {
                    return lastly(peer, session, action);
                }
            } finally {
                if (session.open() == null) {
                    sessions.remove(key, session);
                }
                session.oneAtATime.unlock();
            }
        }
    }

    /// Invariant: a transaction is open only while its connection is, or until what waits for its
    /// session in {@link #disconnected} has come. Who is gone only after this has looked is
    /// forgotten there, for its session is among those by then.
    private ReplicaReply lastly(
            RpcPeer peer, Session session, Function<Session, ReplicaReply> action) {
        try {
            return action.apply(session);
        } finally {
            if (peer.isGone()) {
                end(session);
            }
        }
    }

    private ReplicaReply statement(
            RpcPeer peer,
            Session session,
            ReplicaRequest.Update request,
            int losses,
            Consumer<byte[]> parts) {
        if (request.autocommit()) {
            end(session);
        }
        boolean begins = request.autocommit() || request.begins();
        if (begins && !isOpen(session, request.transactionId())) {
            end(session); // whatever its client has forgotten
        }
        if (!begins && !isOpen(session, request.transactionId())) {
            end(session);
            return notOpen();
        }
        Session.Open open = session.open();
        boolean first = open == null;
        if (open == null) {
            @Nullable UpdateTransaction host = host(peer, request);
            if (host == null && request.host() != ReplicaRequest.Update.NO_HOST) {
                return notOpen();
            }
            try {
                open = begin(request, host != null);
            } catch (QuireException e) {
                return failed(e, true);
            }
            session.open(open);
            if (host != null) {
                open.transaction().guestOf(host.id());
            }
            // The class may have gone to another master while this waited at the gate.
            if (served.apply(request.conflictClass()).orElse(-1) != request.term()) {
                end(session);
                return new ReplicaReply.Refused(
                        ReplicaReply.Reason.NOT_MASTER,
                        progress.epoch(),
                        request.conflictClass() + " has another master now");
            }
            if (losses > 0) {
                open.transaction().lostBefore(losses);
            }
        }
        UpdateTransaction transaction = open.transaction();
        @Nullable TransactionStep step = request.call().step();
        if (step instanceof SavepointStep savepoint) {
            goesOn(first, request, transaction);
            return savepoint(savepoint, open);
        }
        long waitMillis = request.lockWaitMillis();
        transaction.beginStatement(
                waitMillis == ReplicaRequest.USUAL_WAIT ? lockWaitMillis : waitMillis);
        try {
            @Nullable SnapshotAt snapshot = request.snapshot();
            ReplicaReply reply =
                    step instanceof OverlayStep overlay
                            ? overlays.tell(open, overlay, request.call(), parts)
                            : snapshot == null
                                    ? engine.update(transaction, request.call(), parts)
                                    : readOwn(session, open, snapshot, request.call(), parts);
            if (reply instanceof ReplicaReply.Failed failed) {
                boolean deadlock = failed.number() == ErrorCode.DEADLOCK.number();
                boolean over = request.autocommit() || failed.transactionOver() || deadlock;
                undo(session, transaction, over);
                return over ? over(failed) : failed;
            }
            transaction.endStatement(reply);
            goesOn(first, request, transaction);
            return request.autocommit() ? committed(session, reply) : reply;
        } catch (QuireException e) {
            boolean over = request.autocommit() || e.code() == ErrorCode.DEADLOCK;
            undo(session, transaction, over);
            return failed(e, over);
        } catch (RuntimeException | Error e) { // it must not stay open, whatever it is
            LOG.error(
                    "a statement failed for a reason of this replica's own; its transaction is"
                            + " rolled back",
                    e);
            end(session);
            return new ReplicaReply.Failed(
                    ErrorCode.UNKNOWN_ERROR.number(),
                    ErrorCode.UNKNOWN_ERROR.sqlState(),
                    "Quire failed: " + e,
                    true,
                    0);
        } finally {
            if (request.snapshot() == null && !request.autocommit()) {
                open.tables().conflictClass().ifPresent(c -> session.seen(ends.assigned(c)));
            }
        }
    }

    /// From its second statement on nobody but its client can run it again; who only locks tables
    /// has none.
    private static void goesOn(
            boolean first, ReplicaRequest.Update request, UpdateTransaction transaction) {
        boolean onlyLocks = request.call().step() instanceof OverlayStep step && step.onlyLocks();
        if (first && !request.autocommit() && !onlyLocks) {
            transaction.lostBefore(UNREPEATABLE);
        }
    }

    /// A read that locks nothing, of a snapshot with the transaction's own changes over it.
    ///
    /// What the transaction has seen by its locks may not have been stable then. A snapshot that it
    /// takes afterwards has all of that, and everything in a snapshot is stable, so that it can be
    /// had from any replica: who takes it waits for what is left of those commits.
    private ReplicaReply readOwn(
            Session session,
            Session.Open open,
            SnapshotAt snapshot,
            StatementCall call,
            Consumer<byte[]> parts) {
        VersionVector tag =
                snapshot.movable()
                        ? open.tables()
                                .conflictClass()
                                .map(c -> ends.stableAt(c, session.seen()))
                                .map(snapshot.tag()::merge)
                                .orElse(snapshot.tag())
                        : snapshot.tag();
        OverlaidSnapshot access =
                new OverlaidSnapshot(new SnapshotAccess(store, tag), open.transaction().buffer());
        ReplicaReply reply = engine.update(access, call, parts);
        return reply instanceof ReplicaReply.Rows(long packets, var none)
                ? new ReplicaReply.Rows(packets, tag)
                : reply;
    }

    /// What holds tables for the client of a statement; null where nothing does any more.
    private @Nullable UpdateTransaction host(RpcPeer peer, ReplicaRequest.Update request) {
        Session session = sessions.get(new Key(peer.id(), request.host()));
        if (session == null) {
            return null;
        }
        session.oneAtATime.lock(); // which ends, but never begins, beside its guests
        try {
            Session.Open open = session.open();
            return open == null ? null : open.transaction();
        } finally {
            session.oneAtATime.unlock();
        }
    }

    private ReplicaReply savepoint(SavepointStep step, Session.Open open) {
        try {
            open.savepoints().run(step, open.transaction());
            return new ReplicaReply.Updated(
                    0, 0, 0, "", VersionVector.EMPTY, progress.catalogueVersion());
        } catch (QuireException e) {
            return failed(e, false);
        }
    }

    private void undo(Session session, UpdateTransaction transaction, boolean transactionOver) {
        if (transactionOver) {
            end(session);
        } else {
            transaction.undoStatement();
        }
    }

    private ReplicaReply committed(Session session, ReplicaReply reply) {
        ReplicaReply end = commit(session);
        return switch (end) {
            case ReplicaReply.Committed(VersionVector vector, long catalogueVersion)
                    when reply instanceof ReplicaReply.Updated u ->
                    u.at(vector, catalogueVersion);
            case ReplicaReply.Committed(VersionVector vector, long catalogueVersion)
                    when reply instanceof ReplicaReply.Rows(long packets, var none) ->
                    new ReplicaReply.Rows(packets, vector);
            case ReplicaReply.Committed committed -> reply;
            default -> end;
        };
    }

    private ReplicaReply commit(Session session) {
        Session.Open open = session.open();
        if (open == null) {
            return new ReplicaReply.Committed(VersionVector.EMPTY, progress.catalogueVersion());
        }
        try {
            VersionVector vector =
                    open.tables()
                            .conflictClass()
                            .map(c ->
                                    ends.commit(
                                            c,
                                            open.transaction(),
                                            open.transactionId(),
                                            effects(open.transaction())))
                            .orElseGet(() -> ends.seen(Optional.empty()));
            return new ReplicaReply.Committed(vector, progress.catalogueVersion());
        } catch (QuireException e) {
            return failed(e, true);
        } finally {
            end(session);
        }
    }

    /// Before it takes its place in the commit order: one that the log would refuse has none yet.
    private Effects effects(UpdateTransaction transaction) {
        return transaction.effects(
                engine.changes(
                        transaction,
                        transaction.counterChanges(),
                        ChangeLimits.of(maximumCommitBytes, packetBytes.getAsInt())));
    }

    /// Those who wait for locks.
    public List<LockWait> waits() {
        return locks.waits().stream()
                .map(wait ->
                        new LockWait(
                                nameOf(wait.tableId()),
                                (int) wait.transaction(),
                                wait.blockers().stream().map(Long::intValue).distinct().toList(),
                                TimeUnit.NANOSECONDS.toMillis(wait.nanos())))
                .toList();
    }

    /// Its locks are held under a number whose lower half is the client's, as in the session's.
    private Session.Open begin(ReplicaRequest.Update request, boolean guest) {
        if (guest) {
            gate.enterBeside();
        } else {
            gate.enter();
        }
        TransactionClass tables =
                new TransactionClass(
                        progress::classOf, this::nameOf, c -> served.apply(c).isPresent());
        UpdateTransaction transaction =
                new UpdateTransaction(
                        lockOwners.incrementAndGet() << Integer.SIZE
                                | Integer.toUnsignedLong((int) request.session()),
                        store,
                        locks,
                        tables,
                        lockWaitMillis,
                        (long) BUFFER_FACTOR * maximumCommitBytes,
                        !request.autocommit());
        return new Session.Open(transaction, tables, new Savepoints(), request.transactionId());
    }

    private void end(Session session) {
        Session.@Nullable Open open = session.open();
        if (open != null) {
            session.ended();
            open.transaction().release();
            gate.leave();
        }
    }

    private String nameOf(int tableId) {
        return engine.tables().stream()
                .filter(entry -> entry.tableId() == tableId)
                .map(entry -> entry.definition().schema() + "." + entry.definition().name())
                .findFirst()
                .orElse("number " + tableId);
    }

    private static ReplicaReply over(ReplicaReply.Failed f) {
        return new ReplicaReply.Failed(f.number(), f.sqlState(), f.message(), true, f.packets());
    }

    private static ReplicaReply.Failed failed(QuireException e, boolean transactionOver) {
        return new ReplicaReply.Failed(
                e.code().number(),
                e.code().sqlState(),
                String.valueOf(e.getMessage()),
                transactionOver,
                0);
    }
}
