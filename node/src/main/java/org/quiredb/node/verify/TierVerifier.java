package org.quiredb.node.verify;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.node.verify.Holder.Digest;
import org.quiredb.node.verify.Verification.Compared;
import org.quiredb.node.verify.Verification.Difference;

/// Compares replicas and backends at one version.
///
/// Threads: one.
final class TierVerifier {
    static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int KEYS_NAMED = 10;

    private final Map<String, RpcClient> replicas;
    private final RpcClient logger;

    /// @param replicas by name, at least one
    TierVerifier(Map<String, RpcClient> replicas, RpcClient logger) {
        this.replicas = new LinkedHashMap<>(replicas);
        this.logger = logger;
    }

    /// @param pinned a tag that its caller keeps from being reclaimed; the version that is compared
    ///   covers it
    /// @throws org.quiredb.common.error.QuireException when they cannot be compared at a version;
    ///   perhaps they can at a later one
    ///
    /// @param repair whether rows of backends that differ are put right, for the next comparison
    Verification verify(VersionVector pinned, boolean repair) {
        ReplicaReply.CatalogueReply catalogue = catalogue();
        List<CatalogueEntry> tables =
                catalogue.tables().stream()
                        .filter(table -> !pinned.isDropped(table.tableId()))
                        .toList();
        BackendSnapshots backends = BackendSnapshots.open(logger, positions(tables, pinned));
        VersionVector tag = tag(tables, backends.shown()).merge(pinned);
        List<Holder> holders = new ArrayList<>();
        replicas.forEach((name, client) -> holders.add(new ReplicaHolder(name, client, tag)));
        holders.addAll(backends.holders());
        List<Compared> compared = new ArrayList<>();
        List<Difference> differences = new ArrayList<>();
        TreeSet<String> changed = new TreeSet<>();
        for (CatalogueEntry table : tables) {
            compare(table, holders, differences, repair)
                    .ifPresentOrElse(
                            rows -> compared.add(new Compared(name(table), rows)),
                            () -> changed.add(name(table)));
        }
        ReplicaReply.CatalogueReply now = catalogue();
        changed.addAll(changed(catalogue, now));
        Set<String> unknown = unknownTables(tables, backends);
        if (now.version() == catalogue.version()) {
            unknown.forEach(table ->
                    differences.add(
                            new Difference(table, "the backends only", 0, 0, 0, List.of(), 0)));
        } else {
            changed.addAll(unknown); // perhaps made meanwhile, and dropped again
        }
        catalogue.tables().stream()
                .filter(table -> pinned.isDropped(table.tableId()))
                .forEach(table -> changed.add(name(table)));
        compared.removeIf(table -> changed.contains(table.table()));
        differences.removeIf(difference -> changed.contains(difference.table()));
        return new Verification(
                replicas.size(),
                holders.size() - replicas.size(),
                compared,
                differences,
                List.copyOf(changed));
    }

    /// Names of tables that were made, changed or dropped between two catalogues.
    private static Set<String> changed(
            ReplicaReply.CatalogueReply before, ReplicaReply.CatalogueReply now) {
        Set<String> changed = new HashSet<>();
        if (now.version() != before.version()) {
            Map<String, Integer> ids = new HashMap<>();
            before.tables().forEach(table -> ids.put(name(table), table.tableId()));
            for (CatalogueEntry table : now.tables()) {
                Integer id = ids.remove(name(table));
                if (id == null || id != table.tableId()) {
                    changed.add(name(table));
                }
            }
            changed.addAll(ids.keySet());
        }
        return changed;
    }

    static String name(CatalogueEntry table) {
        return table.definition().schema() + "." + table.definition().name();
    }

    private ReplicaReply.CatalogueReply catalogue() {
        RpcClient first = replicas.values().iterator().next();
        if (ReplicaHolder.ask(first, new ReplicaRequest.Catalogue(VersionVector.EMPTY), part -> {})
                instanceof ReplicaReply.CatalogueReply catalogue) {
            return catalogue;
        }
        throw Incomparable.because("no catalogue");
    }

    /// A tag names for each table its last commit; the latest of a class is the class's position.
    private static List<ClassPosition> positions(List<CatalogueEntry> tables, VersionVector tag) {
        Map<ConflictClass, Long> latest = new HashMap<>();
        for (CatalogueEntry table : tables) {
            latest.merge(table.conflictClass(), tag.get(table.tableId()), Math::max);
        }
        return latest.entrySet().stream()
                .map(e -> new ClassPosition(e.getKey(), e.getValue()))
                .toList();
    }

    /// The other way round: a table's newest version that is no newer than its class's position.
    private static VersionVector tag(List<CatalogueEntry> tables, List<ClassPosition> positions) {
        Map<ConflictClass, Long> shown =
                positions.stream()
                        .collect(
                                Collectors.toMap(
                                        ClassPosition::conflictClass, ClassPosition::commitNumber));
        VersionVector tag = VersionVector.EMPTY;
        for (CatalogueEntry table : tables) {
            tag = tag.with(table.tableId(), shown.getOrDefault(table.conflictClass(), 0L));
        }
        return tag;
    }

    /// Returns the rows of the first replica, which the others are held against; nothing where the
    /// table was changed before all had read it.
    private static Optional<Long> compare(
            CatalogueEntry table,
            List<Holder> holders,
            List<Difference> differences,
            boolean repair) {
        Holder first = holders.getFirst();
        Optional<Digest> read = first.digest(table);
        if (read.isEmpty()) {
            return Optional.empty();
        }
        Digest reference = read.get();
        for (Holder holder : holders.subList(1, holders.size())) {
            Optional<Digest> other = holder.digest(table);
            if (other.isEmpty()) {
                return Optional.empty();
            }
            Digest digest = other.get();
            if (!digest.equals(reference)) {
                RowDifference rows = new RowDifference();
                first.rows(table, rows::expect);
                holder.rows(table, rows::find);
                differences.add(
                        new Difference(
                                name(table),
                                holder.name(),
                                digest.rows(),
                                reference.rows(),
                                rows.size(),
                                rows.firstKeys(KEYS_NAMED),
                                repair ? holder.repair(table, rows.keys()) : 0));
            }
        }
        return Optional.of(reference.rows());
    }

    /// Tables that somebody created in a backend behind the tier's back, or by a schema change that
    /// was under way.
    private static Set<String> unknownTables(
            List<CatalogueEntry> tables, BackendSnapshots backends) {
        Set<String> unknown = new TreeSet<>(backends.tables());
        tables.forEach(table -> unknown.remove(name(table)));
        return unknown;
    }
}
