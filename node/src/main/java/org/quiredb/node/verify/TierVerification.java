package org.quiredb.node.verify;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.SchedulerReply;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.trust.Trust;
import org.quiredb.node.status.StatusClient;

/// Compares a running tier, found through a scheduler's status port.
///
/// @param verification what the nodes that could be compared hold
/// @param left names of the nodes that could not, and of tables, and why
public record TierVerification(Verification verification, List<String> left) {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final int ATTEMPTS = 3;
    private static final int REPAIRS = 10;

    /// Whether everything was compared and all hold the same.
    public boolean identical() {
        return verification.identical() && left.isEmpty();
    }

    /// Compares, has the rows of backends that differ put right, and compares again, until all hold
    /// the same or nothing more can be put right.
    ///
    /// @param told gets what each comparison found
    /// @throws QuireException when the tier cannot be compared, or rows cannot be put right now
    public static TierVerification repaired(StatusClient scheduler, Consumer<Verification> told) {
        for (int round = 1; ; round++) {
            TierVerification found = of(scheduler, true);
            if (!found.repairs() || round == REPAIRS) {
                return found;
            }
            told.accept(found.verification);
        }
    }

    /// A comparison that a schema change or a node's end upset is begun anew with a newer pin;
    /// where the schema changes all the time the last one leaves out what has changed. Differences
    /// are looked at twice: a schema change under way is on the backends before replicas have it.
    /// Where nobody can look again, they are told as they were seen.
    ///
    /// @throws QuireException when the tier cannot be compared
    public static TierVerification of(StatusClient scheduler) {
        return of(scheduler, false);
    }

    private static TierVerification of(StatusClient scheduler, boolean repair) {
        return looked(() -> look(scheduler, repair), repair);
    }

    private static TierVerification look(StatusClient scheduler, boolean repair) {
        SchedulerReply.Pinned pinned = scheduler.pin();
        try {
            return compare(scheduler.cluster(), scheduler.trust(), pinned, repair);
        } catch (RpcException e) {
            throw Incomparable.because(String.valueOf(e.getMessage()));
        } finally {
            scheduler.unpin(pinned);
        }
    }

    /// @param look compares once, by a newer pin each time; throws where something upset that
    static TierVerification looked(Supplier<TierVerification> look, boolean repair) {
        Optional<TierVerification> different = Optional.empty();
        for (int attempt = 1; ; attempt++) {
            TierVerification found;
            try {
                found = look.get();
            } catch (QuireException e) {
                if (attempt < ATTEMPTS) {
                    continue;
                }
                return different.orElseThrow(() -> e);
            }
            boolean sure = repair || found.verification.identical() || different.isPresent();
            boolean whole = found.verification.changed().isEmpty();
            if (found.repairs() || (sure && (whole || attempt >= ATTEMPTS))) {
                return found;
            }
            different = found.verification.identical() ? Optional.empty() : Optional.of(found);
        }
    }

    private boolean repairs() {
        return verification.differences().stream().anyMatch(d -> d.repaired() > 0);
    }

    private static TierVerification compare(
            List<ClusterNode> nodes, Trust trust, SchedulerReply.Pinned pinned, boolean repair) {
        Map<String, RpcClient> replicas = new LinkedHashMap<>();
        List<String> left = new ArrayList<>();
        RpcClient logger = null;
        try {
            for (ClusterNode node : nodes) {
                NodeStatus status = node.status();
                if (status == null || !node.reachable()) {
                    left.add(node.name() + " (unreachable)");
                } else if (status.role().equals("logger")) {
                    logger = status.standsBy() ? logger : connect(node, trust);
                } else if (!status.role().equals("scheduler")) {
                    if (status.state().equals("serving")) {
                        replicas.put(node.name(), connect(node, trust));
                    } else {
                        left.add(node.name() + " (" + status.state() + ")");
                    }
                }
            }
            if (logger == null || replicas.isEmpty()) {
                throw Incomparable.because(
                        (logger == null ? "no logger" : "no replica") + " can be reached");
            }
            Verification found = new TierVerifier(replicas, logger).verify(pinned.tag(), repair);
            found.changed().forEach(table -> left.add(table + " (changed meanwhile)"));
            return new TierVerification(found, left);
        } finally {
            replicas.values().forEach(RpcClient::close);
            if (logger != null) {
                logger.close();
            }
        }
    }

    private static RpcClient connect(ClusterNode node, Trust trust) {
        int colon = node.address().lastIndexOf(':');
        return RpcClient.connect(
                new InetSocketAddress(
                        node.address().substring(0, colon),
                        Integer.parseInt(node.address().substring(colon + 1))),
                trust,
                CONNECT_TIMEOUT);
    }
}
