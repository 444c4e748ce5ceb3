package org.quiredb.logger;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ClassPosition;
import org.quiredb.common.message.RowDigest;
import org.quiredb.common.message.SnapshotPart;
import org.quiredb.common.message.TableDigest;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.logger.apply.Applier;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.snapshot.BackendSnapshot;
import org.quiredb.logger.snapshot.Digester;
import org.quiredb.logger.snapshot.RowChunks;

/// Snapshots and digests of the backends at known positions of every class.
///
/// Threads: any, one call each.
final class SnapshotReader {
    private static final int MAXIMUM_DIGESTS_PER_PART = 2000;

    private record Held(Applier applier, long hold) {}

    private final List<Backend> backends;
    private final LoggedClasses classes;
    private final long waitMillis;

    SnapshotReader(List<Backend> backends, LoggedClasses classes, long waitMillis) {
        this.backends = backends;
        this.classes = classes;
        this.waitMillis = waitMillis;
    }

    /// The whole first backend after everything that is logged now.
    void snapshot(Consumer<byte[]> parts) throws SQLException {
        for (Map.Entry<LoggedClass, Long> tail : classes.tails().entrySet()) {
            tail.getKey().awaitApplied(tail.getValue(), waitMillis);
        }
        try (BackendSnapshot snapshot = BackendSnapshot.open(backends.getFirst())) {
            List<TableDefinition> tables = sendSchema(snapshot, parts);
            for (TableDefinition table : tables) {
                RowChunks chunks = new RowChunks(table, part -> parts.accept(part.encode()));
                snapshot.rows(table, chunks);
                chunks.finish();
            }
        }
    }

    static List<TableDefinition> sendSchema(BackendSnapshot snapshot, Consumer<byte[]> parts)
            throws SQLException {
        var reader = snapshot.schema();
        List<TableDefinition> tables = reader.tables();
        parts.accept(
                new SnapshotPart.Schema(snapshot.positions(), reader.schemas(), tables).encode());
        return tables;
    }

    /// Digests of every table of every backend at exactly these positions.
    void digests(List<ClassPosition> positions, Consumer<byte[]> parts) throws SQLException {
        List<BackendSnapshot> snapshots = openAt(positions, backends);
        try {
            for (BackendSnapshot snapshot : snapshots) {
                for (TableDefinition table : snapshot.schema().tables()) {
                    TableDigest digest = Digester.table(snapshot, table);
                    parts.accept(
                            new ByteWriter()
                                    .list(List.of(digest), (w, d) -> d.encode(w))
                                    .toByteArray());
                }
            }
        } finally {
            snapshots.forEach(BackendSnapshot::close);
        }
    }

    void rowDigests(
            List<ClassPosition> positions,
            int backend,
            String schema,
            String table,
            Consumer<byte[]> parts)
            throws SQLException {
        if (backend >= backends.size()) {
            throw new QuireException(ErrorCode.UNKNOWN_ERROR, "there is no backend " + backend);
        }
        List<BackendSnapshot> snapshots = openAt(positions, List.of(backends.get(backend)));
        try {
            BackendSnapshot snapshot = snapshots.getFirst();
            TableDefinition definition =
                    snapshot.schema().tables().stream()
                            .filter(t -> t.schema().equals(schema) && t.name().equals(table))
                            .findFirst()
                            .orElseThrow(() ->
                                    new QuireException(
                                            ErrorCode.NO_SUCH_TABLE,
                                            "Table '" + schema + "." + table + "' doesn't exist"));
            List<RowDigest> gathered = new ArrayList<>();
            Digester.rows(
                    snapshot,
                    definition,
                    digest -> {
                        gathered.add(digest);
                        if (gathered.size() == MAXIMUM_DIGESTS_PER_PART) {
                            send(gathered, parts);
                        }
                    });
            send(gathered, parts);
        } finally {
            snapshots.forEach(BackendSnapshot::close);
        }
    }

    private static void send(List<RowDigest> gathered, Consumer<byte[]> parts) {
        if (!gathered.isEmpty()) {
            parts.accept(new ByteWriter().list(gathered, (w, d) -> d.encode(w)).toByteArray());
            gathered.clear();
        }
    }

    /// Snapshots of backends at exactly these positions: their appliers are held there until the
    /// snapshots are open.
    private List<BackendSnapshot> openAt(List<ClassPosition> positions, List<Backend> wanted)
            throws SQLException {
        List<Held> holds = new ArrayList<>();
        List<BackendSnapshot> snapshots = new ArrayList<>();
        boolean opened = false;
        try {
            for (ClassPosition position : positions) {
                LoggedClass logged = classes.get(position.conflictClass());
                for (Applier applier : logged.appliers()) {
                    if (wanted.contains(applier.backend())) {
                        holds.add(hold(applier, position));
                    }
                }
                logged.stableUpTo(position.commitNumber());
            }
            awaitHeld(positions, wanted);
            for (Backend backend : wanted) {
                snapshots.add(BackendSnapshot.open(backend));
            }
            opened = true;
            return snapshots;
        } finally {
            holds.forEach(held -> held.applier().release(held.hold()));
            if (!opened) {
                snapshots.forEach(BackendSnapshot::close);
            }
        }
    }

    private static Held hold(Applier applier, ClassPosition position) {
        OptionalLong hold = applier.hold(position.commitNumber());
        if (hold.isEmpty()) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    applier.backend()
                            + " is past commit "
                            + position.commitNumber()
                            + " of "
                            + position.conflictClass()
                            + " already: ask for a later one than "
                            + applier.applied());
        }
        return new Held(applier, hold.getAsLong());
    }

    private void awaitHeld(List<ClassPosition> positions, List<Backend> wanted)
            throws SQLException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
        for (ClassPosition position : positions) {
            for (Applier applier : classes.get(position.conflictClass()).appliers()) {
                try {
                    if (wanted.contains(applier.backend())
                            && !applier.awaitApplied(position.commitNumber(), deadline)) {
                        throw new QuireException(
                                ErrorCode.TIER_UNAVAILABLE,
                                applier.backend()
                                        + " does not reach commit "
                                        + position.commitNumber());
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new QuireException(ErrorCode.QUERY_INTERRUPTED, "interrupted", e);
                }
            }
        }
    }
}
