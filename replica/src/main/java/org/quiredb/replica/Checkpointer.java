package org.quiredb.replica;

import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.page.PageStore;

/// Writes the page store down, round after round, while the replica serves.
///
/// Threads: one of its own.
public final class Checkpointer implements AutoCloseable {
    private final PageStore store;
    private final Progress progress;
    private final Rounds rounds;

    /// @param pauseMillis between two rounds
    public Checkpointer(PageStore store, Progress progress, long pauseMillis) {
        this.store = store;
        this.progress = progress;
        this.rounds = new Rounds("checkpoint", pauseMillis, this::write);
    }

    /// Returns when the thread has ended: nothing is written any more.
    @Override
    public void close() {
        rounds.close();
    }

    private void write(Rounds.Ending ending) {
        if (progress.state() == Progress.State.SERVING) {
            store.checkpoints()
                    .write(
                            // Of one that no commit has made yet nothing counts.
                            table -> progress.classOf(table).map(progress::received).orElse(-1L),
                            ending::isDue);
        }
    }
}
