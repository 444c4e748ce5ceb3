package org.quiredb.node.verify;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.TableDigest;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.node.status.BackendStatus;

/// The backends' snapshots of one comparison, which the persistence logger keeps for as long as its
/// connection lasts.
///
/// Threads: one.
final class BackendSnapshots {
    private static final int KEYS_AT_ONCE = 5_000;

    private final RpcClient logger;
    private final List<ClassPosition> shown;
    private final Map<Integer, Map<String, Optional<Holder.Digest>>> digests = new HashMap<>();

    private BackendSnapshots(RpcClient logger, List<ClassPosition> shown) {
        this.logger = logger;
        this.shown = shown;
    }

    /// Opens snapshots that show at least these commits, and digests every table in them.
    static BackendSnapshots open(RpcClient logger, List<ClassPosition> atLeast) {
        List<Integer> current = current(logger);
        if (!(ask(logger, new LoggerRequest.OpenComparison(atLeast), part -> {})
                instanceof LoggerReply.Positions(List<ClassPosition> shown))) {
            throw Incomparable.because("the logger gave an answer to another question");
        }
        if (!current(logger).equals(current)) {
            throw Incomparable.because("a backend was lost or came back meanwhile");
        }
        BackendSnapshots backends = new BackendSnapshots(logger, shown);
        current.forEach(number -> backends.digests.put(number, new HashMap<>()));
        ask(logger, new LoggerRequest.Digests(), backends::take);
        return backends;
    }

    /// The numbers of those that hold the whole log; the others are not compared.
    private static List<Integer> current(RpcClient logger) {
        if (!(ask(logger, new LoggerRequest.Status(), part -> {})
                instanceof LoggerReply.StatusReply(NodeStatus status))) {
            throw Incomparable.because("the logger gave an answer to another question");
        }
        List<BackendStatus> all = BackendStatus.of(status);
        return IntStream.range(0, all.size()).filter(i -> all.get(i).current()).boxed().toList();
    }

    private void take(byte[] part) {
        for (TableDigest digest : new ByteReader(part).list(TableDigest::decode)) {
            digests.computeIfAbsent(digest.backend(), number -> new HashMap<>())
                    .put(
                            digest.schema() + "." + digest.table(),
                            digest.changed()
                                    ? Optional.empty()
                                    : Optional.of(
                                            new Holder.Digest(digest.rows(), digest.digest())));
        }
    }

    /// The commit of each class that the snapshots show.
    List<ClassPosition> shown() {
        return shown;
    }

    List<Holder> holders() {
        List<Holder> holders = new ArrayList<>();
        digests.keySet().stream().sorted().forEach(number -> holders.add(new OfOne(number)));
        return holders;
    }

    /// Names of every table that some backend has, but for those that were changed meanwhile.
    Set<String> tables() {
        Set<String> tables = new HashSet<>();
        for (Map<String, Optional<Holder.Digest>> backend : digests.values()) {
            backend.forEach((table, digest) -> digest.ifPresent(unchanged -> tables.add(table)));
        }
        return tables;
    }

    private static LoggerReply ask(
            RpcClient logger, LoggerRequest request, Consumer<byte[]> parts) {
        LoggerReply reply =
                LoggerReply.decode(
                        logger.callForParts(request.encode(), parts, TierVerifier.PATIENCE));
        if (reply instanceof LoggerReply.Failed(int number, String sqlState, String message)) {
            throw Incomparable.because(message);
        }
        return reply;
    }

    private final class OfOne implements Holder {
        private final int number;

        OfOne(int number) {
            this.number = number;
        }

        @Override
        public String name() {
            return "backend-" + number;
        }

        @Override
        public Optional<Digest> digest(CatalogueEntry table) {
            return digests.getOrDefault(number, Map.of())
                    .getOrDefault(TierVerifier.name(table), Optional.of(Digest.MISSING));
        }

        @Override
        public long repair(CatalogueEntry table, List<String> keys) {
            if (!digests.getOrDefault(number, Map.of()).containsKey(TierVerifier.name(table))) {
                return 0;
            }
            for (int from = 0; from < keys.size(); from += KEYS_AT_ONCE) {
                ask(
                        logger,
                        new LoggerRequest.Repair(
                                table.conflictClass(),
                                number,
                                table.definition().schema(),
                                table.definition().name(),
                                keys.subList(from, Math.min(keys.size(), from + KEYS_AT_ONCE))),
                        part -> {});
            }
            return keys.size();
        }

        @Override
        public void rows(CatalogueEntry table, Consumer<byte[]> parts) {
            if (digests.getOrDefault(number, Map.of()).containsKey(TierVerifier.name(table))) {
                ask(
                        logger,
                        new LoggerRequest.RowDigests(
                                number, table.definition().schema(), table.definition().name()),
                        parts);
            }
        }
    }
}
