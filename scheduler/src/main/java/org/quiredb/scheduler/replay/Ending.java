package org.quiredb.scheduler.replay;

import org.quiredb.common.message.ReplicaReply;
import org.quiredb.scheduler.route.Losses;

/// Commits a transaction, and again where it was replayed because it was not committed: pure.
///
/// Invariant: it is run again only where it is known that it is not committed, and never will be.
///
/// Threads: one.
public final class Ending {
    /// What is to be done next.
    public sealed interface Step {
        /// Then {@link #answered} or {@link #lost}.
        record Commit() implements Step {}

        /// Find out what became of it, by a {@link Settlement}; then {@link #settled}.
        ///
        /// @param why it is not known
        record Settle(String why) implements Step {}

        /// By a {@link Resumption}; then {@link #begin}, of the transaction that it goes on in.
        record Replay() implements Step {}

        record Over(ReplicaReply end) implements Step {}
    }

    private final Losses losses;
    private int attempt;

    public Ending(Losses losses) {
        this.losses = losses;
    }

    public Step begin() {
        attempt++;
        return new Step.Commit();
    }

    public Step answered(ReplicaReply reply) {
        return Attempts.isOpen(reply) ? new Step.Settle(reply.toString()) : settled(reply);
    }

    public Step lost(String why) {
        return new Step.Settle(why);
    }

    public Step settled(ReplicaReply end) {
        boolean gone = end instanceof ReplicaReply.RolledBack || Attempts.isElsewhere(end);
        return gone && attempt < Attempts.MAXIMUM && !losses.tooMany()
                ? new Step.Replay()
                : new Step.Over(end);
    }
}
