package org.quiredb.scheduler.cluster;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.common.message.SchedulerReply;
import org.quiredb.common.message.SchedulerRequest;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.topology.SchedulerMember;
import org.quiredb.common.trust.Trust;
import org.quiredb.common.wire.MangledMessageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks another scheduler who it is and how it does.
final class SchedulerProbe {
    private static final Logger LOG = LoggerFactory.getLogger(SchedulerProbe.class);
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private SchedulerProbe() {}

    /// It is not reachable when it does not answer soon, or another node has its address by now.
    static ClusterNode node(SchedulerMember member, Trust trust) {
        String address = member.host() + ":" + member.port();
        byte[] request = new SchedulerRequest.Status().encode();
        try (RpcClient client =
                RpcClient.connect(
                        new InetSocketAddress(member.host(), member.port()), trust, PATIENCE)) {
            if (SchedulerReply.decode(client.callForEnd(request, PATIENCE))
                            instanceof SchedulerReply.StatusReply(var status)
                    && status.name().equals(member.name())) {
                return new ClusterNode(address, true, status);
            }
        } catch (RpcException | MangledMessageException e) {
            LOG.debug("scheduler {} does not tell its status", member.name(), e);
        }
        return new ClusterNode(address, false, null);
    }
}
