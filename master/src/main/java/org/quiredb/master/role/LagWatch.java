package org.quiredb.master.role;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.quiredb.common.version.ConflictClass;

/// Finds the members that have not received what was multicast longer ago than the lag allows.
///
/// A master that stood still itself has not taken their acknowledgements in: of a pause between two
/// looks no more than {@link #LONGEST_STEP_MILLIS} counts.
///
/// Threads: one at a time.
final class LagWatch {
    private record Sample(long atMillis, Map<ConflictClass, Long> multicast) {}

    private static final long LONGEST_STEP_MILLIS = 250;

    private final long lagMillis;
    private final Deque<Sample> samples = new ArrayDeque<>();

    private long awakeMillis;
    private long lastMillis = Long.MIN_VALUE;

    LagWatch(long lagMillis) {
        this.lagMillis = lagMillis;
    }

    /// @param behind members that have not received all of these
    Set<String> lagging(
            long nowMillis,
            Map<ConflictClass, Long> multicast,
            Function<Map<ConflictClass, Long>, Set<String>> behind) {
        long step = lastMillis == Long.MIN_VALUE ? 0 : nowMillis - lastMillis;
        lastMillis = nowMillis;
        awakeMillis += Math.min(step, LONGEST_STEP_MILLIS);
        samples.addLast(new Sample(awakeMillis, multicast));
        Sample due = null;
        while (awakeMillis - samples.getFirst().atMillis >= lagMillis) {
            due = samples.removeFirst();
        }
        return due == null ? Set.of() : behind.apply(due.multicast);
    }
}
