package org.quiredb.scheduler.replay;

import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;

/// Runs one statement of an update transaction until a master has answered it: pure.
///
/// Threads: one.
public final class Attempts {
    public static final int MAXIMUM = 7;
    private static final long FIRST_PAUSE_MILLIS = 10;

    /// What follows an attempt.
    public sealed interface Step {
        /// On whoever is master then, after a pause or at once.
        record Again(long pauseMillis) implements Step {}

        /// And again in the transaction that goes on, by a {@link Resumption}.
        record Replay(String why) implements Step {}

        record Over(ReplicaReply end) implements Step {}
    }

    private int attempt = 1;

    /// @param reply where it stands alone and is lost, what a {@link Settlement} has told
    /// @param first its transaction has run nothing before
    /// @param maybeLater who refuses it may run it in a moment, in the same transaction
    public Step answered(ReplicaReply reply, boolean first, boolean maybeLater) {
        if (attempt >= MAXIMUM) {
            return new Step.Over(reply);
        }
        if (reply instanceof ReplicaReply.RolledBack) {
            attempt++;
            return new Step.Again(0);
        }
        if (isElsewhere(reply)) {
            long pauseMillis = FIRST_PAUSE_MILLIS << attempt++;
            return first || maybeLater
                    ? new Step.Again(pauseMillis)
                    : new Step.Replay(reply.toString());
        }
        return new Step.Over(reply);
    }

    /// Its master is lost, and with it what the transaction did.
    public Step lost(boolean first, String why) {
        if (attempt >= MAXIMUM) {
            return new Step.Over(new ReplicaReply.RolledBack());
        }
        attempt++;
        return first ? new Step.Again(0) : new Step.Replay(why);
    }

    /// A commit may have its place in the order and no stability yet, nor get it from this master.
    public static boolean isOpen(ReplicaReply reply) {
        return reply instanceof ReplicaReply.Failed failed
                && failed.packets() == 0
                && failed.number() == ErrorCode.TIER_UNAVAILABLE.number();
    }

    /// Whether a master has refused because it is not, or not any more, the transaction's.
    static boolean isElsewhere(ReplicaReply reply) {
        return reply instanceof ReplicaReply.Refused refused
                && refused.reason() != Reason.CANNOT_RUN_HERE;
    }
}
