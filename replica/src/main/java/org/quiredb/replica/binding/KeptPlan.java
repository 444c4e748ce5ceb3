package org.quiredb.replica.binding;

import org.jspecify.annotations.Nullable;
import org.quiredb.replica.execution.ReadPlan;

/// How a bound query is read: by a plan, where there is one for it.
///
/// Threads: any; two that plan at once make the same.
public final class KeptPlan {
    /// So often in a row a plan may find a value that it does not cover.
    private static final int MAXIMUM_REFUSALS = 16;

    private volatile @Nullable ReadPlan plan;
    private volatile boolean settled;
    private volatile int refusals;

    /// Null where H2 runs the query.
    public @Nullable ReadPlan plan() {
        return plan;
    }

    /// Whether nothing is to be found out any more.
    public boolean settled() {
        return settled;
    }

    public void settle(@Nullable ReadPlan made) {
        plan = made;
        settled = true;
    }

    public void ran() {
        if (refusals != 0) {
            refusals = 0;
        }
    }

    /// H2 had to run it after all.
    public void refused() {
        int times = refusals + 1;
        refusals = times;
        if (times > MAXIMUM_REFUSALS) {
            plan = null;
        }
    }
}
