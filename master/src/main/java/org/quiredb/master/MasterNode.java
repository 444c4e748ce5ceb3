package org.quiredb.master;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.quiredb.common.group.Group;
import org.quiredb.common.message.GroupMessage;
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

    private final PageStore store = new PageStore();
    private final Progress progress = new Progress();
    private final GroupMembership group = new GroupMembership();
    private final Caller logger;
    private final MasterService master;
    private final RpcServer server;
    private final Sweeper sweeper;

    private MasterNode(
            NodeConfiguration configuration,
            Function<PageStore, Engine> engines,
            GroupMembership.Entrance entrance,
            MasterService.Settings settings,
            Caller logger) {
        this.logger = logger;
        Engine engine = engines.apply(store);
        LoggerCalls log = new LoggerCalls(logger::call);
        master =
                new MasterService(
                        store, engine, progress, log, group::multicast, log.epoch() + 1, settings);
        new ColdLoad(store, engine, progress, log, master.commits()).run();
        group.join(entrance, configuration.name(), new Listener());
        ReplicaService service =
                new ReplicaService(
                        new ReplicaService.Identity(
                                configuration.name(),
                                configuration.role().text(),
                                RECEIVE_WAIT_MILLIS),
                        store,
                        engine,
                        progress,
                        Optional.of(master),
                        group::members);
        progress.enter(Progress.State.SERVING);
        server =
                RpcServer.start(
                        new InetSocketAddress(configuration.host(), configuration.rpcPort()),
                        service);
        service.listensOn(server.port());
        sweeper = new Sweeper(store);
    }

    /// Returns when everything is loaded and the master serves.
    ///
    /// @throws RuntimeException when it cannot; the connection to the logger is closed then
    public static MasterNode start(
            NodeConfiguration configuration,
            Function<PageStore, Engine> engines,
            GroupMembership.Entrance entrance,
            MasterService.Settings settings) {
        InetSocketAddress address =
                configuration
                        .logger()
                        .orElseThrow(() ->
                                new IllegalArgumentException(
                                        "a master needs the persistence logger"));
        Caller logger = new Caller(address, LOGGER_SILENCE);
        try {
            return new MasterNode(configuration, engines, entrance, settings, logger);
        } catch (RuntimeException e) {
            logger.close();
            throw e;
        }
    }

    public int rpcPort() {
        return server.port();
    }

    public MasterService service() {
        return master;
    }

    @Override
    public void close() {
        progress.stop("the node is being stopped");
        server.close();
        master.close();
        group.close();
        logger.close();
        sweeper.close();
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
