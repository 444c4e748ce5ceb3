package org.quiredb.scheduler.cluster;

import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.rpc.RpcException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One logger as others see it, active or not.
///
/// Threads: any.
final class LoggerNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LoggerNode.class);
    private static final long TIMEOUT_MILLIS = 1_000;

    private final Wire wire;
    private volatile @Nullable NodeStatus status;

    LoggerNode(Wire wire) {
        this.wire = wire;
    }

    /// It is not reachable when it does not answer soon.
    ClusterNode node() {
        try {
            AwaitedCall caller = new AwaitedCall(PartSink.NONE);
            caller.began(wire.call(new LoggerRequest.Status().encode(), caller));
            LoggerReply reply = LoggerReply.decode(caller.await(TIMEOUT_MILLIS));
            if (reply instanceof LoggerReply.StatusReply(NodeStatus now)) {
                status = now;
                return new ClusterNode(wire.address(), true, now);
            }
        } catch (RpcException e) {
            LOG.debug("the logger does not tell its status", e);
        }
        return new ClusterNode(wire.address(), false, status);
    }

    @Override
    public void close() {
        wire.close();
    }
}
