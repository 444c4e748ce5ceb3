package org.quiredb.master.commit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.PageId;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.common.writeset.WriteSet;

/// The way of one class's commits: given a number, they wait to be multicast and to be logged, and
/// become stable. It has no thread or clock.
///
/// One batch leaves after the other, for the group and for the log alike. While the log has yet to
/// answer nothing that has gathered since can become stable, so that it leaves for the group when
/// it leaves for the log, in one message. Where replicas are enough, it leaves at once.
///
/// Invariant: write sets leave for the group and for the log in commit order. Invariant: the stable
/// vector is that of the last stable commit, from the moment that this is stable, whoever waits for
/// it. Bound: its owner lets no more commits in than may be under way. Threads: one at a time;
/// guarded by its owner.
public final class CommitPath {
    /// What the log is to be given.
    ///
    /// @param stable every commit up to this one may be applied
    public record Append(long stable, List<CommitRecord> records) {}

    /// @param vector of the tables, as the commit leaves them
    private record Published(long commitNumber, VersionVector vector) {}

    private static final long MAXIMUM_BATCH_BYTES = 4 << 20;

    private final CommitSequence sequence;
    private final int batch;
    private final long inherited;
    private final Deque<Published> unstable = new ArrayDeque<>();
    private VersionVector assigned = VersionVector.EMPTY;
    private VersionVector stable = VersionVector.EMPTY;
    private final Deque<WriteSet> toBroadcast = new ArrayDeque<>();
    private final Deque<WriteSet> toLog;
    private final boolean logDecides;
    private long toldStable;

    /// Whether a batch is being given to the group.
    private boolean sending;

    /// Whether what waits for the group is to leave now, or when that batch has gone.
    private boolean due;

    /// Whether the log has yet to answer.
    private boolean appending;

    private CommitPath(
            CommitSequence sequence,
            Durability durability,
            Collection<WriteSet> unlogged,
            Set<String> inSync,
            long term,
            int batch) {
        this.sequence = sequence;
        this.toLog = new ArrayDeque<>(unlogged);
        this.logDecides = durability == Durability.LOGGED;
        this.batch = batch;
        this.inherited = sequence.assigned();
        sequence.changeInSync(inSync, term);
    }

    /// @param last the last commit before this master's first: logged, and stable
    /// @param batch commits that leave at once
    public static CommitPath begun(
            ConflictClass conflictClass,
            long term,
            long last,
            Set<String> inSync,
            int batch,
            Durability durability) {
        CommitSequence sequence = new CommitSequence(conflictClass, term, last, durability);
        return new CommitPath(sequence, durability, List.of(), inSync, term, batch);
    }

    /// A class of a master that is lost.
    ///
    /// @param last the last commit that is held here
    /// @param logEnd the last commit in the log
    /// @param unlogged what comes after it
    public static CommitPath takenOver(
            ConflictClass conflictClass,
            long term,
            long last,
            long logEnd,
            List<WriteSet> unlogged,
            Set<String> inSync,
            int batch,
            Durability durability) {
        CommitSequence sequence = CommitSequence.takenOver(conflictClass, term, last, durability);
        CommitPath path = new CommitPath(sequence, durability, unlogged, inSync, term, batch);
        sequence.logged(logEnd); // not before it is known who else has to hold it
        return path;
    }

    public CommitSequence sequence() {
        return sequence;
    }

    /// The epoch in which this master took over.
    public long term() {
        return sequence.term();
    }

    /// @param publish given the commit number, publishes the effects and returns the write set
    /// @return the commit number
    public long commit(LongFunction<WriteSet> publish) {
        return commit(publish, false, OptionalInt.empty());
    }

    /// As {@link #commit}, of a schema change, which the log has already at the next number.
    ///
    /// @param heir a table that is to have the number of a commit that makes none, and may drop the
    ///   one that was changed last: by the others no tag would reach the class's position any more
    /// @param gone tables of any class that every tag names as dropped: else they would stand
    ///   between this one's as tables never changed
    public long commitLogged(LongFunction<WriteSet> publish, OptionalInt heir, VersionVector gone) {
        assigned = assigned.merge(gone);
        return commit(publish, true, heir);
    }

    private long commit(LongFunction<WriteSet> publish, boolean inLog, OptionalInt heir) {
        long commitNumber = sequence.next();
        WriteSet writeSet = publish.apply(commitNumber);
        assigned = vectorAfter(writeSet);
        heir.ifPresent(tableId -> assigned = assigned.with(tableId, commitNumber));
        stableVector(); // so that no more are kept than are under way
        unstable.add(new Published(commitNumber, assigned));
        toBroadcast.add(writeSet);
        if (inLog) {
            sequence.logged(commitNumber);
        } else {
            toLog.add(writeSet);
        }
        due |= !(appending && logDecides);
        return commitNumber;
    }

