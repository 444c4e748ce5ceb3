package org.quiredb.node.verify;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.ClassPosition;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.RowDigest;
import org.quiredb.common.message.TableDigest;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.wire.ByteReader;

/// Compares replicas and backends at one tag, which its caller keeps from being reclaimed.
///
/// Threads: one.
public final class Verifier {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int KEYS_NAMED = 10;

    private final Map<String, RpcClient> replicas;
    private final RpcClient logger;

    /// @param replicas by name, at least one
    public Verifier(Map<String, RpcClient> replicas, RpcClient logger) {
        this.replicas = new LinkedHashMap<>(replicas);
        this.logger = logger;
    }

    public Verification verify(VersionVector tag) {
        List<CatalogueEntry> tables = catalogue();
        List<ClassPosition> positions = positions(tables, tag);
        Map<String, Map<String, Digest>> backends = backendDigests(positions);
        List<Verification.Difference> differences = new ArrayList<>();
        long rows = 0;
        for (CatalogueEntry table : tables) {
            Map<String, Digest> holders = new LinkedHashMap<>();
            replicas.forEach(
                    (name, replica) -> holders.put(name, replicaDigest(replica, tag, table)));
            backends.forEach((name, digests) ->
                    holders.put(name, digests.getOrDefault(name(table), new Digest(0, 0))));
            Digest reference = holders.values().iterator().next();
            rows += reference.rows;
            holders.forEach((holder, digest) -> {
                if (!digest.equals(reference)) {
                    differences.add(difference(table, holder, digest, reference, tag, positions));
                }
            });
        }
        return new Verification(replicas.size(), backends.size(), tables.size(), rows, differences);
    }

    private record Digest(long rows, long digest) {}

    private List<CatalogueEntry> catalogue() {
        ReplicaReply reply = ask(first(), new ReplicaRequest.Catalogue(), new ArrayList<>());
        if (reply instanceof ReplicaReply.CatalogueReply catalogue) {
            return catalogue.tables();
        }
        throw unexpected(reply);
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

    private Map<String, Map<String, Digest>> backendDigests(List<ClassPosition> positions) {
        Map<String, Map<String, Digest>> backends = new TreeMap<>();
        List<byte[]> parts = new ArrayList<>();
        askLogger(new LoggerRequest.Digests(positions), parts);
        for (byte[] part : parts) {
            for (TableDigest digest : new ByteReader(part).list(TableDigest::decode)) {
                backends.computeIfAbsent("backend-" + digest.backend(), name -> new HashMap<>())
                        .put(
                                digest.schema() + "." + digest.table(),
                                new Digest(digest.rows(), digest.digest()));
            }
        }
        return backends;
    }

    private static Digest replicaDigest(
            RpcClient replica, VersionVector tag, CatalogueEntry table) {
        ReplicaReply reply =
                ask(replica, new ReplicaRequest.Digest(tag, table.tableId()), new ArrayList<>());
        if (reply instanceof ReplicaReply.DigestReply digest) {
            return new Digest(digest.rows(), digest.digest());
        }
        throw unexpected(reply);
    }

    private Verification.Difference difference(
            CatalogueEntry table,
            String holder,
            Digest digest,
            Digest reference,
            VersionVector tag,
            List<ClassPosition> positions) {
        Map<String, Long> expected = replicaRows(first(), tag, table);
        RpcClient replica = replicas.get(holder);
        Map<String, Long> found =
                replica != null
                        ? replicaRows(replica, tag, table)
                        : backendRows(holder, table, positions);
        TreeSet<String> keys = new TreeSet<>();
        expected.forEach((key, value) -> {
            if (!value.equals(found.get(key))) {
                keys.add(key);
            }
        });
        found.keySet().stream().filter(key -> !expected.containsKey(key)).forEach(keys::add);
        return new Verification.Difference(
                name(table),
                holder,
                digest.rows,
                reference.rows,
                keys.stream().limit(KEYS_NAMED).toList());
    }

    private static Map<String, Long> replicaRows(
            RpcClient replica, VersionVector tag, CatalogueEntry table) {
        List<byte[]> parts = new ArrayList<>();
        ask(replica, new ReplicaRequest.RowDigests(tag, table.tableId()), parts);
        return rows(parts);
    }

    private Map<String, Long> backendRows(
            String holder, CatalogueEntry table, List<ClassPosition> positions) {
        int backend = Integer.parseInt(holder.substring("backend-".length()));
        List<byte[]> parts = new ArrayList<>();
        askLogger(
                new LoggerRequest.RowDigests(
                        positions, backend, table.definition().schema(), table.definition().name()),
                parts);
        return rows(parts);
    }

    private static Map<String, Long> rows(List<byte[]> parts) {
        Map<String, Long> rows = new HashMap<>();
        for (byte[] part : parts) {
            new ByteReader(part)
                    .list(RowDigest::decode)
                    .forEach(row -> rows.put(row.key(), row.digest()));
        }
        return rows;
    }

    private static ReplicaReply ask(RpcClient replica, ReplicaRequest request, List<byte[]> parts) {
        ReplicaReply reply =
                ReplicaReply.decode(replica.callForParts(request.encode(), parts::add, PATIENCE));
        if (reply instanceof ReplicaReply.Failed || reply instanceof ReplicaReply.Refused) {
            throw unexpected(reply);
        }
        return reply;
    }

    private void askLogger(LoggerRequest request, List<byte[]> parts) {
        LoggerReply reply =
                LoggerReply.decode(logger.callForParts(request.encode(), parts::add, PATIENCE));
        if (!(reply instanceof LoggerReply.Done)) {
            throw unexpected(reply);
        }
    }

    private RpcClient first() {
        return replicas.values().iterator().next();
    }

    private static String name(CatalogueEntry table) {
        return table.definition().schema() + "." + table.definition().name();
    }

    private static QuireException unexpected(Object reply) {
        return new QuireException(
                ErrorCode.TIER_UNAVAILABLE, "The tiers could not be compared: " + reply);
    }
}
