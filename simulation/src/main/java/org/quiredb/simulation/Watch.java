package org.quiredb.simulation;

import com.google.errorprone.annotations.FormatMethod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.PageId;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.replica.intake.Intake;
import org.quiredb.replica.page.PageHandle;

/// The invariants of design.md, section 5, over the whole cluster, which no single node can see.
///
/// Threads: one.
final class Watch {
    private record Position(String ofClass, long number) {}

    private record Page(long pageId, long number) {
        boolean isOf(ConflictClass c) {
            return Content.classOfTable(PageId.tableId(pageId)).equals(c);
        }
    }

    private final Tier tier;

    /// The one transaction that each number ever belongs to for those who were told of it.
    private final Map<Position, Long> acknowledged = new HashMap<>();

    private final Map<String, Long> lastAcknowledged = new TreeMap<>();
    private final Map<String, Long> applied = new TreeMap<>();
    private final Map<Position, Long> appliedTransactions = new HashMap<>();
    private final Map<Page, Integer> pages = new HashMap<>();
    private long epoch;
    private boolean lostSuffix;
    private long turn;

    Watch(Tier tier) {
        this.tier = tier;
    }

    int acknowledged() {
        return acknowledged.size();
    }

    long epoch() {
        return epoch;
    }

    /// Invariant 5: acknowledged implies logged, and held by every member in sync; 6: by one master
    /// only.
    void acknowledged(
            ReplicaNode master,
            ConflictClass c,
            long number,
            long transaction,
            VersionVector vector) {
        Long other = acknowledged.putIfAbsent(new Position(c.name(), number), transaction);
        require(
                other == null || other == transaction,
                "%s acknowledges t%d as %s %d, which was t%s",
                master,
                transaction,
                c,
                number,
                other);
        lastAcknowledged.merge(c.name(), number, Math::max);
        require(
                tier.aheadOfLog() || logged(c, number) == transaction,
                "%s acknowledges t%d as %s %d, the log has %d",
                master,
                transaction,
                c,
                number,
                logged(c, number));
        held(c, number, "acknowledged by " + master);
    }

    private long logged(ConflictClass c, long number) {
        List<CommitRecord> records = tier.backend().committed().read(c, number, number);
        return records.isEmpty() ? -1 : records.getFirst().transactionId();
    }

    private void held(ConflictClass c, long number, String why) {
        for (Member member : tier.backend().committed().topology().members()) {
            ReplicaNode node = tier.replica(member.name());
            if (node.serves()) {
                require(
                        node.progress().received(c) >= number,
                        "%s %d is %s, the member %s is at %d",
                        c,
                        number,
                        why,
                        node,
                        node.progress().received(c));
            }
        }
    }

    /// A master holds a commit to be stable.
    void stable(ReplicaNode master, ConflictClass c, long number) {
        if (number > 0 && !tier.aheadOfLog()) {
            require(
                    tier.backend().committed().last(c) >= number,
                    "%s holds %s %d to be stable, the log ends at %d",
                    master,
                    c,
                    number,
                    tier.backend().committed().last(c));
        }
    }

    /// Invariant 3: what a master tells to be stable, of any class, is logged and held.
    void told(ReplicaNode master, VersionVector vector) {
        if (tier.aheadOfLog()) {
            return;
        }
        boolean _ =
                vector.allRuns((from, end, number) -> {
                    for (int table = from; table < end; table++) {
                        ConflictClass c = Content.classOfTable(table);
                        stable(master, c, number);
                        held(c, number, "told by " + master);
                    }
                    return true;
                });
    }

    /// The log takes what a master gives it, in commit order, unless there is another by now.
    void refused(ReplicaNode master, ConflictClass c, String why) {
        require(false, "%s gives the log commits of %s, which refuses them: %s", master, c, why);
    }

    /// Invariant 7: backends hold a prefix, the log the rest; an epoch follows on the one before.
    /// Only what is stable is applied, and so 5: it is held by every member in sync.
    void logCommitted(BackendTables tables) {
        if (tables.cutsOff()) {
            tier.met("log cut off");
        }
        for (ConflictClass c : tables.classes()) {
            long now = tables.applied(c);
            long before = applied.getOrDefault(c.name(), 0L);
            require(now >= before, "%s is applied to %d after %d", c, now, before);
            for (long n = before + 1; n <= now; n++) {
                appliedTransactions.put(
                        new Position(c.name(), n), tables.record(c, n).transactionId());
            }
            applied.put(c.name(), now);
            held(c, now, "applied");
        }
        Topology topology = tables.topology();
        if (topology.epoch() != epoch) {
            require(topology.epoch() == epoch + 1, "epoch %d follows %d", topology.epoch(), epoch);
            epoch = topology.epoch();
            nothingLost(tables);
            lastAcknowledged.forEach((name, number) ->
                    held(new ConflictClass(name), number, "acknowledged before epoch " + epoch));
        }
    }

    /// Whether acknowledged commits that were not logged went with the last memory that held them.
    boolean lostSuffix() {
        return lostSuffix;
    }

