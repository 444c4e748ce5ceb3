package org.quiredb.master;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.quiredb.common.group.Group;
import org.quiredb.common.lifecycle.Parts;
import org.quiredb.common.message.GroupMessage;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.rpc.RpcServer;
import org.quiredb.master.load.ColdLoad;
import org.quiredb.master.log.LoggerCalls;
import org.quiredb.replica.GroupMembership;
import org.quiredb.replica.NodeConfiguration;
import org.quiredb.replica.Sweeper;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.service.Engine;
import org.quiredb.replica.service.ReplicaService;
import org.quiredb.replica.transfer.Caller;

/// A running master of every class, which it takes over at an epoch of its own when it starts.
///
/// Threads: any; started and closed by its owner.
public final class MasterNode implements AutoCloseable {
    private static final long RECEIVE_WAIT_MILLIS = 1_000;
    private static final Duration LOGGER_SILENCE = Duration.ofMinutes(5);

    private final Parts parts = new Parts();
    private final PageStore store = new PageStore();
    private final Progress progress = new Progress();
    private final GroupMembership group = new GroupMembership();
    private final MasterService master;
    private final ReplicaService service;
    private final RpcServer server;

    private MasterNode(
            NodeConfiguration configuration,
            Function<PageStore, Engine> engines,
            GroupMembership.Entrance entrance,
            MasterService.Settings settings) {
        try {
            Caller logger = parts.add(new Caller(loggerOf(configuration), LOGGER_SILENCE));
            Engine engine = parts.add(engines.apply(store));
            parts.add(group);
            LoggerCalls log = new LoggerCalls(logger::call);
            master =
                    parts.add(
                            new MasterService(
                                    store,
                                    engine,
                                    progress,
                                    log,
                                    group::multicast,
                                    log.epoch() + 1,
                                    settings));
            service = service(configuration, engine, master);
            server =
                    parts.add(
                            RpcServer.start(
                                    new InetSocketAddress(
                                            configuration.host(), configuration.rpcPort()),
                                    service));
            service.listensOn(server.port());
            new ColdLoad(store, engine, progress, log, master.commits()).run();
            group.join(entrance, configuration.name(), new Listener());
            progress.enter(Progress.State.SERVING);
            parts.add(new Sweeper(store));
        } catch (RuntimeException | Error e) {
            parts.closeAfter(e);
            throw e;
        }
    }

    /// Returns when everything is loaded and the master serves. Meanwhile it tells its status.
    ///
    /// @throws RuntimeException when it cannot; nothing is left running
    public static MasterNode start(
            NodeConfiguration configuration,
            Function<PageStore, Engine> engines,
            GroupMembership.Entrance entrance,
            MasterService.Settings settings) {
        return new MasterNode(configuration, engines, entrance, settings);
    }

    public int rpcPort() {
        return server.port();
    }

    public MasterService service() {
        return master;
    }

    public NodeStatus status() {
        return service.status();
    }

    /// What was acknowledged is in the log already; what was not gets no answer.
    @Override
    public void close() {
        progress.stop("the node is being stopped");
        parts.close();
    }

    private ReplicaService service(
            NodeConfiguration configuration, Engine engine, MasterService updates) {
        return new ReplicaService(
                new ReplicaService.Identity(
                        configuration.name(), configuration.role().text(), RECEIVE_WAIT_MILLIS),
                store,
                engine,
                progress,
                Optional.of(updates),
                group::members);
    }

    private static InetSocketAddress loggerOf(NodeConfiguration configuration) {
        return configuration
                .logger()
                .orElseThrow(() ->
                        new IllegalArgumentException("a master needs the persistence logger"));
    }

    private final class Listener implements Group.Listener {
        @Override
        public void received(String from, byte[] message) {
            if (GroupMessage.decode(message) instanceof GroupMessage.Received received) {
                master.received(from, received);
            }
        }

        @Override
        public void membersChanged(List<String> members) {
            master.membersChanged(members);
        }
    }
}
