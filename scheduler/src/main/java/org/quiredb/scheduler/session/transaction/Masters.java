package org.quiredb.scheduler.session.transaction;

import java.util.Optional;
import java.util.Set;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.cluster.CallLost;
import org.quiredb.scheduler.cluster.Cluster;
import org.quiredb.scheduler.cluster.PartSink;
import org.quiredb.scheduler.cluster.ReplicaLink;
import org.quiredb.scheduler.replay.ReplayLimits;
import org.quiredb.scheduler.replay.Settlement;
import org.quiredb.scheduler.replay.Transcript;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.StatementCalls;
import org.quiredb.scheduler.session.state.Transaction.Update;
import org.quiredb.scheduler.session.state.TransactionIds;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where a class's transactions begin, and what became of one whose master is lost.
///
/// Threads: any.
public final class Masters {
    private static final Logger LOG = LoggerFactory.getLogger(Masters.class);

    /// The master gives a commit up before it.
    static final long COMMIT_TIMEOUT_MILLIS = 60_000;

    private static final long END_TIMEOUT_MILLIS = 10_000;

    private static final long MAXIMUM_PAUSE_MILLIS = 160;
    public static final long FIRST_PAUSE_MILLIS = 10;

    private final Cluster cluster;
    private final TransactionIds transactionIds;
    private final ReplayLimits limits;

    public Masters(Services services) {
        cluster = services.cluster();
        transactionIds = services.transactionIds();
        limits = services.replay();
    }

    /// A new transaction on the class's master.
    public Update begin(ConflictClass conflictClass) {
        Cluster.Master master = cluster.awaitMaster(conflictClass);
        return new Update(
                conflictClass,
                master.name(),
                master.term(),
                transactionIds.next(),
                cluster.tags().current(),
                Set.of(),
                false,
                new Transcript(limits, nowMillis()));
    }

    /// Another transaction of the same class, on the master that is there now.
    Update inPlaceOf(Update lost) {
        Cluster.Master master = cluster.awaitMaster(lost.conflictClass());
        return lost.on(
                master.name(), master.term(), transactionIds.next(), cluster.tags().current());
    }

    /// Since some time in the past.
    public static long nowMillis() {
        return System.nanoTime() / 1_000_000;
    }

    /// As newly as it is known: a master that missed its successor is to refuse.
    public long term(Update transaction) {
        Cluster.Master known = cluster.master(transaction.conflictClass());
        return known == null ? transaction.term() : Math.max(known.term(), transaction.term());
    }

    /// Whether a transaction is committed, as the master says that is there now: Updated or
    /// Committed, else RolledBack, for good.
    ///
    /// @throws QuireException when nobody can tell, or not any more: it must not be run again
    public ReplicaReply outcome(Update transaction, Exception loss) {
        Settlement settlement = new Settlement(transaction.term(), nowMillis());
        Settlement.Step step = settlement.look(nowMillis());
        while (true) {
            switch (step) {
                case Settlement.Step.Ask() -> step = ask(settlement, transaction, loss);
                case Settlement.Step.Pause(long millis) -> {
                    StatementCalls.pause(millis);
                    step = settlement.look(nowMillis());
                }
                case Settlement.Step.Told(ReplicaReply outcome) -> {
                    return outcome;
                }
                case Settlement.Step.Forgotten() ->
                        throw new QuireException(
                                ErrorCode.SERVER_SHUTDOWN,
                                "the statement may or may not be committed: so much was committed since that the log does not know any more");
                case Settlement.Step.Unknown() -> throw outcomeUnknown(loss);
            }
        }
    }

    private Settlement.Step ask(Settlement settlement, Update transaction, Exception loss) {
        Cluster.Master master;
        try {
            master = cluster.awaitMaster(transaction.conflictClass());
        } catch (QuireException e) {
            loss.addSuppressed(e);
            return settlement.noMaster();
        }
        Settlement.Question question = settlement.question(master.term(), nowMillis());
        ReplicaRequest.Outcome asked =
                new ReplicaRequest.Outcome(
                        transaction.conflictClass(),
                        question.term(),
                        transaction.transactionId(),
                        transaction.began());
        try {
            return settlement.answered(
                    master.link().call(asked, PartSink.NONE, question.timeoutMillis()));
        } catch (CallLost e) {
            loss.addSuppressed(e);
            return settlement.lost();
        }
    }

    /// Lets go of what nobody is to be told of.
    void rollback(Update transaction, long session) {
        rollback(cluster.link(transaction.master()), transaction, session, false);
    }

    /// Ends a transaction that commits nothing, whose client is told so next: what it may have seen
    /// everybody knows then. Of what it saw on a master that is lost, that is what the next one
    /// has; the rest is nobody's any more.
    void end(Update transaction, long session) {
        ReplicaLink link = cluster.link(transaction.master());
        Optional<VersionVector> seen = rollback(link, transaction, session, true);
        long deadlineMillis = nowMillis() + END_TIMEOUT_MILLIS;
        try {
            while (seen.isEmpty() && nowMillis() < deadlineMillis) {
                ReplicaLink next = cluster.awaitMaster(transaction.conflictClass()).link();
                seen = rollback(next, transaction, session, true);
                if (seen.isEmpty()) { // the one that refuses may be taken for master still
                    StatementCalls.pause(MAXIMUM_PAUSE_MILLIS);
                }
            }
        } catch (QuireException e) {
            LOG.info("nobody can tell what a lost transaction has seen: {}", e.getMessage());
        }
        learn(seen.orElse(VersionVector.EMPTY));
    }

    /// As {@link #end}, after an error that ended it and says what it may have seen, where its
    /// master could tell.
    void failed(Update transaction, long session, ReplicaReply.Failed failure) {
        boolean told = !failure.seen().isEmpty();
        if (told || failure.number() == ErrorCode.TIER_UNAVAILABLE.number()) {
            learn(failure.seen());
        } else {
            end(transaction, session);
        }
    }

    /// Not on a master that is silent: the transaction is to go on elsewhere, and a lost connection
    /// takes with it what it has left.
    ///
    /// @return what the transaction may have seen; empty when its master is lost, or not its
    ///   class's any more
    private static Optional<VersionVector> rollback(
            ReplicaLink link, Update transaction, long session, boolean told) {
        if (!link.up() || !link.connected()) {
            return Optional.empty();
        }
        ReplicaRequest.Rollback request =
                new ReplicaRequest.Rollback(session, transaction.conflictClass(), told);
        try {
            return link.call(request, PartSink.NONE, MasterStatements.STATEMENT_TIMEOUT_MILLIS)
                            instanceof ReplicaReply.RolledBack(VersionVector seen)
                    ? Optional.of(seen)
                    : Optional.empty();
        } catch (CallLost e) {
            return Optional.empty(); // it has gone meanwhile
        }
    }

    /// Before a client is told of an end that is no commit.
    void learn(VersionVector seen) {
        if (!seen.isEmpty()) {
            cluster.learn(seen, 0);
        }
    }

    public static QuireException lost(String why) {
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
