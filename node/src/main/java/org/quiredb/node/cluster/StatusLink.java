package org.quiredb.node.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.SchedulerReply;
import org.quiredb.common.message.SchedulerRequest;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.trust.Trust;
import org.quiredb.common.version.VersionVector;
import org.quiredb.node.config.HostPort;
import org.quiredb.replica.transfer.PeerConnection;

/// Asks a replica or a scheduler for its status, over one connection that is made anew when it is
/// lost.
///
/// Threads: any.
final class StatusLink implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final HostPort address;
    private final PeerConnection caller;
    private final byte[] question;
    private final Function<byte[], @Nullable NodeStatus> answer;

    private StatusLink(
            HostPort address,
            Trust trust,
            byte[] question,
            Function<byte[], @Nullable NodeStatus> answer) {
        this.address = address;
        this.question = question;
        this.answer = answer;
        caller = new PeerConnection(address.unresolved(), trust, PATIENCE);
    }

    static StatusLink toReplica(HostPort address, Trust trust) {
        return new StatusLink(
                address,
                trust,
                new ReplicaRequest.Status(VersionVector.EMPTY).encode(),
                reply ->
                        ReplicaReply.decode(reply)
                                        instanceof ReplicaReply.StatusReply(NodeStatus status)
                                ? status
                                : null);
    }

    static StatusLink toScheduler(HostPort address, Trust trust) {
        return new StatusLink(
                address,
                trust,
                new SchedulerRequest.Status().encode(),
                reply ->
                        SchedulerReply.decode(reply)
                                        instanceof SchedulerReply.StatusReply(NodeStatus status)
                                ? status
                                : null);
    }

    HostPort address() {
        return address;
    }

    /// Empty when there is no answer.
    Optional<NodeStatus> status() {
        try {
            return Optional.ofNullable(answer.apply(caller.call(question, part -> {})));
        } catch (RpcException e) {
            return Optional.empty();
        }
    }

    NodeStatus required() {
        return status().orElseThrow(() ->
                new QuireException(
                        ErrorCode.TIER_UNAVAILABLE, "nobody tells a status at " + address));
    }

    boolean serving() {
        return status().filter(status -> status.state().equals("serving")).isPresent();
    }

    @Override
    public void close() {
        caller.close();
    }
}
