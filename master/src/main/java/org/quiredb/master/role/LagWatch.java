package org.quiredb.master.role;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.quiredb.common.version.ConflictClass;

/// Finds the members that have not received what was multicast longer ago than the lag allows.
///
/// Threads: one at a time.
final class LagWatch {
    private record Sample(long atMillis, Map<ConflictClass, Long> multicast) {}

    private final long lagMillis;
    private final Deque<Sample> samples = new ArrayDeque<>();

    LagWatch(long lagMillis) {
        this.lagMillis = lagMillis;
    }

    /// @param behind members that have not received all of these
    Set<String> lagging(
            long nowMillis,
            Map<ConflictClass, Long> multicast,
            Function<Map<ConflictClass, Long>, Set<String>> behind) {
        samples.addLast(new Sample(nowMillis, multicast));
        Sample due = null;
        while (nowMillis - samples.getFirst().atMillis >= lagMillis) {
            due = samples.removeFirst();
        }
        return due == null ? Set.of() : behind.apply(due.multicast);
    }
}
