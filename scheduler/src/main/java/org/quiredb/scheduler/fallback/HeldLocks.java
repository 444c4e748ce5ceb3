package org.quiredb.scheduler.fallback;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// A connection to the backend that is one client's own while it holds named locks there.
///
/// Invariant: a client that is told that it has a lock has it for as long as its own connection
/// lives: where this one is lost, and the locks with it, that one is ended.
///
/// Threads: any; the connection is guarded by the lock.
public final class HeldLocks implements AutoCloseable {
    private static final int ANSWER_SECONDS = 5;

    private final Backend backend;
    private final PooledConnection pooled;
    private final Runnable lost;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean closed;

    /// @param lost ends the client's connection; must not block
    HeldLocks(Backend backend, PooledConnection pooled, Runnable lost) {
        this.backend = backend;
        this.pooled = pooled;
        this.lost = lost;
    }

    private interface Use<T> {
        T of(PooledConnection pooled) throws SQLException;
    }

    private <T> T with(Use<T> use) {
        lock.lock();
        try {
            return use.of(pooled);
        } catch (SQLException e) {
            if (Backend.isLost(e)) {
                lost.run();
            }
            throw Backend.failure(e);
        } finally {
            lock.unlock();
        }
    }

    /// As {@link Backend#run}.
    public Outcome run(BackendSession session, Asked asked, Consumer<byte[]> sink) {
        return with(own -> {
            own.follow(session);
            try {
                return Backend.run(own, asked, () -> {}, sink);
            } finally {
                own.endTransaction(); // a session without autocommit sees the newest next time, too
            }
        });
    }

    /// Those of these locks that it holds.
    ///
    /// @param names expressions
    public Set<String> held(Set<String> names) {
        if (names.isEmpty()) {
            return Set.of();
        }
        List<String> asked = List.copyOf(names);
        String query = // one digit for each
                asked.stream()
                        .map("IS_USED_LOCK(%s) <=> CONNECTION_ID()"::formatted)
                        .collect(Collectors.joining(", ", "SELECT CONCAT(", ") LIMIT 1"));
        String digits =
                with(own -> {
                    try (Statement statement = own.connection().createStatement()) {
                        statement.setEscapeProcessing(false);
                        try (ResultSet row = statement.executeQuery(query)) {
                            row.next();
                            return row.getString(1);
                        }
                    }
                });
        Set<String> held = new HashSet<>();
        for (int i = 0; i < asked.size(); i++) {
            if (digits.charAt(i) == '1') {
                held.add(asked.get(i));
            }
        }
        return held;
    }

    /// Finds out whether it is still there; a statement that runs finds out by itself.
    void look() {
        if (!lock.tryLock()) {
            return;
        }
        try {
            if (!closed && !pooled.connection().isValid(ANSWER_SECONDS)) {
                lost.run();
            }
        } catch (SQLException e) {
            lost.run();
        } finally {
            lock.unlock();
        }
    }

    /// Frees what it holds.
    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                backend.release(this, pooled);
            }
        } finally {
            lock.unlock();
        }
    }
}
