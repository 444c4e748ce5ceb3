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
/// many of each class. Threads: any; guarded by this.
public final class RecentWriteSets {
    /// Twice what a master may have under way: in-sync replicas never differ by more.
    private static final int KEPT = 2048;

    @SuppressWarnings("ArrayRecordComponent") // kept as it came, never compared
    private record Kept(long commitNumber, byte[] writeSet) {}

    private final Map<ConflictClass, Deque<Kept>> classes = new HashMap<>();

    synchronized void add(ConflictClass conflictClass, long commitNumber, byte[] writeSet) {
        Deque<Kept> kept = classes.computeIfAbsent(conflictClass, c -> new ArrayDeque<>());
        kept.addLast(new Kept(commitNumber, writeSet));
        if (kept.size() > KEPT) {
            kept.removeFirst();
        }
    }

    /// What came is no more the newest: this replica has been master of the class since.
    public synchronized void forget(ConflictClass conflictClass) {
        classes.remove(conflictClass);
    }

    /// What is held of each class, given how far the replica has received it.
    synchronized List<Standing.Holding> holdings(List<ClassPosition> received) {
        return received.stream()
                .map(p -> {
                    Deque<Kept> kept = classes.getOrDefault(p.conflictClass(), new ArrayDeque<>());
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
            for (Kept kept : classes.getOrDefault(position.conflictClass(), new ArrayDeque<>())) {
                if (kept.commitNumber() > position.commitNumber()) {
                    later.add(kept.writeSet());
                }
            }
        }
        return later;
    }
}
