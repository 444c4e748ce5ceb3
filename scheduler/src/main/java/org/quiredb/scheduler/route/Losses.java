package org.quiredb.scheduler.route;

import java.util.ArrayList;
import java.util.List;

/// The replicas that were lost while they ran one statement, the replays for it and the end of its
/// transaction included: pure.
///
/// A statement that takes more memory than a replica has ends every replica that runs it, and would
/// be run on one after the other until none is left. Two machines may as well die one after the
/// other under a statement that has nothing to do with it, and its client is not to notice: so the
/// first {@link #UNNOTICED} losses are nobody's fault. After the next one it is run no more; and
/// the last replica that serves is not risked for what has lost so many.
///
/// Threads: one.
public final class Losses {
    static final int UNNOTICED = 2;

    private final List<String> met = new ArrayList<>();
    private boolean tooMany;

    /// Another statement.
    public void begin() {
        met.clear();
        tooMany = false;
    }

    /// A replica was lost that was running it.
    ///
    /// @param left how many replicas serve now
    public void met(String why, int left) {
        met.add(why);
        tooMany = met.size() > UNNOTICED || (met.size() == UNNOTICED && left <= 1);
    }

    /// It is not to be run again.
    public boolean tooMany() {
        return tooMany;
    }

    public int count() {
        return met.size();
    }

    /// For its client.
    public String told() {
        return "%d replicas were lost while they ran this statement, so it is run no more; where they ended for want of memory, give them larger heaps or have it take less (%s)"
                .formatted(met.size(), String.join("; ", met));
    }
}
