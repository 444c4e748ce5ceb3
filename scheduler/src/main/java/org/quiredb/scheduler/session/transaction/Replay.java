package org.quiredb.scheduler.session.transaction;

import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.SnapshotAt;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.cluster.CallLost;
import org.quiredb.scheduler.cluster.Cluster;
import org.quiredb.scheduler.cluster.PartSink;
import org.quiredb.scheduler.replay.ResultSum;
import org.quiredb.scheduler.replay.Resumption;
import org.quiredb.scheduler.replay.Transcript;
import org.quiredb.scheduler.route.Losses;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.StatementCalls;
import org.quiredb.scheduler.session.state.Transaction;
import org.quiredb.scheduler.session.state.Transaction.Update;

/// Runs a transaction that its master has lost again, on the one that is there now.
///
/// Threads: owned by the session's thread.
final class Replay {
    private final Cluster cluster;
    private final Masters masters;
    private final Held held;
    private final LostUnderWay underWay;
    private final Losses losses;
    private final Services.Counters counters;
    private final long session;

    /// @param underWay counts the losses, of the statement that it is done for
    Replay(
            Services services,
            Masters masters,
            Held held,
            LostUnderWay underWay,
            Losses losses,
            long session) {
        this.cluster = services.cluster();
        this.masters = masters;
        this.held = held;
        this.underWay = underWay;
        this.losses = losses;
        this.counters = services.counters();
        this.session = session;
    }

    /// The transaction that goes on in place of the lost one: an open one when it has run nothing.
    ///
    /// @throws QuireException 1213 when it cannot be replayed, or its results come out otherwise
    Transaction of(Update lost, String why) {
        masters.rollback(lost, session);
        Resumption resumption = new Resumption(lost.transcript(), losses, Masters.nowMillis());
        Resumption.Step step = resumption.look(Masters.nowMillis());
        Update next = lost;
        while (true) {
            switch (step) {
                case Resumption.Step.Begin() -> {
                    requireHeld(lost);
                    next = inPlaceOf(lost, why);
                    step = resumption.begun();
                }
                case Resumption.Step.Run(Transcript.Step statement, boolean begins) ->
                        step = run(resumption, next, begins, statement);
                case Resumption.Step.RollBack(long pauseMillis) -> {
                    masters.rollback(next, session);
                    StatementCalls.pause(pauseMillis);
                    step = resumption.look(Masters.nowMillis());
                }
                case Resumption.Step.GoOn() -> {
                    counters.replays().increment();
                    return next;
                }
                case Resumption.Step.BeginAnew() -> {
                    return new Transaction.Open(false);
                }
                case Resumption.Step.GiveUp(boolean differs, String because) -> {
                    if (differs) {
                        counters.replaysDiffered().increment();
                    }
                    QuireException over = over(differs ? next : lost, why + ", and " + because);
                    underWay.require();
                    throw over;
                }
            }
        }
    }

    private Resumption.Step run(
            Resumption resumption, Update transaction, boolean begins, Transcript.Step statement) {
        ResultSum shown = new ResultSum(PartSink.NONE);
        try {
            ReplicaReply reply =
                    cluster.link(transaction.master())
                            .call(
                                    request(transaction, begins, statement),
                                    shown,
                                    MasterStatements.STATEMENT_TIMEOUT_MILLIS);
            return resumption.answered(reply, shown);
        } catch (CallLost e) {
            underWay.met(e, statement.call().sql());
            return resumption.lost();
        }
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

    /// A snapshot is at its tag, whatever master reads it: everything in it was stable.
    private ReplicaRequest.Update request(
            Update transaction, boolean begins, Transcript.Step step) {
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
                ReplicaRequest.USUAL_WAIT,
                tag == null ? null : new SnapshotAt(cluster.epoch(), tag, false),
                step.call());
    }
}
