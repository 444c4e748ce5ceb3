package org.quiredb.scheduler;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.SchedulerReply;
import org.quiredb.common.message.SchedulerRequest;
import org.quiredb.common.rpc.RpcHandler;
import org.quiredb.common.rpc.RpcPeer;
import org.quiredb.common.rpc.RpcReply;
import org.quiredb.common.wire.MangledMessageException;
import org.quiredb.scheduler.route.Tags;
import org.quiredb.scheduler.session.Clients;

/// Answers whoever looks at the tier from outside, and the other schedulers.
///
/// Threads: any.
final class StatusPort implements RpcHandler {
    private static final Duration LEASE = Duration.ofMinutes(30);
    private static final int MAXIMUM_PINS = 16;
    private static final String FOR_HOLDERS =
            "this is for holders of the cluster's secret only: name it by --secret-file";

    private final Supplier<List<ClusterNode>> nodes;
    private final Supplier<NodeStatus> own;
    private final Function<SchedulerRequest.Announce, SchedulerReply> companions;
    private final Clients clients;
    private final BooleanSupplier accounts;
    private final Pins pins;

    StatusPort(
            Supplier<List<ClusterNode>> nodes,
            Supplier<NodeStatus> own,
            Supplier<Tags.Use> pin,
            Function<SchedulerRequest.Announce, SchedulerReply> companions,
            Clients clients,
            BooleanSupplier accounts) {
        this.nodes = nodes;
        this.own = own;
        this.companions = companions;
        this.clients = clients;
        this.accounts = accounts;
        this.pins = new Pins(pin, MAXIMUM_PINS, LEASE);
    }

    @Override
    public void handle(RpcPeer peer, byte[] request, RpcReply reply) {
        SchedulerReply answer;
        try {
            SchedulerRequest asked = SchedulerRequest.decode(request);
            answer =
                    peer.trusted() || onlyLooks(asked)
                            ? answer(peer, asked)
                            : new SchedulerReply.Failed(FOR_HOLDERS);
        } catch (MangledMessageException | QuireException e) {
            answer = new SchedulerReply.Failed(String.valueOf(e.getMessage()));
        }
        reply.end(answer.encode());
    }

    /// Anybody may look at the tier: nothing of what it tells is secret.
    @Override
    public boolean admitsStrangers() {
        return true;
    }

    private static boolean onlyLooks(SchedulerRequest request) {
        return switch (request) {
            case SchedulerRequest.Status(), SchedulerRequest.Cluster() -> true;
            case SchedulerRequest.Pin(),
                    SchedulerRequest.Unpin(_),
                    SchedulerRequest.Announce _,
                    SchedulerRequest.Kill _,
                    SchedulerRequest.Processes _,
                    SchedulerRequest.Accounts() ->
                    false;
        };
    }

    @Override
    public void disconnected(RpcPeer peer) {
        pins.releaseAll(peer.id());
    }

    private SchedulerReply answer(RpcPeer peer, SchedulerRequest request) {
        return switch (request) {
            case SchedulerRequest.Status() -> new SchedulerReply.StatusReply(own.get());
            case SchedulerRequest.Cluster() -> new SchedulerReply.ClusterReply(nodes.get());
            case SchedulerRequest.Pin() -> {
                Pins.Lease lease = pins.take(peer.id());
                yield new SchedulerReply.Pinned(lease.id(), lease.tag(), LEASE.toMillis());
            }
            case SchedulerRequest.Unpin(long pin) -> {
                pins.release(peer.id(), pin);
                yield new SchedulerReply.Done();
            }
            case SchedulerRequest.Announce announce -> companions.apply(announce);
            case SchedulerRequest.Kill kill -> clients.killed(kill);
            case SchedulerRequest.Processes(String user) ->
                    new SchedulerReply.Processes(clients.of(user));
            case SchedulerRequest.Accounts() ->
                    accounts.getAsBoolean()
                            ? new SchedulerReply.Done()
                            : new SchedulerReply.Failed("the accounts could not be read");
        };
    }
}
