package org.quiredb.master;

import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.LoggerReply.TopologyReply;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Revival;
import org.quiredb.common.topology.Revival.Sight;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.trust.Trust;
import org.quiredb.common.version.VersionVector;
import org.quiredb.master.log.LoggerCalls.FailedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds out how a replica is to begin: the edge of a {@link Revival}, which asks the logger for
/// the topology and its members what they do.
///
/// Threads: one.
final class Beginning {
    private static final Logger LOG = LoggerFactory.getLogger(Beginning.class);
    private static final Duration ANSWER_LIMIT = Duration.ofMillis(500);
    private static final long PAUSE_MILLIS = 50;

    /// How to begin.
    sealed interface Way {
        /// Nobody serves: load what the backend has.
        record Load(Topology before) implements Way {}

        /// Join the master, which does not know this replica any more.
        record Join(Topology now) implements Way {}
    }

    private final String self;
    private final Trust trust;
    private final Revival revival;
    private final Supplier<TopologyReply> topologies;
    private final BooleanSupplier over;
    private String told = "";

    /// @param topologies asks the logger
    /// @param over whether it need not begin any more
    Beginning(
            String self,
            Trust trust,
            Revival revival,
            Supplier<TopologyReply> topologies,
            BooleanSupplier over) {
        this.over = over;
        this.self = self;
        this.trust = trust;
        this.revival = revival;
        this.topologies = topologies;
    }

    Way await(long deadlineNanos) {
        while (System.nanoTime() < deadlineNanos && !over.getAsBoolean()) {
            Optional<Way> way = look();
            if (way.isPresent()) {
                return way.get();
            }
            pause();
        }
        throw new QuireException(
                ErrorCode.TIER_UNAVAILABLE,
                self + " finds no master that serves: " + told + "; see quire status");
    }

    private Optional<Way> look() {
        TopologyReply reply;
        try {
            reply = topologies.get();
        } catch (RpcException | FailedException e) {
            tell("the logger does not tell the topology: " + e.getMessage());
            return Optional.empty();
        }
        Topology now = reply.topology();
        Map<String, Sight> sights = new TreeMap<>();
        now.members().stream()
                .filter(m -> !m.name().equals(self))
                .forEach(m -> sights.put(m.name(), sight(m)));
        Revival.Step step = revival.step(now, sights, reply.quietMillis(), nowMillis());
        return switch (step) {
            case Revival.Step.Join() -> Optional.of(new Way.Join(now));
            case Revival.Step.Load() -> Optional.of(new Way.Load(now));
            case Revival.Step.Wait(String reason) -> {
                tell(reason);
                yield Optional.empty();
            }
        };
    }

    /// Once, not at each look.
    private void tell(String reason) {
        if (!told.equals(reason)) {
            told = reason;
            LOG.info("{} waits: {}", self, reason);
        }
    }

    private static long nowMillis() {
        return System.nanoTime() / 1_000_000;
    }

    private Sight sight(Member member) {
        try (RpcClient client =
                RpcClient.connect(
                        new InetSocketAddress(member.host(), member.port()), trust, ANSWER_LIMIT)) {
            byte[] request = new ReplicaRequest.Status(VersionVector.EMPTY).encode();
            return ReplicaReply.decode(client.callForEnd(request, ANSWER_LIMIT))
                            instanceof ReplicaReply.StatusReply(NodeStatus status)
                    ? sight(member, status)
                    : Sight.SILENT;
        } catch (RpcException e) {
            return refused(e) ? Sight.ENDED : Sight.SILENT;
        }
    }

    private static Sight sight(Member member, NodeStatus status) {
        if (!status.name().equals(member.name())) {
            return Sight.ENDED; // another process has its address by now
        }
        return switch (status.state()) {
            case "serving" -> Sight.SERVES;
            case "waiting" -> Sight.ENDED; // at the beginning of its life, as this one
            default -> Sight.HOLDS;
        };
    }

    private static boolean refused(RpcException e) {
        return e.getCause() instanceof ConnectException reason
                && String.valueOf(reason.getMessage()).startsWith("Connection refused");
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuireException(ErrorCode.QUERY_INTERRUPTED, "interrupted", e);
        }
    }
}
