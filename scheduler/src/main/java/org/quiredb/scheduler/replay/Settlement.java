package org.quiredb.scheduler.replay;

import org.quiredb.common.message.ReplicaReply;

/// Finds out whether a transaction is committed whose end got no answer: pure. Its class's master
/// is asked, whoever that is by then, until one has told.
///
/// Invariant: no master of an older term than the transaction's is believed: one that missed those
/// since would find in the log what is not stable, or not find it yet.
///
/// Threads: one.
public final class Settlement {
    /// Together with the time for a commit, less than the log keeps outcomes for.
    static final long LIMIT_MILLIS = 30_000;

    /// What is to be done next.
    public sealed interface Step {
        /// Ask whoever is the class's master, or comes to be, a {@link #question}; then {@link
        /// #answered}, {@link #lost} or {@link #noMaster}.
        record Ask() implements Step {}

        /// Then {@link #look}.
        record Pause(long millis) implements Step {}

        /// It is committed, or rolled back for good.
        record Told(ReplicaReply outcome) implements Step {}

        /// So much was committed since that nobody knows any more.
        record Forgotten() implements Step {}

        /// Nobody has told in time.
        record Unknown() implements Step {}
    }

    /// @param term of the master, which refuses where it knows of another
    public record Question(long term, long timeoutMillis) {}

    private final long term;
    private final long deadlineMillis;
    private final Pauses pauses = new Pauses();

    /// @param term of the master that ran it
    public Settlement(long term, long nowMillis) {
        this.term = term;
        deadlineMillis = nowMillis + LIMIT_MILLIS;
    }

    public Step look(long nowMillis) {
        return nowMillis < deadlineMillis ? new Step.Ask() : new Step.Unknown();
    }

    /// None has come.
    public Step noMaster() {
        return new Step.Unknown();
    }

    /// @param since which term it is master
    public Question question(long since, long nowMillis) {
        return new Question(Math.max(since, term), Math.max(1, deadlineMillis - nowMillis));
    }

    public Step answered(ReplicaReply reply) {
        return switch (reply) {
            case ReplicaReply.Updated _, ReplicaReply.Committed _, ReplicaReply.RolledBack _ ->
                    new Step.Told(reply);
            case ReplicaReply.Forgotten() -> new Step.Forgotten();
            default -> lost();
        };
    }

    public Step lost() {
        return new Step.Pause(pauses.next());
    }
}
