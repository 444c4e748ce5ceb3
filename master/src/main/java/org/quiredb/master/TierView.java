package org.quiredb.master;

import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
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
import org.quiredb.common.trust.Trust;
import org.quiredb.common.version.VersionVector;
import org.quiredb.master.log.RemoteQueryLog.FailedException;
import org.quiredb.master.role.Revival;
import org.quiredb.master.role.Revival.Sight;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a replica that begins sees of the tier: asks the logger for the topology, and its members
/// what they do.
///
/// Threads: one.
final class TierView {
    private static final Logger LOG = LoggerFactory.getLogger(TierView.class);
    private static final Duration ANSWER_LIMIT = Duration.ofMillis(500);
    private static final long PAUSE_MILLIS = 50;

    private final String self;
    private final Trust trust;
    private final Revival revival;
    private final Supplier<TopologyReply> topologies;
    private String told = "";

    /// @param topologies asks the logger
    TierView(String self, Trust trust, Revival revival, Supplier<TopologyReply> topologies) {
        this.self = self;
        this.trust = trust;
        this.revival = revival;
        this.topologies = topologies;
    }

    Revival.Step look() {
        TopologyReply reply;
        try {
            reply = topologies.get();
        } catch (RpcException | FailedException e) {
            return new Revival.Step.Wait(
                    "the logger does not tell the topology: " + e.getMessage());
        }
        Map<String, Sight> sights = new TreeMap<>();
        reply.topology().members().stream()
                .filter(m -> !m.name().equals(self))
                .forEach(m -> sights.put(m.name(), sight(m)));
        return revival.step(reply, sights, System.nanoTime() / 1_000_000);
    }

    /// Tells the reason once, not at each look.
    void pause(String reason) {
        if (!told.equals(reason)) {
            told = reason;
            LOG.info("{} waits: {}", self, reason);
        }
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuireException(ErrorCode.QUERY_INTERRUPTED, "interrupted", e);
        }
    }

    /// Why it waits still.
    String told() {
        return told;
    }

    private Sight sight(Member member) {
        try (RpcClient client =
                RpcClient.connect(
                        new InetSocketAddress(member.host(), member.port()), trust, ANSWER_LIMIT)) {
            byte[] request = new ReplicaRequest.Status(VersionVector.EMPTY).encode();
            return ReplicaReply.decode(client.callForEnd(request, ANSWER_LIMIT))
                            instanceof ReplicaReply.StatusReply(NodeStatus status)
                    ? status.name().equals(member.name())
                            ? Sight.of(status.state())
                            : Sight.ENDED // another process has its address by now
                    : Sight.SILENT;
        } catch (RpcException e) {
            return refused(e) ? Sight.ENDED : Sight.SILENT;
        }
    }

    private static boolean refused(RpcException e) {
        return e.getCause() instanceof ConnectException reason
                && String.valueOf(reason.getMessage()).startsWith("Connection refused");
    }
}
