package org.quiredb.scheduler.fallback;

import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import org.quiredb.scheduler.fallback.connection.DriverErrors;
import org.quiredb.scheduler.fallback.connection.PooledConnection;
import org.quiredb.scheduler.fallback.connection.Server;

/// A connection to the backend that is one client's own while something of the client's lives in
/// it.
///
/// Invariant: a client that is told that it has something there has it for as long as its own
/// connection lives: where this one is lost, that one is ended.
///
/// Threads: any; the connection is guarded by the lock.
abstract class HeldConnection implements AutoCloseable {
    private static final int ANSWER_SECONDS = 5;

    private final HeldConnections all;
    private final PooledConnection pooled;
    private final Runnable lost;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean closed;

    /// @param lost ends the client's connection; must not block
    HeldConnection(HeldConnections all, PooledConnection pooled, Runnable lost) {
        this.all = all;
        this.pooled = pooled;
        this.lost = lost;
    }

    interface Use<T> {
        T of(PooledConnection pooled) throws SQLException;
    }

    final <T> T with(Use<T> use) {
        lock.lock();
        try {
            return use.of(pooled);
        } catch (SQLException e) {
            if (DriverErrors.isLost(e)) {
                lost.run();
            }
            throw DriverErrors.failure(e);
        } finally {
            if (pooled.isUnclear()) {
                lost.run(); // nobody knows what it is good for
            }
            lock.unlock();
        }
    }

    final Server server() {
        return pooled.server();
    }

    /// Does something with it unless it is used, or closed.
    final void whenIdle(Use<?> use) {
        if (!lock.tryLock()) {
            return;
        }
        try {
            if (!closed) {
                Object _ = use.of(pooled);
            }
        } catch (SQLException e) {
            lost.run();
        } finally {
            lock.unlock();
        }
    }

    /// Finds out whether it is still there; a statement that runs finds out by itself.
    final void look() {
        whenIdle(own -> {
            if (!own.connection().isValid(ANSWER_SECONDS)) {
                lost.run();
            }
            return own;
        });
    }

    /// What lives in it ends.
    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                all.release(this, pooled);
            }
        } finally {
            lock.unlock();
        }
    }
}
