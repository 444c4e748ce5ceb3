package org.quiredb.scheduler.session;

import java.util.List;
import java.util.Set;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.SnapshotAt;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.cluster.CallLost;
import org.quiredb.scheduler.cluster.Cluster;
import org.quiredb.scheduler.cluster.PartSink;
import org.quiredb.scheduler.cluster.ReplicaLink;
import org.quiredb.scheduler.replay.ResultSum;
import org.quiredb.scheduler.replay.Transcript.Step;
import org.quiredb.scheduler.session.Transaction.Update;

/// Runs a transaction that its master has lost again, on the one that is there now.
///
/// Threads: owned by the session's thread.
final class Replay {
    private enum End {
        SAME,
        DIFFERENT,
        /// The master is lost, too, or has ended the transaction to let another one go on.
        NOTHING_DONE
    }

    /// It will not come out as it did, on any master.
    private static final Set<Reason> DIFFERS =
            Set.of(Reason.CANNOT_RUN_HERE, Reason.VERSION_RECLAIMED, Reason.TABLE_CHANGED);

    private static final long LIMIT_MILLIS = 10_000;
    private static final long MAXIMUM_PAUSE_MILLIS = 160;

    private final Cluster cluster;
    private final Masters masters;
    private final Held held;
    private final Services.Counters counters;
    private final long session;

    Replay(Services services, Masters masters, Held held, long session) {
        this.cluster = services.cluster();
        this.masters = masters;
        this.held = held;
        this.counters = services.counters();
        this.session = session;
    }

    /// The transaction that goes on in place of the lost one: an open one when it has run nothing.
    ///
    /// @throws QuireException 1213 when it cannot be replayed, or its results come out otherwise
    Transaction of(Update lost, String why) {
        masters.rollback(lost, session);
        List<Step> steps =
                lost.transcript()
                        .steps(Masters.nowMillis())
                        .orElseThrow(() -> over(lost, why + ", and it is too long to replay"));
        if (steps.isEmpty()) {
            return new Transaction.Open(false);
        }
        long deadlineMillis = Masters.nowMillis() + LIMIT_MILLIS;
        long pauseMillis = Masters.FIRST_PAUSE_MILLIS;
        while (Masters.nowMillis() < deadlineMillis) {
            requireHeld(lost);
            Update next = inPlaceOf(lost, why);
            switch (run(next, steps)) {
                case SAME -> {
                    counters.replays().increment();
                    return next;
                }
                case DIFFERENT -> {
                    counters.replaysDiffered().increment();
                    throw over(next, why + ", and what it has read is otherwise now");
                }
                case NOTHING_DONE -> masters.rollback(next, session);
            }
            Calls.pause(pauseMillis);
            pauseMillis = Math.min(2 * pauseMillis, MAXIMUM_PAUSE_MILLIS);
        }
        throw over(lost, why + ", and it could not be replayed in time");
    }

    /// What it is to pass on the master that is there now.
    private void requireHeld(Update lost) {
        try {
            held.require();
        } catch (QuireException e) {
            throw over(lost, String.valueOf(e.getMessage()));
        }
    }

    private QuireException over(Update transaction, String why) {
        masters.end(transaction, session);
        return Masters.lost(why);
    }

    private Update inPlaceOf(Update lost, String why) {
        try {
            return masters.inPlaceOf(lost);
        } catch (QuireException e) {
            throw Masters.lost(why + ", and " + e.getMessage());
        }
    }

    private End run(Update transaction, List<Step> steps) {
        ReplicaLink link = cluster.link(transaction.master());
        boolean begins = true;
        for (Step step : steps) {
            ResultSum sum = new ResultSum(PartSink.NONE);
            ReplicaReply reply;
            try {
                reply =
                        link.call(
                                request(transaction, begins, step),
                                sum,
                                Updates.STATEMENT_TIMEOUT_MILLIS);
            } catch (CallLost e) {
                return End.NOTHING_DONE;
            }
            if (reply instanceof ReplicaReply.Refused refused) {
                return DIFFERS.contains(refused.reason()) ? End.DIFFERENT : End.NOTHING_DONE;
            }
            if (reply instanceof ReplicaReply.Failed failed && failed.transactionOver()) {
                // Transactions of one master may be replayed in another order than they came in.
                return failed.number() == ErrorCode.DEADLOCK.number()
                        ? End.NOTHING_DONE
                        : End.DIFFERENT;
            }
            if (sum.endingWith(reply) != step.result()) {
                return End.DIFFERENT;
            }
            begins = false;
        }
        return End.SAME;
    }

    /// A snapshot is at its tag, whatever master reads it: everything in it was stable.
    private ReplicaRequest.Update request(Update transaction, boolean begins, Step step) {
        VersionVector tag = step.snapshot();
        return new ReplicaRequest.Update(
                transaction.conflictClass(),
                masters.term(transaction),
                session,
                held.host(transaction.conflictClass()),
                transaction.transactionId(),
                false,
                begins,
                cluster.tags().lowWatermark(),
                ReplicaRequest.Update.USUAL_WAIT,
                tag == null ? null : new SnapshotAt(cluster.epoch(), tag, false),
                step.call());
    }
}
