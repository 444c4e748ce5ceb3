package org.quiredb.common.rpc;

import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroup;
import java.util.concurrent.atomic.AtomicLong;
import org.quiredb.common.lifecycle.Trouble;
import org.quiredb.common.trust.Anteroom;
import org.quiredb.common.trust.ClusterSecret;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the connections to one server that has a secret share while they come in.
///
/// Threads: any.
///
/// @param connections all of them, so that they can be closed
/// @param unproved those that have shown nothing yet
/// @param strangers those without the secret that are served, where any are
record Entrance(
        ClusterSecret secret,
        RpcHandler handler,
        ChannelGroup connections,
        AtomicLong peers,
        Anteroom unproved,
        Anteroom strangers,
        Trouble refusals) {
    static final String WHY_NOT =
            "this port serves holders of the cluster's secret only: name it by cluster.secretFile or --secret-file";

    private static final Logger LOG = LoggerFactory.getLogger(Entrance.class);

    Entrance(ClusterSecret secret, RpcHandler handler, ChannelGroup connections, AtomicLong peers) {
        this(secret, handler, connections, peers, new Anteroom(), new Anteroom(), new Trouble());
    }

    boolean admitsStrangers() {
        return handler.admitsStrangers();
    }

    ServerConnection connection(boolean trusted) {
        return new ServerConnection(handler, connections, peers.incrementAndGet(), trusted);
    }

    /// A line at first and once a minute, however many there are.
    void refused(Channel channel, String reason) {
        if (refusals.met()) {
            LOG.warn(
                    "refused a connection of {} to a port of the tier: {}",
                    channel.remoteAddress(),
                    reason);
        } else {
            LOG.debug("refused {}: {}", channel.remoteAddress(), reason);
        }
    }
}
