package org.quiredb.scheduler.fallback;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.function.Consumer;
import org.quiredb.common.version.ConflictClass;

/// The backend at one state: a read-only transaction there, with the commit numbers up to which it
/// sees each class.
///
/// It keeps one of the backend's connections until it is closed.
///
/// Threads: one at a time.
public final class Snapshot implements AutoCloseable {
    private final Backend backend;
    private final PooledConnection pooled;
    private final Map<ConflictClass, Long> positions;
    private boolean healthy = true;
    private boolean closed;

    private Snapshot(Backend backend, PooledConnection pooled, Map<ConflictClass, Long> positions) {
        this.backend = backend;
        this.pooled = pooled;
        this.positions = positions;
    }

    /// An applier notes its position in the transaction that executes the queries, so that it is
    /// exactly as far as the rows are.
    static Snapshot begin(Backend backend, PooledConnection pooled) throws SQLException {
        try (Statement statement = pooled.connection().createStatement()) {
            statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            statement.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
        }
        return new Snapshot(backend, pooled, pooled.server().applied(pooled.connection()));
    }

    /// The last commit of each class that it sees.
    public Map<ConflictClass, Long> positions() {
        return positions;
    }

    /// As {@link Backend#run}, at this state.
    public Backend.Outcome run(
            BackendSession session,
            String sql,
            String namesOf,
            boolean binaryRows,
            int statusFlags,
            Consumer<byte[]> sink) {
        try {
            pooled.follow(session);
            return Backend.run(
                    pooled.connection(), sql, namesOf, binaryRows, statusFlags, () -> {}, sink);
        } catch (SQLException e) {
            healthy &= !Backend.isLost(e);
            throw Backend.failure(e);
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try (Statement statement = pooled.connection().createStatement()) {
            statement.execute("ROLLBACK");
        } catch (SQLException e) {
            healthy = false;
        }
        backend.release(pooled, healthy);
    }
}
