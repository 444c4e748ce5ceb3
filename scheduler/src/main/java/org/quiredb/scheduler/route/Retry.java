package org.quiredb.scheduler.route;

import org.quiredb.common.message.ReplicaReply.Reason;

/// What follows a read that a replica did not answer.
public enum Retry {
    SAME_TAG_ELSEWHERE,
    /// Only a read that stands alone may take a fresh tag.
    FRESH_TAG,
    BACKEND,
    GIVE_UP;

    /// Attempts for one statement, the first included.
    public static final int MAXIMUM_ATTEMPTS = 6;

    /// @param attempt 1 for the first
    /// @param pinned the tag belongs to a read-only transaction
    public static Retry afterRefusal(Reason reason, int attempt, boolean pinned) {
        if (reason == Reason.CANNOT_RUN_HERE) {
            return BACKEND;
        }
        if (attempt >= MAXIMUM_ATTEMPTS) {
            return reason == Reason.TABLE_CHANGED && !pinned ? BACKEND : GIVE_UP;
        }
        return switch (reason) {
            case VERSION_RECLAIMED, TABLE_CHANGED -> pinned ? GIVE_UP : FRESH_TAG;
            case NOT_RECEIVED, OTHER_EPOCH, NOT_SERVING, NOT_MASTER -> SAME_TAG_ELSEWHERE;
            case CANNOT_RUN_HERE -> BACKEND;
        };
    }

    /// The connection to the replica is gone, or it did not answer in time.
    public static Retry afterLoss(int attempt, boolean partsSent) {
        return partsSent || attempt >= MAXIMUM_ATTEMPTS ? GIVE_UP : SAME_TAG_ELSEWHERE;
    }
}
