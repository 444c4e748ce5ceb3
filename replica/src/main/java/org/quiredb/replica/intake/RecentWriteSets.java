package org.quiredb.replica.intake;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.quiredb.common.topology.Standing;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;

/// The newest write sets of each class as they came, for replicas that miss them when their master
/// is lost.
///
/// Invariant: a class's write sets are contiguous and end with the last one taken in. Bound: so
/// many of each class, and so many bytes of those that everybody and the log has, which nobody will
/// ask for; the others are as many and as large as a master lets be under way. Threads: any;
/// guarded by this.
public final class RecentWriteSets {
    /// Twice what a master may have under way: in-sync replicas never differ by more.
    private static final int KEPT = 2048;

    @SuppressWarnings("ArrayRecordComponent") // kept as it came, never compared
    private record Kept(long commitNumber, byte[] writeSet) {}

    /// Of a class, when it has all been settled.
    static final long KEPT_BYTES = 16 << 20;

    private static final class OfClass {
        final Deque<Kept> kept = new ArrayDeque<>();
        long bytes;

        void removeFirst() {
            bytes -= kept.removeFirst().writeSet().length;
        }
    }

    private final Map<ConflictClass, OfClass> classes = new HashMap<>();

    synchronized void add(ConflictClass conflictClass, long commitNumber, byte[] writeSet) {
        OfClass of = classes.computeIfAbsent(conflictClass, c -> new OfClass());
        of.kept.addLast(new Kept(commitNumber, writeSet));
        of.bytes += writeSet.length;
        if (of.kept.size() > KEPT) {
            of.removeFirst();
        }
    }

    /// Every member in sync has the class's write sets up to this one, and the log has them.
    synchronized void settled(ConflictClass conflictClass, long commitNumber) {
        OfClass of = classes.get(conflictClass);
        while (of != null
                && of.bytes > KEPT_BYTES
                && of.kept.getFirst().commitNumber() <= commitNumber) {
            of.removeFirst();
        }
    }

    private Deque<Kept> kept(ConflictClass conflictClass) {
        OfClass of = classes.get(conflictClass);
        return of == null ? new ArrayDeque<>() : of.kept;
    }

    /// What came is no more the newest: this replica has been master of the class since.
    public synchronized void forget(ConflictClass conflictClass) {
        classes.remove(conflictClass);
    }

    /// What is held of each class, given how far the replica has received it.
    synchronized List<Standing.Holding> holdings(List<ClassPosition> received) {
        return received.stream()
                .map(p -> {
                    Deque<Kept> kept = kept(p.conflictClass());
                    long from =
                            kept.isEmpty() ? p.commitNumber() + 1 : kept.getFirst().commitNumber();
                    return new Standing.Holding(p.conflictClass(), p.commitNumber(), from);
                })
                .toList();
    }

    /// Everything kept that comes after these commits.
    public synchronized List<byte[]> after(List<ClassPosition> positions) {
        List<byte[]> later = new ArrayList<>();
        for (ClassPosition position : positions) {
            for (Kept kept : kept(position.conflictClass())) {
                if (kept.commitNumber() > position.commitNumber()) {
                    later.add(kept.writeSet());
                }
            }
        }
        return later;
    }
}
