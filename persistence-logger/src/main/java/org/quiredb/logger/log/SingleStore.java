package org.quiredb.logger.log;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.quiredb.logger.active.Fence;
import org.quiredb.logger.backend.Backend;

/// The log on the one backend that there is.
///
/// Threads: the log writer's.
public final class SingleStore implements LogStore {
    private final Backend backend;
    private final Fence fence;
    private final LogConnection connection;
    private final QuickAppend quick;

    /// @param fence what keeps out all but the active logger
    public SingleStore(Backend backend, Fence fence) {
        this.backend = backend;
        this.fence = fence;
        this.connection = new LogConnection(backend);
        this.quick = new QuickAppend(fence);
    }

    @Override
    public List<LogOutcome> run(List<LogWork> work) throws SQLException {
        Connection current = connection.open();
        Optional<LogOutcome> stored = quick.run(current, work);
        return stored.isPresent() ? List.of(stored.get()) : runAtLength(current, work);
    }

    private List<LogOutcome> runAtLength(Connection current, List<LogWork> work)
            throws SQLException {
        quick.forget();
        List<LogWork> widened = quick.widened(work);
        try (Statement statement = current.createStatement()) {
            statement.execute("START TRANSACTION");
            fence.require(current);
            CommitLog log = new CommitLog(current);
            List<LogOutcome> outcomes = runAll(widened, log);
            statement.execute("COMMIT");
            return quick.remember(work, widened, outcomes);
        }
    }

    /// Each piece of work in its turn, in the transaction of the log's connection.
    public static List<LogOutcome> runAll(List<LogWork> work, CommitLog log) throws SQLException {
        List<LogOutcome> outcomes = new ArrayList<>(work.size());
        for (LogWork piece : work) {
            outcomes.add(piece.run(log));
        }
        return outcomes;
    }

    @Override
    public void disconnect() {
        quick.forget();
        connection.close();
    }

    @Override
    public String toString() {
        return backend.toString();
    }
}
