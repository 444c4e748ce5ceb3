package org.quiredb.node.cluster;

import java.time.Duration;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.node.config.HostPort;

/// Whether a logger answers.
final class LoggerProbe {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private LoggerProbe() {}

    static boolean serves(HostPort logger) {
        try (RpcClient client = RpcClient.connect(logger.unresolved(), PATIENCE)) {
            LoggerReply reply =
                    LoggerReply.decode(
                            client.callForEnd(new LoggerRequest.Status().encode(), PATIENCE));
            return reply instanceof LoggerReply.StatusReply;
        } catch (RpcException e) {
            return false;
        }
    }
}
