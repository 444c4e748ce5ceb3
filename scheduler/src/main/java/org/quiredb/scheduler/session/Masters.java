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
import org.quiredb.scheduler.session.Transaction.Update;

/// Where a class's transactions begin, and what became of one whose master is lost.
///
/// Threads: any.
final class Masters {
    private static final long OUTCOME_TIMEOUT_MILLIS = 30_000;
    static final long FIRST_PAUSE_MILLIS = 10;
    static final int MAXIMUM_ATTEMPTS = 7;

    private final Cluster cluster;
    private final TransactionIds transactionIds;

    Masters(Services services) {
        cluster = services.cluster();
        transactionIds = services.transactionIds();
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
                false);
    }

    /// As newly as it is known: a master that missed its successor is to refuse.
    long term(Update transaction) {
        Cluster.Master known = cluster.master(transaction.conflictClass());
        return known == null ? transaction.term() : Math.max(known.term(), transaction.term());
    }

    /// Whether a transaction is committed, as the master says that is there now: Updated or
    /// Committed, else RolledBack, for good.
    ReplicaReply outcome(Update transaction, Exception loss) {
        for (int attempt = 1; attempt <= MAXIMUM_ATTEMPTS; attempt++) {
            try {
                Cluster.Master master = cluster.awaitMaster(transaction.conflictClass());
                ReplicaReply reply =
                        master.link()
                                .call(
                                        new ReplicaRequest.Outcome(
                                                transaction.conflictClass(),
                                                master.term(),
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
            Calls.pause(FIRST_PAUSE_MILLIS << attempt);
        }
        throw outcomeUnknown(loss);
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
