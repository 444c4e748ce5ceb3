package org.quiredb.logger;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.RowDigest;
import org.quiredb.common.message.TableDigest;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.logger.snapshot.BackendSnapshot;
import org.quiredb.logger.snapshot.Digester;

/// Snapshots of every backend at one commit of every class, digested as often as their asker wants,
/// for a limited time.
///
/// Threads: any; one digests at a time, which `reading` sees to, and close does not wait for it.
final class Comparison implements AutoCloseable {
    private static final int MAXIMUM_DIGESTS_PER_PART = 2000;

    private final ReentrantLock reading = new ReentrantLock();
    private final Thread lease;

    @GuardedBy("this")
    private List<BackendSnapshot> snapshots = List.of();

    private volatile Predicate<TableDefinition> changing = table -> false;

    @GuardedBy("this")
    private boolean closed;

    Comparison(Duration life) {
        lease = Thread.ofVirtual().name("comparison-lease").start(() -> endAfter(life));
    }

    synchronized boolean ended() {
        return closed;
    }

    /// Takes the snapshots over. When the comparison has ended meanwhile, they end too.
    ///
    /// @param doubtful tells tables whose schema change is under way
    synchronized void fill(List<BackendSnapshot> opened, Predicate<TableDefinition> doubtful) {
        changing = doubtful;
        if (closed) {
            opened.forEach(BackendSnapshot::abort);
        } else {
            snapshots = List.copyOf(opened);
        }
    }

    void digests(Consumer<byte[]> parts) throws SQLException {
        reading.lock();
        try {
            for (BackendSnapshot snapshot : snapshots()) {
                for (TableDefinition table : snapshot.schema().tables()) {
                    boolean shown =
                            !changing.test(table)
                                    && snapshot.whileHolding(
                                            table,
                                            held -> send(Digester.table(snapshot, held), parts));
                    if (!shown) {
                        send(changed(snapshot, table), parts);
                    }
                }
            }
        } finally {
            reading.unlock();
        }
    }

    void rowDigests(int backend, String schema, String table, Consumer<byte[]> parts)
            throws SQLException {
        reading.lock();
        try {
            BackendSnapshot snapshot = snapshot(backend);
            List<RowDigest> gathered = new ArrayList<>();
            boolean unchanged =
                    snapshot.whileHolding(
                            definition(snapshot, schema, table),
                            held ->
                                    Digester.rows(
                                            snapshot,
                                            held,
                                            digest -> {
                                                gathered.add(digest);
                                                if (gathered.size() == MAXIMUM_DIGESTS_PER_PART) {
                                                    send(gathered, parts);
                                                }
                                            }));
            if (!unchanged) {
                throw new QuireException(
                        ErrorCode.TIER_UNAVAILABLE,
                        "Table '" + schema + "." + table + "' was changed meanwhile");
            }
            send(gathered, parts);
        } finally {
            reading.unlock();
        }
    }

    private void endAfter(Duration life) {
        try {
            Thread.sleep(life);
            close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it has ended already
        }
    }

    private synchronized List<BackendSnapshot> snapshots() {
        if (snapshots.isEmpty()) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE, "the comparison has ended: open another");
        }
        return snapshots;
    }

    private BackendSnapshot snapshot(int backend) {
        return snapshots().stream()
                .filter(snapshot -> snapshot.backend().index() == backend)
                .findFirst()
                .orElseThrow(() ->
                        new QuireException(
                                ErrorCode.UNKNOWN_ERROR, "there is no backend " + backend));
    }

    static TableDefinition definition(BackendSnapshot snapshot, String schema, String table)
            throws SQLException {
        return snapshot.schema().tables().stream()
                .filter(t -> t.schema().equals(schema) && t.name().equals(table))
                .findFirst()
                .orElseThrow(() ->
                        new QuireException(
                                ErrorCode.NO_SUCH_TABLE,
                                "Table '" + schema + "." + table + "' doesn't exist"));
    }

    private static TableDigest changed(BackendSnapshot snapshot, TableDefinition table) {
        return TableDigest.changed(snapshot.backend().index(), table.schema(), table.name());
    }

    private static void send(TableDigest digest, Consumer<byte[]> parts) {
        parts.accept(new ByteWriter().list(List.of(digest), (w, d) -> d.encode(w)).toByteArray());
    }

    private static void send(List<RowDigest> gathered, Consumer<byte[]> parts) {
        if (!gathered.isEmpty()) {
            parts.accept(new ByteWriter().list(gathered, (w, d) -> d.encode(w)).toByteArray());
            gathered.clear();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        lease.interrupt();
        if (reading.tryLock()) {
            try {
                snapshots.forEach(BackendSnapshot::close);
            } finally {
                reading.unlock();
            }
        } else {
            snapshots.forEach(BackendSnapshot::abort);
        }
        snapshots = List.of();
    }
}
