package org.quiredb.scheduler.route;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.route.ReplicaView.Role;

/// Picks the replica of a statement.
///
/// Invariant: a read goes to the master only while no slave serves; a spare gets its share and no
/// more.
public final class Router {
    private Router() {}

    /// As the other one, of a transaction that stays where it has read while that replica serves.
    ///
    /// @param replica where it has read, empty for nowhere
    /// @param turn is taken only where there is a choice
    public static Routing read(
            List<ReplicaView> replicas,
            String replica,
            VersionVector tag,
            Set<Integer> tables,
            Set<String> excluded,
            LongSupplier turn) {
        boolean stays =
                !replica.isEmpty()
                        && !excluded.contains(replica)
                        && replicas.stream().anyMatch(v -> v.serving() && v.name().equals(replica));
        return stays
                ? new Routing.ToReplica(replica)
                : read(replicas, tag, tables, excluded, turn.getAsLong());
    }

    /// @param tables ids of the tables read
    /// @param excluded replicas that refused this read or failed while running it
    /// @param turn grows with every read, so that equals take turns
    public static Routing read(
            List<ReplicaView> replicas,
            VersionVector tag,
            Set<Integer> tables,
            Set<String> excluded,
            long turn) {
        Optional<ReplicaView> spare =
                warmed(serving(replicas, Role.SPARE), Math.floorMod(turn, 100L));
        if (spare.isPresent() && !excluded.contains(spare.get().name())) {
            return new Routing.ToReplica(spare.get().name());
        }
        List<ReplicaView> slaves = serving(replicas, Role.SLAVE);
        List<ReplicaView> readers = slaves.isEmpty() ? serving(replicas, Role.MASTER) : slaves;
        if (readers.isEmpty()) {
            return new Routing.Rejected(
                    ErrorCode.TIER_UNAVAILABLE, "no replica serves reads; see quire status");
        }
        List<ReplicaView> fresh =
                readers.stream().filter(r -> !excluded.contains(r.name())).toList();
        List<ReplicaView> candidates = fresh.isEmpty() ? readers : fresh;
        return new Routing.ToReplica(choose(candidates, tag, tables, turn).name());
    }

    /// Of a hundred turns each spare has as many as its share says, one after the other.
    private static Optional<ReplicaView> warmed(List<ReplicaView> spares, long turn) {
        long before = 0;
        for (ReplicaView spare : spares) {
            before += spare.sharePercent();
            if (turn < before) {
                return Optional.of(spare);
            }
        }
        return Optional.empty();
    }

    public static Routing update(List<ReplicaView> replicas) {
        Optional<ReplicaView> master = serving(replicas, Role.MASTER).stream().findFirst();
        return master.<Routing>map(m -> new Routing.ToMaster(m.name()))
                .orElseGet(() ->
                        new Routing.Rejected(
                                ErrorCode.TIER_UNAVAILABLE,
                                "no master takes updates; see quire status"));
    }

    private static List<ReplicaView> serving(List<ReplicaView> replicas, Role role) {
        return replicas.stream().filter(r -> r.serving() && r.role() == role).toList();
    }

    /// Versions count among the least loaded only: to make one costs microseconds, to wait behind
    /// another read costs that read, and every commit waits for the slave that has most to do.
    private static ReplicaView choose(
            List<ReplicaView> readers, VersionVector tag, Set<Integer> tables, long turn) {
        int least = readers.stream().mapToInt(ReplicaView::inFlight).min().orElse(0);
        List<ReplicaView> idlest =
                near(readers, least).stream().filter(r -> r.inFlight() == least).toList();
        if (least > 0) {
            for (ReplicaView replica : idlest) {
                if (sameVersions(replica.running(), tag, tables)) {
                    return replica;
                }
            }
        }
        return idlest.get((int) Math.floorMod(turn, (long) idlest.size()));
    }

    /// What a replica of this process answers needs no connection: it is preferred while it is not
    /// more loaded than any other.
    private static List<ReplicaView> near(List<ReplicaView> readers, int least) {
        boolean all = readers.stream().allMatch(ReplicaView::local);
        List<ReplicaView> near =
                all
                        ? List.of()
                        : readers.stream().filter(r -> r.local() && r.inFlight() == least).toList();
        return near.isEmpty() ? readers : near;
    }

    private static boolean sameVersions(
            VersionVector running, VersionVector tag, Set<Integer> tables) {
        return tables.stream().allMatch(table -> running.get(table) == tag.get(table));
    }
}
