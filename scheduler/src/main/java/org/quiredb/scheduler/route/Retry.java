package org.quiredb.scheduler.route;

import org.quiredb.common.message.ReplicaReply.Reason;

/// What follows a read that a replica did not answer.
public enum Retry {
    SAME_TAG_ELSEWHERE,
    /// Only a read that nothing was read before, at the same tag, may take a fresh one.
    FRESH_TAG,
    BACKEND,
    GIVE_UP;

    /// Attempts for one statement, the first included.
    public static final int MAXIMUM_ATTEMPTS = 6;

    /// @param attempt 1 for the first
    /// @param fixed the tag is that of a read-only transaction which has read or begun with it
    /// @param others there are replicas that have not been asked
    public static Retry afterRefusal(Reason reason, int attempt, boolean fixed, boolean others) {
        if (reason == Reason.CANNOT_RUN_HERE) {
            return BACKEND;
        }
        if (attempt >= MAXIMUM_ATTEMPTS) {
            return reason == Reason.TABLE_CHANGED && !fixed ? BACKEND : GIVE_UP;
        }
        return switch (reason) {
            case VERSION_RECLAIMED -> !fixed ? FRESH_TAG : others ? SAME_TAG_ELSEWHERE : GIVE_UP;
            case TABLE_CHANGED -> fixed ? GIVE_UP : FRESH_TAG;
            case NOT_RECEIVED,
                    OTHER_EPOCH,
                    NOT_SERVING,
                    NOT_MASTER,
                    NOT_OPEN,
                    OTHER_SCHEDULERS,
                    NOT_IN_GROUP ->
                    SAME_TAG_ELSEWHERE;
            case CANNOT_RUN_HERE -> BACKEND;
        };
    }

    /// The connection to the replica is gone, or it did not answer in time.
    public static Retry afterLoss(int attempt, boolean partsSent) {
        return partsSent || attempt >= MAXIMUM_ATTEMPTS ? GIVE_UP : SAME_TAG_ELSEWHERE;
    }
}
