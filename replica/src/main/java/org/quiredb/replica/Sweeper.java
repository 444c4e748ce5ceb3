package org.quiredb.replica;

import java.util.function.Supplier;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.page.PageStore;

/// Sweeps old page versions once a second.
///
/// Threads: one of its own.
public final class Sweeper implements AutoCloseable {
    private static final long PERIOD_MILLIS = 1000;

    private final VersionSweep sweep;
    private final Runnable beforeSweep;
    private final Rounds rounds;

    /// @param received what can be read here at this moment; empty while nothing can
    /// @param beforeSweep raises the low watermark as far as it may be by then
    public Sweeper(
            PageStore store,
            Supplier<VersionVector> received,
            VersionSettings settings,
            Runnable beforeSweep) {
        this.sweep = new VersionSweep(store, received, settings.maximumBytes());
        this.beforeSweep = beforeSweep;
        this.rounds = new Rounds("sweep", PERIOD_MILLIS, ending -> run());
    }

    @Override
    public void close() {
        rounds.close();
    }

    private void run() {
        beforeSweep.run();
        sweep.run();
    }
}
