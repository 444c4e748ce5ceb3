package org.quiredb.scheduler.fallback;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.quiredb.scheduler.fallback.connection.BackendSession;
import org.quiredb.scheduler.fallback.connection.PooledConnection;
import org.quiredb.scheduler.fallback.connection.Seats;
import org.quiredb.scheduler.fallback.connection.Server;
import org.quiredb.sql.tree.TableName;

/// The snapshots that are open, which give way to schema changes.
///
/// Threads: any.
final class Snapshots implements AutoCloseable {
    private static final long LOOK_MILLIS = 500;

    private final Databases databases;
    private final HeldConnections held;
    private final Set<Snapshot> snapshots = ConcurrentHashMap.newKeySet();
    private final long patienceSeconds;
    private final Thread watch;

    /// @param held whose transactions give way alike
    /// @param schemaWait how long a schema change waits for snapshots
    Snapshots(Databases databases, HeldConnections held, Duration schemaWait) {
        this.databases = databases;
        this.held = held;
        patienceSeconds = Math.max(1, schemaWait.toSeconds() / 2);
        watch = Thread.ofVirtual().name("snapshots").start(this::watch);
    }

    /// Ends snapshots and transactions that are idle, once a schema change has waited for long
    /// enough.
    private void watch() {
        try {
            while (true) {
                Thread.sleep(LOOK_MILLIS);
                for (Server server : databases.all()) {
                    List<Runnable> ends = new ArrayList<>();
                    for (Snapshot snapshot : snapshots) {
                        if (snapshot.idleOn(server)) {
                            ends.add(snapshot::end);
                        }
                    }
                    for (HeldTables tables : held.idleOn(server)) {
                        ends.add(() -> Thread.ofVirtual().start(tables::undo));
                    }
                    if (!ends.isEmpty() && server.schemaWaits(patienceSeconds)) {
                        ends.forEach(Runnable::run);
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// The backend as it is now, for as long as the snapshot is open.
    ///
    /// @param tables of which the session's account can read one, perhaps
    Snapshot open(
            BackendSession session, Freshness freshness, Snapshot.Use use, List<TableName> tables) {
        Seats.Seat seat = databases.seat();
        boolean open = false;
        try {
            Snapshot snapshot =
                    databases.onOne(
                            session,
                            () -> true,
                            pooled -> begin(pooled, session, freshness, seat, use, tables));
            snapshots.add(snapshot);
            seat.keptFor(snapshot::evict);
            open = true;
            return snapshot;
        } finally {
            if (!open) {
                seat.close();
            }
        }
    }

    private Snapshot begin(
            PooledConnection pooled,
            BackendSession session,
            Freshness freshness,
            Seats.Seat seat,
            Snapshot.Use use,
            List<TableName> tables)
            throws SQLException {
        boolean begun = false;
        try {
            pooled.take(session);
            Snapshot snapshot = Snapshot.begin(this, pooled, seat, use, tables);
            databases.requireFresh(freshness, snapshot.positions());
            begun = true;
            return snapshot;
        } finally {
            if (!begun) {
                pooled.server().giveBack(pooled, false);
            }
        }
    }

    void release(Snapshot snapshot, PooledConnection pooled, boolean healthy) {
        snapshots.remove(snapshot);
        pooled.server().giveBack(pooled, healthy);
    }

    @Override
    public void close() {
        watch.interrupt();
    }
}
