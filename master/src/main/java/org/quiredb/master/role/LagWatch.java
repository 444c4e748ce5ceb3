package org.quiredb.master.role;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.quiredb.common.liveness.SilenceLimit;
import org.quiredb.common.version.ConflictClass;

/// Finds the members that have not received what was multicast longer ago than the lag allows,
/// which is more where acknowledgements have lately been slow.
///
/// A master that stood still itself has not taken them in: of a pause between two looks no more
/// than {@link #LONGEST_STEP_MILLIS} counts.
///
/// Threads: one at a time.
public final class LagWatch {
    /// @param waitedFor members whose acknowledgements commits waited for
    private record Sample(
            long atMillis, Map<ConflictClass, Long> multicast, Set<String> waitedFor) {}

    private static final long LONGEST_STEP_MILLIS = 250;

    private final SilenceLimit limit;
    private final Deque<Sample> samples = new ArrayDeque<>();

    private long awakeMillis;
    private long lastMillis = Long.MIN_VALUE;

    public LagWatch(SilenceLimit limit) {
        this.limit = limit;
    }

    /// To be called several times in the least limit.
    ///
    /// @param behind members that have not received all of these
    public Set<String> lagging(
            long nowMillis,
            Map<ConflictClass, Long> multicast,
            Set<String> waitedFor,
            Function<Map<ConflictClass, Long>, Set<String>> behind) {
        long step = lastMillis == Long.MIN_VALUE ? 0 : nowMillis - lastMillis;
        lastMillis = nowMillis;
        awakeMillis += Math.min(step, LONGEST_STEP_MILLIS);
        samples.addLast(new Sample(awakeMillis, multicast, waitedFor));
        Set<String> late = behind.apply(samples.getFirst().multicast);
        while (late.isEmpty() && samples.size() > 1) {
            received(samples.removeFirst(), waitedFor);
            late = behind.apply(samples.getFirst().multicast);
        }
        long silentMillis = awakeMillis - samples.getFirst().atMillis;
        if (late.isEmpty() || silentMillis < limit.millis(nanos(awakeMillis))) {
            return Set.of();
        }
        samples.removeFirst();
        return late;
    }

    /// By all, or by nobody any more who was put out.
    private void received(Sample sample, Set<String> waitedFor) {
        if (waitedFor.containsAll(sample.waitedFor)) {
            limit.observed(nanos(awakeMillis - sample.atMillis), nanos(awakeMillis));
        }
    }

    private static long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
