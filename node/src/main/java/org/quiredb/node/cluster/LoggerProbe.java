package org.quiredb.node.cluster;

import java.time.Duration;
import java.util.Optional;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.trust.Trust;
import org.quiredb.node.config.HostPort;

/// What a logger tells of itself.
final class LoggerProbe {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private LoggerProbe() {}

    /// Empty when it does not answer.
    static Optional<NodeStatus> status(HostPort logger, Trust trust) {
        try (RpcClient client = RpcClient.connect(logger.unresolved(), trust, PATIENCE)) {
            LoggerReply reply =
                    LoggerReply.decode(
                            client.callForEnd(new LoggerRequest.Status().encode(), PATIENCE));
            return reply instanceof LoggerReply.StatusReply(NodeStatus status)
                    ? Optional.of(status)
                    : Optional.empty();
        } catch (RpcException e) {
            return Optional.empty();
        }
    }
}
