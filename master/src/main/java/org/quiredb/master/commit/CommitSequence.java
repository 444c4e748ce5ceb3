package org.quiredb.master.commit;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.quiredb.common.version.ConflictClass;

/// A class's commit order and how far along it is: a pure state machine that gives commit numbers
/// and tells which of them are stable.
///
/// A commit is stable when every in-sync replica has received it and the query log has it on disk.
/// With durability `replicated` the log may follow, while there is a replica to wait for; a commit
/// that is stable and logged is settled. Acknowledgements are cumulative, so one number per replica
/// says it all. Replicas outside the in-sync set are kept account of too, so that one that enters
/// is known to hold what it holds.
///
/// Between two commits there may be parts of what the next one makes ({@link
/// org.quiredb.common.writeset.TablePart}). How far the stream has gone, and come, is counted in
/// *steps*, which are in the order of the stream: {@link #step}.
///
/// Invariant: the stable number never falls, and never passes what is assigned or multicast, what
/// an in-sync replica has received since it entered, or with durability `logged` what is logged.
/// Threads: one at a time; guarded by its owner.
public final class CommitSequence {
    private static final int PART_BITS = 20;
    private static final int MOST_PARTS = (1 << PART_BITS) - 1;

    private final ConflictClass conflictClass;
    private final long term;
    private final Durability durability;

    /// The step to which each replica has everything.
    private final Map<String, Long> received = new HashMap<>();

    private Set<String> inSync = Set.of();
    private long epoch;
    private long assigned;
    private long multicast;
    private int parts;
    private long logged;
    private long stable;

    /// @param term the epoch in which this master took over
    /// @param last the last commit of the class before this master's first; it is logged and stable
    public CommitSequence(
            ConflictClass conflictClass, long term, long last, Durability durability) {
        this.durability = durability;
        this.conflictClass = conflictClass;
        this.term = term;
        this.epoch = term;
        this.assigned = last;
        this.multicast = last;
        this.logged = last;
        this.stable = last;
    }

    /// A class that goes on where another master left it: of what there is nothing is known to be
    /// logged, nor to be received by a replica.
    public static CommitSequence takenOver(
            ConflictClass conflictClass, long term, long last, Durability durability) {
        CommitSequence sequence = new CommitSequence(conflictClass, term, last, durability);
        sequence.logged = 0;
        sequence.stable = 0;
        return sequence;
    }

    /// @param parts of those that the commit after this one follows
    public static long step(long commitNumber, int parts) {
        return commitNumber << PART_BITS | parts;
    }

    /// Gives the next commit number.
    public long next() {
        parts = 0;
        return ++assigned;
    }

    /// Every commit up to this one has been given to the group. Returns the stable number.
    public long multicast(long commitNumber) {
        multicast = Math.max(multicast, commitNumber);
        return advance();
    }

    /// A further part of what the next commit makes has been given to the group.
    public void partSent() {
        if (parts == MOST_PARTS) {
            throw new IllegalStateException("more than " + MOST_PARTS + " parts of " + assigned);
        }
        parts++;
    }

    /// So many have been of what the next commit makes.
    public int parts() {
        return parts;
    }

    /// So many of them some in-sync replica lacks.
    public int partsMissing() {
        long sent = step(assigned, parts);
        long least = sent;
        for (String replica : inSync) {
            least = Math.min(least, received.getOrDefault(replica, 0L));
        }
        return (int) Math.min(parts, sent - least);
    }

    /// The log has every commit up to this one on disk. Returns the stable number.
    public long logged(long commitNumber) {
        if (commitNumber > assigned) {
            throw new IllegalStateException(
                    conflictClass
                            + " logged to "
                            + commitNumber
                            + ", but only "
                            + assigned
                            + " are assigned");
        }
        logged = Math.max(logged, commitNumber);
        return advance();
    }

    /// As {@link #received(String, long, long, int)}, without a part.
    public long received(String replica, long ofTerm, long commitNumber) {
        return received(replica, ofTerm, commitNumber, 0);
    }

    /// A replica has received every commit up to this one, and so many parts of the next. Told of
    /// another master's term it counts for nothing. Returns the stable number.
    public long received(String replica, long ofTerm, long commitNumber, int itsParts) {
        if (ofTerm == term && commitNumber <= assigned) {
            received.merge(replica, step(commitNumber, itsParts), Math::max);
        }
        return advance();
    }

    /// The in-sync set from now on, at an epoch that is not older. Returns the stable number, which
    /// a smaller set may let advance.
    public long changeInSync(Set<String> replicas, long newEpoch) {
        if (newEpoch < epoch) {
            throw new IllegalStateException(
                    conflictClass + " is at epoch " + epoch + ", not " + newEpoch);
        }
        inSync = Set.copyOf(replicas);
        epoch = newEpoch;
        return advance();
    }

    /// Forgets a replica that is gone: what it held is lost with it.
    public long left(String replica) {
        received.remove(replica);
        Set<String> rest = new TreeSet<>(inSync);
        return rest.remove(replica) ? changeInSync(rest, epoch) : stable;
    }

    public ConflictClass conflictClass() {
        return conflictClass;
    }

    public long term() {
        return term;
    }

    public Set<String> inSync() {
        return inSync;
    }

    public long receivedBy(String replica) {
        return received.getOrDefault(replica, 0L) >> PART_BITS;
    }

    /// Members that have not received everything up to a step.
    public Set<String> behind(long step) {
        Set<String> behind = new TreeSet<>(inSync);
        behind.removeIf(replica -> received.getOrDefault(replica, 0L) >= step);
        return behind;
    }

    /// The step to which everything has been given to the group.
    public long sent() {
        return step(multicast, multicast == assigned ? parts : 0);
    }

    public long epoch() {
        return epoch;
    }

    public long assigned() {
        return assigned;
    }

    public long logged() {
        return logged;
    }

    public long stable() {
        return stable;
    }

    /// Stable and in the log.
    public long settled() {
        return Math.min(stable, logged);
    }

    private long advance() {
        boolean logFollows = durability == Durability.REPLICATED && !inSync.isEmpty();
        long least = logFollows ? multicast : Math.min(multicast, logged);
        for (String replica : inSync) {
            least = Math.min(least, receivedBy(replica));
        }
        stable = Math.max(stable, least);
        return stable;
    }
}