    private VersionVector vectorAfter(WriteSet writeSet) {
        long number = writeSet.commitNumber();
        VersionVector vector = assigned;
        for (PageChange page : writeSet.pages()) {
            vector = vector.with(PageId.tableId(page.pageId()), number);
        }
        for (SchemaChange change : writeSet.schemaChanges()) {
            switch (change) {
                case SchemaChange.CreateTable(int tableId, var ofClass, var definition) ->
                        vector = vector.with(tableId, number);
                case SchemaChange.DropTable(int tableId) -> vector = vector.dropped(tableId);
                case SchemaChange.CreateSchema _, SchemaChange.DropSchema _ -> {}
            }
        }
        return vector;
    }

    /// The last stable commit of each table that was changed on this path.
    public VersionVector stableVector() {
        while (!unstable.isEmpty() && unstable.getFirst().commitNumber <= sequence.stable()) {
            stable = unstable.removeFirst().vector;
        }
        return stable;
    }

    /// Whether there is anything that is to leave for the group now.
    public boolean hasToBroadcast() {
        return due && !sending;
    }

    /// What goes to the group next, of which {@link #multicast} is to tell when it has gone; null
    /// for nothing now.
    public @Nullable List<WriteSet> takeToBroadcast() {
        if (!hasToBroadcast()) {
            return null;
        }
        sending = true;
        List<WriteSet> taken = take(toBroadcast);
        due = !toBroadcast.isEmpty();
        return taken;
    }

    /// A batch has gone to the group.
    public void multicast(List<WriteSet> taken) {
        sequence.multicast(taken.getLast().commitNumber());
        sending = false;
    }

    /// Whether there will be something to tell the log, of whom nobody awaits an answer: that
    /// commits are stable.
    public boolean hasToTell() {
        return appending || toldStable < sequence.assigned();
    }

    /// What the log is given next, again and again until it answers and {@link #logEnds} tells;
    /// null for nothing now.
    public @Nullable Append takeToLog() {
        return toLog.isEmpty() ? null : takeToTell();
    }

    /// As {@link #takeToLog}, and where no commit follows that could tell it, what is stable.
    public @Nullable Append takeToTell() {
        if (appending || (toLog.isEmpty() && sequence.stable() <= toldStable)) {
            return null;
        }
        appending = true;
        toldStable = Math.max(toldStable, sequence.stable());
        return new Append(toldStable, take(toLog).stream().map(WriteSet::commitRecord).toList());
    }

    /// An append is answered: the log ends there on disk, perhaps with a schema change that is
    /// under way and has no number here yet.
    public void logEnds(long onDisk) {
        sequence.logged(Math.min(onDisk, sequence.assigned()));
        appending = false;
        due = !toBroadcast.isEmpty();
    }

    /// How far commits may have been acknowledged, by the master before too.
    public long acknowledged() {
        return Math.max(inherited, sequence.stable());
    }

    /// Whether the log has everything that may have been acknowledged.
    public boolean isAllLogged() {
        return acknowledged() <= sequence.logged();
    }

    /// Waits for this replica's acknowledgements from now on.
    public void waitFor(String replica) {
        Set<String> replicas = new TreeSet<>(sequence.inSync());
        replicas.add(replica);
        sequence.changeInSync(replicas, sequence.epoch());
    }

    /// Whether a replica holds everything up to a commit, which is settled.
    public boolean heldBy(String replica, long commitNumber) {
        return sequence.receivedBy(replica) >= commitNumber && sequence.settled() >= commitNumber;
    }

    /// The topology of this epoch is in force: commits wait for these replicas and no other.
    public void changed(long newEpoch, Set<String> replicas) {
        Set<String> gone = new TreeSet<>(sequence.inSync());
        gone.removeAll(replicas);
        gone.forEach(sequence::left);
        sequence.changeInSync(replicas, newEpoch);
    }

    /// At least one; further ones as long as they are not large.
    private List<WriteSet> take(Deque<WriteSet> queue) {
        List<WriteSet> taken = new ArrayList<>(Math.min(batch, queue.size()));
        long sizeBytes = 0;
        while (taken.size() < batch && !queue.isEmpty() && sizeBytes < MAXIMUM_BATCH_BYTES) {
            sizeBytes += queue.getFirst().sizeBytes();
            taken.add(queue.removeFirst());
        }
        return taken;
    }
}
