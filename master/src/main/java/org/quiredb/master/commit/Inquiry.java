package org.quiredb.master.commit;

import java.util.ArrayDeque;
import java.util.Deque;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.replica.intake.Progress;

/// What became of a transaction whose end its client has not heard of, as its class's master finds
/// out. It has no thread or clock: it says what to wait for and what to ask the log.
///
/// Invariant: what is answered stays so, whoever is lost next. So the transaction takes no number
/// any more before anything else; what has one is settled here before the log is asked, which would
/// tell of what may be cut off; and what the log does not have is nowhere only while the class is
/// this master's. Threads: one.
public final class Inquiry {
    /// What is to be done next.
    public sealed interface Step {
        /// See to it that the transaction has its number, or never gets one; then {@link #closed}.
        record Close() implements Step {}

        /// Wait until the class is settled up to this commit, then {@link #settled}.
        record AwaitSettled(ConflictClass conflictClass, long commitNumber) implements Step {}

        /// Ask the log for the transaction, which was begun after this commit; then {@link #found}.
        record Find(ConflictClass conflictClass, long after) implements Step {}

        record Answer(Outcome outcome) implements Step {}
    }

    public sealed interface Outcome {
        /// And stable.
        record Committed(CommitRecord record) implements Outcome {}

        /// Nor ever will be committed.
        record RolledBack() implements Outcome {}

        /// Nobody can tell any more.
        record Forgotten() implements Outcome {}

        /// It is for another master to say.
        record Refused(Reason reason) implements Outcome {}
    }

    private final Progress progress;
    private final Mastery<?> mastery;
    private final ConflictClass ofClass;
    private final long term;
    private final VersionVector began;
    private final Deque<ConflictClass> toAsk = new ArrayDeque<>();
    private boolean forgotten;

    /// @param ofClass of no name when it is not known: any; of those that are not held here nothing
    ///   is known
    /// @param term of the master that is asked, as the asker knows it
    /// @param began what was stable when the transaction was begun
    public Inquiry(
            Progress progress,
            Mastery<?> mastery,
            ConflictClass ofClass,
            long term,
            VersionVector began) {
        this.progress = progress;
        this.mastery = mastery;
        this.ofClass = ofClass;
        this.term = term;
        this.began = began;
    }

    public Step begin() {
        return mastery.refusal(ofClass, term).map(Inquiry::refused).orElseGet(Step.Close::new);
    }

    public Step closed() {
        if (!ofClass.equals(ConflictClass.NONE)) {
            toAsk.add(ofClass);
        } else {
            toAsk.addAll(mastery.assigned().keySet());
            forgotten =
                    !progress.positions().stream().allMatch(p -> mastery.holds(p.conflictClass()));
        }
        return next();
    }

    private Step next() {
        if (!toAsk.isEmpty()) {
            ConflictClass c = toAsk.getFirst();
            return new Step.AwaitSettled(c, mastery.assigned().getOrDefault(c, 0L));
        }
        return answer(forgotten ? new Outcome.Forgotten() : new Outcome.RolledBack());
    }

    public Step settled() {
        ConflictClass c = toAsk.getFirst();
        return new Step.Find(c, position(c));
    }

    /// The newest commit of a class that was stable when the transaction was begun.
    private long position(ConflictClass conflictClass) {
        long[] newest = {0};
        boolean _ =
                began.allRuns((from, end, number) -> {
                    boolean counts = number != VersionVector.DROPPED;
                    for (int id = from; counts && newest[0] < number && id < end; id++) {
                        newest[0] = isOf(id, conflictClass) ? number : newest[0];
                    }
                    return true;
                });
        return newest[0];
    }

    private boolean isOf(int tableId, ConflictClass conflictClass) {
        return progress.classOf(tableId).filter(conflictClass::equals).isPresent();
    }

    public Step found(QueryLog.Finding finding) {
        toAsk.removeFirst();
        return switch (finding) {
            case QueryLog.Finding.Committed(CommitRecord record) ->
                    answer(new Outcome.Committed(record));
            case QueryLog.Finding.Forgotten() -> {
                forgotten = true;
                yield next();
            }
            case QueryLog.Finding.NotCommitted() -> next();
        };
    }

    /// Given away meanwhile, the class may be logged further by its next master, and what this one
    /// has found may be cut off.
    private Step answer(Outcome outcome) {
        return mastery.refusal(ofClass, term)
                .map(Inquiry::refused)
                .orElseGet(() -> new Step.Answer(outcome));
    }

    private static Step refused(Reason reason) {
        return new Step.Answer(new Outcome.Refused(reason));
    }
}
