package org.quiredb.scheduler;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.rpc.RpcPeer;
import org.quiredb.common.rpc.RpcReply;
import org.quiredb.common.rpc.RpcServer;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.topology.Topology;

/// A logger that keeps to the contract, over a real connection, without a backend: everything is
/// applied, and no replica is in the topology.
final class StandInLogger implements AutoCloseable {
    private final RpcServer server;
    private Schedulers schedulers = Schedulers.NOBODY;

    StandInLogger() {
        server =
                RpcServer.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), this::handle);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
    }

    private void handle(RpcPeer peer, byte[] request, RpcReply reply) {
        reply.end(answer(LoggerRequest.decode(request)).encode());
    }

    private synchronized LoggerReply answer(LoggerRequest request) {
        return switch (request) {
            case LoggerRequest.ReadSchedulers() -> new LoggerReply.SchedulersReply(schedulers);
            case LoggerRequest.ChangeSchedulers(Schedulers next) -> {
                if (next.epoch() == schedulers.epoch() + 1) {
                    schedulers = next;
                }
                yield new LoggerReply.SchedulersReply(schedulers);
            }
            case LoggerRequest.ReadTopology _ ->
                    new LoggerReply.TopologyReply(Topology.vacant(1), List.of());
            default -> new LoggerReply.Position(0);
        };
    }

    @Override
    public void close() {
        server.close();
    }
}
