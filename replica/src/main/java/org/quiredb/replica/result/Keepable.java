package org.quiredb.replica.result;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Whether the results of a statement are worth keeping, and what they hang on.
///
/// Each is itself only. Threads: any; two that find something out at once find the same.
public final class Keepable {
    /// So many executions in a row that took less show that it does not take long.
    private static final int CHEAP_RUNS = 8;

    private volatile int cheapRuns = CHEAP_RUNS;
    private volatile boolean settled;
    private volatile @Nullable ReadSet reads;

    public boolean dear() {
        return cheapRuns < CHEAP_RUNS;
    }

    /// It was computed.
    ///
    /// @param dear whether that took longer than to look for a result
    public void computed(boolean dear) {
        if (dear) {
            if (cheapRuns != 0) {
                cheapRuns = 0;
            }
        } else if (dear()) {
            int runs = cheapRuns;
            cheapRuns = runs + 1;
        }
    }

    /// Null where it cannot be told, or is not known yet.
    public @Nullable ReadSet reads() {
        return reads;
    }

    /// As {@link #reads}, after it was found out.
    ///
    /// @param from null where it cannot be told
    public @Nullable ReadSet reads(Supplier<@Nullable ReadSet> from) {
        if (!settled) {
            reads = from.get();
            settled = true;
        }
        return reads;
    }
}
