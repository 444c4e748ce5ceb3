package org.quiredb.scheduler.fallback;

import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.scheduler.fallback.connection.BackendSession;
import org.quiredb.scheduler.fallback.connection.DriverErrors;
import org.quiredb.scheduler.fallback.connection.PooledConnection;
import org.quiredb.scheduler.fallback.connection.Server;

/// The connections that are one client's own each, while it has named locks, temporary tables or a
/// file under way there: how many there may be, and whether they are still there.
///
/// Threads: any.
final class HeldConnections implements AutoCloseable {
    private static final long LOOK_MILLIS = 1_000;

    private final Databases databases;
    private final Set<HeldConnection> held = ConcurrentHashMap.newKeySet();
    private final int most;
    private final Semaphore holding;
    private final Thread watch;

    HeldConnections(Databases databases, int most) {
        this.databases = databases;
        this.most = most;
        holding = new Semaphore(most);
        watch = Thread.ofVirtual().name("held-connections").start(this::watch);
    }

    /// Who waits for a lock that is gone must not wait for long, nor who thinks that it has one.
    private void watch() {
        try {
            while (true) {
                Thread.sleep(LOOK_MILLIS);
                held.forEach(one -> Thread.ofVirtual().start(one::look));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    HeldLocks locks(BackendSession session, Runnable lost) {
        Opening first = () -> Databases.open(databases.first(), session);
        return hold(first, session, pooled -> new HeldLocks(this, pooled, lost));
    }

    HeldTables tables(BackendSession session, Runnable lost) {
        Opening now = () -> Databases.open(databases.preferred(), session);
        return hold(now, session, pooled -> new HeldTables(this, databases, pooled, lost));
    }

    LoadedRows file(BackendSession session) {
        Opening now = () -> databases.preferred().openForFile(session.login());
        return hold(now, session, pooled -> new LoadedRows(this, pooled));
    }

    private interface Opening {
        PooledConnection open() throws SQLException;
    }

    private <T extends HeldConnection> T hold(
            Opening opening, BackendSession session, Function<PooledConnection, T> holder) {
        if (!holding.tryAcquire()) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "%d clients of this scheduler hold named locks, have temporary tables or send files, as many as may (scheduler.limits.longBackendConnections)"
                            .formatted(most));
        }
        boolean open = false;
        try {
            PooledConnection pooled = opening.open();
            try {
                pooled.take(session);
                open = true;
            } finally {
                if (!open) {
                    pooled.server().giveBack(pooled, false);
                }
            }
            T one = holder.apply(pooled);
            held.add(one);
            return one;
        } catch (SQLException e) {
            throw DriverErrors.failure(e);
        } finally {
            if (!open) {
                holding.release();
            }
        }
    }

    void release(HeldConnection one, PooledConnection pooled) {
        held.remove(one);
        pooled.server().giveBack(pooled, false);
        holding.release();
    }

    /// Temporary tables' transactions that nothing has run in for a while.
    List<HeldTables> idleOn(Server server) {
        return held.stream()
                .filter(HeldTables.class::isInstance)
                .map(HeldTables.class::cast)
                .filter(tables -> tables.idleOn(server))
                .toList();
    }

    @Override
    public void close() {
        watch.interrupt();
    }
}
