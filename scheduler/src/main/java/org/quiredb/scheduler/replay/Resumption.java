package org.quiredb.scheduler.replay;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.scheduler.route.Losses;

/// Runs a transaction again that its master has lost, on whoever is master now: pure. It says what
/// to do, and is told what came of it.
///
/// Invariant: a transaction goes on only where every statement was answered as it was before.
///
/// Threads: one.
public final class Resumption {
    static final long LIMIT_MILLIS = 10_000;

    /// It will not come out as it did, on any master.
    private static final Set<Reason> DIFFERS =
            Set.of(Reason.CANNOT_RUN_HERE, Reason.VERSION_RECLAIMED, Reason.TABLE_CHANGED);

    /// What is to be done next.
    public sealed interface Step {
        /// Another transaction of the class, where there is a master; then {@link #begun}.
        record Begin() implements Step {}

        /// Run it in that transaction; then {@link #answered} or {@link #lost}.
        ///
        /// @param begins whether it is the transaction's first
        record Run(Transcript.Step statement, boolean begins) implements Step {}

        /// Let go of what that transaction has; then {@link #look} after a pause.
        record RollBack(long pauseMillis) implements Step {}

        /// In that transaction.
        record GoOn() implements Step {}

        /// There was nothing to run.
        record BeginAnew() implements Step {}

        /// @param differs whether that transaction has come out otherwise; else it is the lost one
        ///   that ends
        record GiveUp(boolean differs, String why) implements Step {}
    }

    private final Optional<List<Transcript.Step>> statements;
    private final Losses losses;
    private final long deadlineMillis;
    private final Pauses pauses = new Pauses();
    private int next;

    /// @param losses of the statement that it is run again for
    public Resumption(Transcript lost, Losses losses, long nowMillis) {
        this.losses = losses;
        statements = lost.steps(nowMillis);
        deadlineMillis = nowMillis + LIMIT_MILLIS;
    }

    public Step look(long nowMillis) {
        if (statements.isEmpty()) {
            return new Step.GiveUp(false, "it is too long to replay");
        }
        if (statements.get().isEmpty()) {
            return new Step.BeginAnew();
        }
        return nowMillis < deadlineMillis
                ? new Step.Begin()
                : new Step.GiveUp(false, "it could not be replayed in time");
    }

    public Step begun() {
        next = 0;
        return run();
    }

    private Step run() {
        List<Transcript.Step> all = statements.orElseThrow();
        return next < all.size() ? new Step.Run(all.get(next), next == 0) : new Step.GoOn();
    }

    /// @param shown what a client would have seen of it
    public Step answered(ReplicaReply reply, ResultSum shown) {
        if (reply instanceof ReplicaReply.Refused refused) {
            return DIFFERS.contains(refused.reason()) ? differs() : lost();
        }
        if (reply instanceof ReplicaReply.Failed failed && failed.transactionOver()) {
            // Transactions of one master may be replayed in another order than they came in.
            return failed.number() == ErrorCode.DEADLOCK.number() ? lost() : differs();
        }
        if (shown.endingWith(reply) != statements.orElseThrow().get(next).result()) {
            return differs();
        }
        next++;
        return run();
    }

    private static Step differs() {
        return new Step.GiveUp(true, "what it has read is otherwise now");
    }

    /// The master is lost, too, or has ended the transaction to let another one go on.
    public Step lost() {
        return losses.tooMany()
                ? new Step.GiveUp(false, losses.told())
                : new Step.RollBack(pauses.next());
    }
}
