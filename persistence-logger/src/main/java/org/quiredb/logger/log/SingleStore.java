package org.quiredb.logger.log;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.logger.active.Fence;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.backend.Mark;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The log on the one backend that there is.
///
/// Threads: the log writer's.
public final class SingleStore implements LogStore {
    private static final Logger logger = LoggerFactory.getLogger(SingleStore.class);

    private final Backend backend;
    private final Fence fence;
    private @Nullable Connection connection;

    /// @param fence what keeps out all but the active logger
    public SingleStore(Backend backend, Fence fence) {
        this.backend = backend;
        this.fence = fence;
    }

    @Override
    public List<LogOutcome> run(List<LogWork> work) throws SQLException {
        Connection current = connected();
        fence.require(current);
        List<LogOutcome> outcomes = runAll(work, new CommitLog(current));
        current.commit();
        return outcomes;
    }

    /// Each piece of work in its turn, in the transaction of the log's connection.
    public static List<LogOutcome> runAll(List<LogWork> work, CommitLog log) throws SQLException {
        List<LogOutcome> outcomes = new ArrayList<>(work.size());
        for (LogWork piece : work) {
            outcomes.add(piece.run(log));
        }
        return outcomes;
    }

    private Connection connected() throws SQLException {
        Connection current = connection;
        if (current == null) {
            current = backend.connect();
            connection = current;
            Mark.take(current, Mark.LOG);
            current.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            current.setAutoCommit(false);
        }
        return current;
    }

    @Override
    public void disconnect() {
        Connection current = connection;
        connection = null;
        if (current != null) {
            try {
                current.close();
            } catch (SQLException e) {
                logger.debug("closing the log's connection", e);
            }
        }
    }

    @Override
    public String toString() {
        return backend.toString();
    }
}
