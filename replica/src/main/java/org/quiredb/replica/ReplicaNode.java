package org.quiredb.replica;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.quiredb.common.group.Group;
import org.quiredb.common.lifecycle.Parts;
import org.quiredb.common.message.GroupMessage;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.rpc.RpcServer;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.intake.StreamIntake;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.service.Engine;
import org.quiredb.replica.service.ReplicaService;
import org.quiredb.replica.transfer.Caller;
import org.quiredb.replica.transfer.Joiner;

/// A running slave or spare.
///
/// Threads: any; started and closed by its owner.
public final class ReplicaNode implements AutoCloseable {
    private static final int QUEUE_MESSAGES = 16_384;
    private static final long RECEIVE_WAIT_MILLIS = 1_000;
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(60);

    private final Parts parts = new Parts();
    private final PageStore store = new PageStore();
    private final Progress progress = new Progress();
    private final GroupMembership group = new GroupMembership();
    private final Engine engine;
    private final StreamIntake intake;
    private final ReplicaService service;
    private final RpcServer server;

    private ReplicaNode(NodeConfiguration configuration, Function<PageStore, Engine> engines) {
        try {
            engine = parts.add(engines.apply(store));
            service =
                    new ReplicaService(
                            new ReplicaService.Identity(
                                    configuration.name(),
                                    configuration.role().text(),
                                    RECEIVE_WAIT_MILLIS),
                            store,
                            engine,
                            progress,
                            Optional.empty(),
                            group::members);
            server =
                    parts.add(
                            RpcServer.start(
                                    new InetSocketAddress(
                                            configuration.host(), configuration.rpcPort()),
                                    service));
            service.listensOn(server.port());
            parts.add(new Sweeper(store));
            intake =
                    parts.add(
                            new StreamIntake(store, engine, progress, group::send, QUEUE_MESSAGES));
            parts.add(group);
        } catch (RuntimeException | Error e) {
            parts.closeAfter(e);
            throw e;
        }
    }

    /// Returns when the replica is in sync and serves.
    ///
    /// @throws RuntimeException when it cannot join; nothing is left running
    public static ReplicaNode start(
            NodeConfiguration configuration,
            Function<PageStore, Engine> engines,
            GroupMembership.Entrance entrance) {
        ReplicaNode node = new ReplicaNode(configuration, engines);
        try {
            node.join(configuration, entrance);
            return node;
        } catch (RuntimeException e) {
            node.close();
            throw e;
        }
    }

    public int rpcPort() {
        return server.port();
    }

    public Progress progress() {
        return progress;
    }

    public NodeStatus status() {
        return service.status();
    }

    @Override
    public void close() {
        progress.stop("the node is being stopped");
        parts.close();
    }

    private void join(NodeConfiguration configuration, GroupMembership.Entrance entrance) {
        group.join(entrance, configuration.name(), new Listener());
        InetSocketAddress masterAddress =
                configuration
                        .master()
                        .orElseThrow(() ->
                                new IllegalArgumentException("a replica joins at its master"));
        try (Caller master = new Caller(masterAddress, JOIN_LIMIT);
                Caller support =
                        new Caller(configuration.support().orElse(masterAddress), JOIN_LIMIT)) {
            new Joiner(configuration.name(), store, engine, progress, intake)
                    .join(master::call, support::call, System.nanoTime() + JOIN_LIMIT.toNanos());
        }
    }

    private final class Listener implements Group.Listener {
        @Override
        public void received(String from, byte[] message) {
            switch (GroupMessage.decode(message)) {
                case GroupMessage.WriteSets writeSets -> intake.arrived(from, writeSets);
                case GroupMessage.Received acknowledgement -> {}
            }
        }

        @Override
        public void membersChanged(java.util.List<String> members) {}
    }
}
