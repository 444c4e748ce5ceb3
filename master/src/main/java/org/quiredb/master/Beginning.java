package org.quiredb.master;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.VersionVector;

/// Finds out how a replica is to begin: what the topology says and who of it is alive.
///
/// Threads: one.
final class Beginning {
    private static final Duration ANSWER_LIMIT = Duration.ofMillis(500);
    private static final long PAUSE_MILLIS = 20;

    /// How to begin.
    sealed interface Way {
        /// Nobody serves: load what the backend has.
        record Load(Topology before) implements Way {}

        /// Join the master, which does not know this replica any more.
        record Join(Topology now) implements Way {}
    }

    private final String self;
    private final boolean wishesToLead;
    private final Supplier<Topology> topologies;

    Beginning(String self, boolean wishesToLead, Supplier<Topology> topologies) {
        this.self = self;
        this.wishesToLead = wishesToLead;
        this.topologies = topologies;
    }

    Way await(long deadlineNanos) {
        while (System.nanoTime() < deadlineNanos) {
            Optional<Way> way = way(topologies.get());
            if (way.isPresent()) {
                return way.get();
            }
            pause();
        }
        throw new QuireException(
                ErrorCode.TIER_UNAVAILABLE,
                self + " finds no master that serves; see quire status");
    }

    private Optional<Way> way(Topology now) {
        List<Member> serving =
                now.members().stream()
                        .filter(m -> !m.name().equals(self) && status(m).equals("serving"))
                        .toList();
        if (serving.isEmpty()) {
            return wishesToLead ? Optional.of(new Way.Load(now)) : Optional.empty();
        }
        boolean led = serving.stream().anyMatch(m -> now.leads(m.name()));
        return led && !now.contains(self) ? Optional.of(new Way.Join(now)) : Optional.empty();
    }

    private static String status(Member member) {
        try (RpcClient client =
                RpcClient.connect(
                        new InetSocketAddress(member.host(), member.port()), ANSWER_LIMIT)) {
            byte[] request = new ReplicaRequest.Status(VersionVector.EMPTY).encode();
            return ReplicaReply.decode(client.callForEnd(request, ANSWER_LIMIT))
                            instanceof ReplicaReply.StatusReply(NodeStatus status)
                    ? status.state()
                    : "";
        } catch (RpcException e) {
            return "";
        }
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