    /// Where commits may be ahead of the log, what all who held it have lost is no more; it is the
    /// end of what was acknowledged.
    private void forgetWhatNobodyHolds(BackendTables tables) {
        for (ConflictClass c : tables.classes()) {
            long held = tables.last(c);
            for (ReplicaNode replica : tier.replicas()) {
                if (replica.up()) {
                    held = Math.max(held, replica.progress().received(c));
                }
            }
            if (lastAcknowledged.getOrDefault(c.name(), 0L) > held) {
                long end = held;
                lostSuffix = true;
                tier.met("suffix lost with all who held it");
                lastAcknowledged.put(c.name(), end);
                acknowledged.keySet().removeIf(p -> p.ofClass.equals(c.name()) && p.number > end);
                pages.keySet().removeIf(p -> p.isOf(c) && p.number > end);
            }
        }
    }

    /// What was acknowledged, or applied, is in the log for good.
    void nothingLost(BackendTables tables) {
        if (tier.aheadOfLog()) {
            forgetWhatNobodyHolds(tables);
        }
        for (ConflictClass c : tables.classes()) {
            Map<Long, Long> transactions = tables.transactions(c);
            acknowledged.forEach((position, transaction) -> {
                boolean yetToBeLogged = tier.aheadOfLog() && position.number > tables.last(c);
                if (position.ofClass.equals(c.name()) && !yetToBeLogged) {
                    require(
                            transaction.equals(transactions.get(position.number)),
                            "acknowledged t%d, %s, the log has t%s",
                            transaction,
                            position,
                            String.valueOf(transactions.get(position.number)));
                }
            });
            appliedTransactions.forEach((position, transaction) -> {
                if (position.ofClass.equals(c.name())) {
                    require(
                            transaction.equals(transactions.get(position.number)),
                            "applied t%d, %s, the log has t%s",
                            transaction,
                            position,
                            String.valueOf(transactions.get(position.number)));
                }
            });
        }
    }

    /// Invariant 8, of what has just come in: the same page at the same version is the same
    /// everywhere. Only pages of commits that are acknowledged count, and only at members: others
    /// may go, and who was left behind with them is yet to learn of it.
    void pages(ReplicaNode node) {
        if (!node.serves() || !tier.backend().committed().topology().contains(node.name)) {
            return;
        }
        int keys = Content.keys(tier.classes());
        for (int key = (int) (turn++ % keys); key < keys; key += keys) {
            PageHandle page = node.store().page(Content.pageId(key));
            long newest = page.newestNumber();
            String ofClass = Content.classOf(key).name();
            if (newest > 0 && newest <= lastAcknowledged.getOrDefault(ofClass, 0L)) {
                int hash = Arrays.hashCode(node.store().readAt(page.pageId(), newest));
                Integer other = pages.putIfAbsent(new Page(page.pageId(), newest), hash);
                require(
                        other == null || other == hash,
                        "page %d of %s is different on %s at %d",
                        page.pageId(),
                        ofClass,
                        node,
                        newest);
            }
        }
    }

    /// A member's stream has a gap only where the group has lost something, or the member has
    /// closed the stream of a master that came back.
    void broken(ReplicaNode node, Intake.Arrival arrival) {
        boolean excused =
                !(arrival instanceof Intake.Arrival.Stream(String from, long _, var writeSets))
                        || tier.group().hasLost(from, node.name)
                        || node.hasClosed(from)
                        || !tier.backend().committed().topology().contains(node.name);
        require(excused, "%s misses something of a stream that was never broken", node);
    }

    /// At the end every member and the backend hold the same.
    void same() {
        BackendTables tables = tier.backend().committed();
        nothingLost(tables);
        for (int key = 0; key < Content.keys(tier.classes()); key++) {
            List<String> different = new ArrayList<>();
            for (Member member : tables.topology().members()) {
                List<Integer> here =
                        Content.values(
                                tier.replica(member.name())
                                        .store()
                                        .readNewest(Content.pageId(key)));
                if (!here.equals(tables.row(key))) {
                    different.add(member.name() + " " + here);
                }
            }
            require(
                    different.isEmpty(),
                    "key %d is %s on the backend, but %s",
                    key,
                    tables.row(key),
                    different);
        }
        for (int table = 1; table <= Content.tables(tier.classes()); table++) {
            for (Member member : tables.topology().members()) {
                long counted = tier.replica(member.name()).store().counters(table).rowCount();
                require(
                        counted == rows(tables, table),
                        "table %d has %d rows on the backend, but %d on %s",
                        table,
                        rows(tables, table),
                        counted,
                        member.name());
            }
        }
    }

    private static long rows(BackendTables tables, int table) {
        return tables.rows().entrySet().stream()
                .filter(row -> Content.tableId(row.getKey()) == table)
                .mapToLong(row -> row.getValue().size())
                .sum();
    }

    @FormatMethod
    private static void require(boolean holds, String message, Object... arguments) {
        if (!holds) {
            throw new BrokenInvariant(message.formatted(arguments));
        }
    }

    /// What the simulation is there to find.
    static final class BrokenInvariant extends RuntimeException {
        private static final long serialVersionUID = 1;

        BrokenInvariant(String message) {
            super(message);
        }
    }
}
