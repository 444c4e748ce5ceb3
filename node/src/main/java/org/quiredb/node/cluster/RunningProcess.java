package org.quiredb.node.cluster;

import java.util.List;
import java.util.Optional;

/// One process of the tier, begun.
///
/// Threads: any.
sealed interface RunningProcess extends AutoCloseable permits ThreadedProcess, SpawnedProcess {
    /// Why it does not run, in one line; empty while it runs.
    Optional<String> failure();

    /// Ends it without a word to anybody.
    void kill();

    /// What ends with its host: itself and the database that it runs; none inside this process.
    default List<ProcessHandle> processes() {
        return List.of();
    }

    /// Lets it stand still.
    ///
    /// @throws UnsupportedOperationException where it is no process of its own
    default void pause() {
        throw new UnsupportedOperationException("only a process of its own can be paused");
    }

    default void resume() {
        throw new UnsupportedOperationException("only a process of its own can be paused");
    }

    @Override
    void close();
}
