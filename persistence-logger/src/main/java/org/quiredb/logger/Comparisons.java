package org.quiredb.logger;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.rpc.RpcPeer;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.logger.apply.Applier;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.backend.Backends;
import org.quiredb.logger.snapshot.BackendSnapshot;

/// The comparisons under way, at most one for each connection.
///
/// A comparison takes the backends where they are, since under updates no commit number that a
/// caller could name is still ahead of them when it arrives: every applier is held at the commit
/// that the foremost one is applying, until all snapshots are open. The held commits wait in the
/// log for that long; the masters do not.
///
/// Invariant: no snapshot outlives its connection, nor {@link #LIFE}. Threads: any.
final class Comparisons implements AutoCloseable {
    static final Duration LIFE = Duration.ofMinutes(30);
    private static final int MAXIMUM = 4;

    private record Held(Applier applier, Applier.Hold hold) {}

    private final Backends backends;
    private final LoggedClasses classes;
    private final long waitMillis;

    @GuardedBy("this")
    private final Map<Long, Comparison> open = new HashMap<>();

    Comparisons(Backends backends, LoggedClasses classes, long waitMillis) {
        this.backends = backends;
        this.classes = classes;
        this.waitMillis = waitMillis;
    }

    /// Opens a comparison and tells which commits it shows.
    ///
    /// @param changing tells tables that the snapshots may show otherwise than these commits do
    List<ClassPosition> open(
            RpcPeer peer, List<ClassPosition> atLeast, Predicate<TableDefinition> changing)
            throws SQLException {
        Comparison comparison = begin(peer);
        List<BackendSnapshot> snapshots = snapshotsTogether(atLeast);
        comparison.fill(snapshots, changing);
        List<ClassPosition> positions = snapshots.getFirst().positions();
        if (!snapshots.stream().allMatch(s -> s.positions().equals(positions))) {
            comparison.close();
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "a schema change came between the backends' snapshots; ask again");
        }
        return positions;
    }

    synchronized Comparison of(RpcPeer peer) {
        Comparison comparison = open.get(peer.id());
        if (comparison == null) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE, "this connection has opened no comparison");
        }
        return comparison;
    }

    synchronized void end(RpcPeer peer) {
        Comparison comparison = open.remove(peer.id());
        if (comparison != null) {
            comparison.close();
        }
    }

    private synchronized Comparison begin(RpcPeer peer) {
        end(peer);
        open.values().removeIf(Comparison::ended);
        if (open.size() >= MAXIMUM) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    MAXIMUM + " comparisons are under way; wait until one has ended");
        }
        Comparison comparison = new Comparison(LIFE);
        open.put(peer.id(), comparison);
        return comparison;
    }

    private List<BackendSnapshot> snapshotsTogether(List<ClassPosition> atLeast)
            throws SQLException {
        Map<ConflictClass, Long> least =
                atLeast.stream()
                        .collect(
                                Collectors.toMap(
                                        ClassPosition::conflictClass, ClassPosition::commitNumber));
        for (ConflictClass conflictClass : least.keySet()) {
            classes.get(conflictClass);
        }
        List<Held> holds = new ArrayList<>();
        List<BackendSnapshot> snapshots = new ArrayList<>();
        try {
            for (LoggedClass logged : classes.all()) {
                hold(logged, least.getOrDefault(logged.conflictClass(), 0L), holds);
            }
            awaitHeld(holds);
            for (Backend backend : backends.current()) {
                snapshots.add(BackendSnapshot.open(backend));
            }
            return snapshots;
        } catch (SQLException | RuntimeException e) {
            snapshots.forEach(BackendSnapshot::close);
            throw e;
        } finally {
            holds.forEach(held -> held.applier().release(held.hold()));
        }
    }

    /// Holds a class's appliers at one commit: where the foremost is, once none can pass that.
    private static void hold(LoggedClass logged, long atLeast, List<Held> holds) {
        List<Held> first =
                logged.current().stream()
                        .map(applier -> new Held(applier, applier.hold(atLeast)))
                        .toList();
        holds.addAll(first);
        long foremost =
                first.stream().mapToLong(held -> held.hold().commitNumber()).max().orElse(atLeast);
        for (Held held : first) {
            if (held.hold().commitNumber() < foremost) {
                holds.add(new Held(held.applier(), held.applier().hold(foremost)));
                held.applier().release(held.hold());
            }
        }
        logged.stableUpTo(foremost);
    }

    private void awaitHeld(List<Held> holds) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
        for (Held held : holds) {
            try {
                if (!held.applier().awaitApplied(held.hold().commitNumber(), deadline)) {
                    throw new QuireException(
                            ErrorCode.TIER_UNAVAILABLE,
                            held.applier().backend()
                                    + held.applier()
                                            .hindrance()
                                            .map(h -> " is set aside " + h)
                                            .orElse(
                                                    " does not reach commit "
                                                            + held.hold().commitNumber()));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new QuireException(ErrorCode.QUERY_INTERRUPTED, "interrupted", e);
            }
        }
    }

    @Override
    public synchronized void close() {
        open.values().forEach(Comparison::close);
        open.clear();
    }
}
