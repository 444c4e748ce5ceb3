package org.quiredb.scheduler.session;

import java.util.Set;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.scheduler.cluster.CallLost;
import org.quiredb.scheduler.cluster.Cluster;
import org.quiredb.scheduler.cluster.PartSink;
import org.quiredb.scheduler.cluster.ReplicaLink;
import org.quiredb.scheduler.replay.ReplayLimits;
import org.quiredb.scheduler.replay.Transcript;
import org.quiredb.scheduler.session.Transaction.Update;

/// Where a class's transactions begin, and what became of one whose master is lost.
///
/// Threads: any.
final class Masters {
    private static final long OUTCOME_TIMEOUT_MILLIS = 30_000;
    private static final long MAXIMUM_PAUSE_MILLIS = 160;
    static final long FIRST_PAUSE_MILLIS = 10;
    static final int MAXIMUM_ATTEMPTS = 7;

    private final Cluster cluster;
    private final TransactionIds transactionIds;
    private final ReplayLimits limits;

    Masters(Services services) {
        cluster = services.cluster();
        transactionIds = services.transactionIds();
        limits = services.replay();
    }

    /// A new transaction on the class's master.
    Update begin(ConflictClass conflictClass) {
        Cluster.Master master = cluster.awaitMaster(conflictClass);
        return new Update(
                conflictClass,
                master.name(),
                master.term(),
                transactionIds.next(),
                Set.of(),
                false,
                new Transcript(limits, nowMillis()));
    }

    /// Another transaction of the same class, on the master that is there now.
    Update inPlaceOf(Update lost) {
        Cluster.Master master = cluster.awaitMaster(lost.conflictClass());
        return lost.on(master.name(), master.term(), transactionIds.next());
    }

    /// Since some time in the past.
    static long nowMillis() {
        return System.nanoTime() / 1_000_000;
    }

    /// As newly as it is known: a master that missed its successor is to refuse.
    long term(Update transaction) {
        Cluster.Master known = cluster.master(transaction.conflictClass());
        return known == null ? transaction.term() : Math.max(known.term(), transaction.term());
    }

    /// Whether a transaction is committed, as the master says that is there now: Updated or
    /// Committed, else RolledBack, for good.
    ReplicaReply outcome(Update transaction, Exception loss) {
        long deadlineMillis = nowMillis() + OUTCOME_TIMEOUT_MILLIS;
        long pauseMillis = FIRST_PAUSE_MILLIS;
        while (nowMillis() < deadlineMillis) {
            try {
                Cluster.Master master = awaitMaster(transaction, loss);
                ReplicaReply reply =
                        master.link()
                                .call(
                                        new ReplicaRequest.Outcome(
                                                transaction.conflictClass(),
                                                // A master that missed those since would find in
                                                // the log what is not stable, or not find it yet.
                                                Math.max(master.term(), transaction.term()),
                                                transaction.transactionId()),
                                        PartSink.NONE,
                                        OUTCOME_TIMEOUT_MILLIS);
                if (reply instanceof ReplicaReply.Updated
                        || reply instanceof ReplicaReply.Committed
                        || reply instanceof ReplicaReply.RolledBack) {
                    return reply;
                }
            } catch (CallLost e) {
                loss.addSuppressed(e);
            }
            Calls.pause(pauseMillis);
            pauseMillis = Math.min(2 * pauseMillis, MAXIMUM_PAUSE_MILLIS);
        }
        throw outcomeUnknown(loss);
    }

    private Cluster.Master awaitMaster(Update transaction, Exception loss) {
        try {
            return cluster.awaitMaster(transaction.conflictClass());
        } catch (QuireException e) {
            loss.addSuppressed(e);
            throw outcomeUnknown(loss);
        }
    }

    /// Not on a master that is silent: the transaction is to go on elsewhere, and a lost connection
    /// takes with it what it has left.
    void rollback(Update transaction, long session) {
        ReplicaLink link = cluster.link(transaction.master());
        if (!link.up() || !link.connected()) {
            return;
        }
        try {
            link.call(
                    new ReplicaRequest.Rollback(session),
                    PartSink.NONE,
                    Updates.STATEMENT_TIMEOUT_MILLIS);
        } catch (CallLost e) {
            return; // it has gone meanwhile
        }
    }

    /// A commit may have its place in the order and no stability yet, nor get it from this master.
    static boolean isOpen(ReplicaReply reply) {
        return reply instanceof ReplicaReply.Failed failed
                && failed.packets() == 0
                && failed.number() == ErrorCode.TIER_UNAVAILABLE.number();
    }

    static QuireException lost(String why) {
        return new QuireException(
                ErrorCode.DEADLOCK,
                "the transaction was rolled back, its master is gone; try restarting transaction: "
                        + why);
    }

    private static QuireException outcomeUnknown(Exception e) {
        return new QuireException(
                ErrorCode.SERVER_SHUTDOWN,
                "the master did not answer, the statement may or may not be committed: "
                        + e.getMessage(),
                e);
    }
}
