package org.quiredb.scheduler.replay;

import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.scheduler.route.Losses;

/// Runs one statement of an update transaction until a master has answered it: pure.
///
/// Invariant: it is lost, or its transaction replayed for it, {@link #MAXIMUM} times at most, less
/// often where {@link Losses} say so, and over when masters have refused it for {@link
/// #LIMIT_MILLIS}, as long as one is waited for that nobody is yet. How long one runs what it then
/// loses does not count.
///
/// Threads: one.
public final class Attempts {
    public static final int MAXIMUM = 7;
    static final long LIMIT_MILLIS = 10_000;
    private static final long NOT_REFUSED = -1;

    /// What follows an attempt.
    public sealed interface Step {
        /// On whoever is master then, after a pause or at once.
        record Again(long pauseMillis) implements Step {}

        /// And again in the transaction that goes on, by a {@link Resumption}.
        record Replay(String why) implements Step {}

        record Over(ReplicaReply end) implements Step {}
    }

    private final Losses losses;
    private int attempt = 1;
    private long refusedSinceMillis = NOT_REFUSED;
    private Pauses pauses = new Pauses();

    public Attempts(Losses losses) {
        this.losses = losses;
    }

    /// @param reply where it stands alone and is lost, what a {@link Settlement} has told
    /// @param first its transaction has run nothing before
    /// @param maybeLater who refuses it may run it in a moment, in the same transaction
    public Step answered(ReplicaReply reply, boolean first, boolean maybeLater, long nowMillis) {
        if (reply instanceof ReplicaReply.RolledBack) {
            return again() ? new Step.Again(0) : new Step.Over(reply);
        }
        if (!isElsewhere(reply)) {
            return new Step.Over(reply);
        }
        if (first || maybeLater) {
            return refused(nowMillis) ? new Step.Again(pauses.next()) : new Step.Over(reply);
        }
        return again() ? new Step.Replay(reply.toString()) : new Step.Over(reply);
    }

    private boolean refused(long nowMillis) {
        if (refusedSinceMillis == NOT_REFUSED) {
            refusedSinceMillis = nowMillis;
        }
        return nowMillis - refusedSinceMillis < LIMIT_MILLIS;
    }

    private boolean again() {
        refusedSinceMillis = NOT_REFUSED;
        pauses = new Pauses();
        return attempt++ < MAXIMUM && !losses.tooMany();
    }

    /// Its master is lost, and with it what the transaction did.
    public Step lost(boolean first, String why) {
        if (!again()) {
            return new Step.Over(new ReplicaReply.RolledBack());
        }
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
