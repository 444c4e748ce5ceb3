package org.quiredb.node.status;

import java.io.EOFException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.common.message.SchedulerReply;
import org.quiredb.common.message.SchedulerRequest;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.trust.Trust;
import org.quiredb.common.trust.UntrustedException;
import org.quiredb.common.wire.MangledMessageException;

/// A connection to a scheduler's status port.
///
/// Threads: any.
public final class StatusClient implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private final RpcClient client;
    private final String address;
    private final Trust trust;

    private StatusClient(RpcClient client, String address, Trust trust) {
        this.trust = trust;
        this.client = client;
        this.address = address;
    }

    /// To one on loopback, or to only look.
    ///
    /// @throws QuireException when no tier answers there
    public static StatusClient connect(String host, int port) {
        return connect(host, port, Trust.loopback());
    }

    /// @throws QuireException when no tier answers there
    public static StatusClient connect(String host, int port, Trust trust) {
        String address = host + ":" + port;
        try {
            return new StatusClient(
                    RpcClient.connect(new InetSocketAddress(host, port), trust, CONNECT_TIMEOUT),
                    address,
                    trust);
        } catch (RpcException e) {
            throw nobody(address, e);
        }
    }

    /// Whom to believe of the nodes that it names.
    public Trust trust() {
        return trust;
    }

    /// Every node that the scheduler knows, itself first.
    public List<ClusterNode> cluster() {
        if (ask(new SchedulerRequest.Cluster())
                instanceof SchedulerReply.ClusterReply(List<ClusterNode> nodes)) {
            return nodes.stream().map(this::addressed).toList();
        }
        throw nobody(address, new RpcException("the answer is to another question"));
    }

    /// Keeps the current tag readable until unpinned, or until this connection ends.
    public SchedulerReply.Pinned pin() {
        if (ask(new SchedulerRequest.Pin()) instanceof SchedulerReply.Pinned pinned) {
            return pinned;
        }
        throw nobody(address, new RpcException("the answer is to another question"));
    }

    public void unpin(SchedulerReply.Pinned pinned) {
        ask(new SchedulerRequest.Unpin(pinned.pin()));
    }

    /// The scheduler does not know by which address it was asked.
    private ClusterNode addressed(ClusterNode node) {
        return node.address().isEmpty()
                ? new ClusterNode(address, node.reachable(), node.status())
                : node;
    }

    private SchedulerReply ask(SchedulerRequest request) {
        SchedulerReply reply;
        try {
            reply = SchedulerReply.decode(client.callForEnd(request.encode(), PATIENCE));
        } catch (RpcException | MangledMessageException e) {
            throw nobody(address, e);
        }
        if (reply instanceof SchedulerReply.Failed(String message)) {
            throw new QuireException(ErrorCode.TIER_UNAVAILABLE, message);
        }
        return reply;
    }

    private static QuireException nobody(String address, Exception cause) {
        return new QuireException(
                ErrorCode.TIER_UNAVAILABLE,
                cause.getCause() instanceof UntrustedException
                                || cause.getCause() instanceof EOFException
                        ? String.valueOf(cause.getMessage())
                        : "no tier answers at "
                                + address
                                + ": is it running, and is this a scheduler's status port?",
                cause);
    }

    @Override
    public void close() {
        client.close();
    }
}
