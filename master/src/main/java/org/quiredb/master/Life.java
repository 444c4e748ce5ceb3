package org.quiredb.master;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.group.Group;
import org.quiredb.common.lifecycle.Parts;
import org.quiredb.common.logger.LoggerCaller;
import org.quiredb.common.message.ClassPosition;
import org.quiredb.common.message.GroupMessage;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.rpc.RpcServer;
import org.quiredb.common.topology.Decision;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Standing;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.master.load.ColdLoad;
import org.quiredb.master.log.LoggerCalls;
import org.quiredb.master.role.RoleKeeper;
import org.quiredb.replica.Checkpointer;
import org.quiredb.replica.GroupMembership;
import org.quiredb.replica.NodeConfiguration;
import org.quiredb.replica.Sweeper;
import org.quiredb.replica.file.PageFile;
import org.quiredb.replica.intake.Intake;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.intake.StreamIntake;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.service.Engine;
import org.quiredb.replica.service.ReplicaService;
import org.quiredb.replica.transfer.Callers;
import org.quiredb.replica.transfer.Joiner;
import org.quiredb.replica.transfer.TransferSource;
import org.quiredb.replica.warm.PageHints;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One life of a replica: from an empty store to the moment at which the tier goes on without it.
/// Its role changes while it lives.
///
/// Threads: any; begun and ended by its owner.
final class Life implements AutoCloseable, RoleKeeper.Replica, StreamIntake.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Life.class);
    private static final int QUEUE_MESSAGES = 16_384;
    private static final long RECEIVE_WAIT_MILLIS = 1_000;
    private static final Duration LOADING_LIMIT = Duration.ofMinutes(5);
    private static final Duration TOPOLOGY_LIMIT = Duration.ofSeconds(5);
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(60);

    /// Of a member that one that joins has asked something.
    private static final Duration SILENCE_LIMIT = Duration.ofSeconds(10);

    private static final Duration ADMISSION_LIMIT = Duration.ofSeconds(2);

    private final NodeConfiguration configuration;
    private final Consumer<String> onEnd;
    private final Parts parts = new Parts();
    private final PageStore store;
    private final Progress progress;
    private final GroupMembership group = new GroupMembership();
    private final Engine engine;
    private final StreamIntake intake;
    private final LoggerCalls log;
    private final LoggerCalls topologies;
    private final ReplicaService service;
    private final RpcServer server;
    private final RoleKeeper keeper;
    private final MasterService master;
    private final Accession accession;
    private final HandingOn handingOn;
    private final AtomicBoolean ended = new AtomicBoolean();

    private Life(
            NodeConfiguration configuration,
            int rpcPort,
            Function<PageStore, Engine> engines,
            MasterService.Settings settings,
            Consumer<String> onEnd) {
        this.configuration = configuration;
        this.onEnd = onEnd;
        progress = new Progress(configuration.classes(), settings.commits().durability().text());
        store = configuration.storage().map(this::onDisk).orElseGet(PageStore::new);
        engine = parts.add(engines.apply(store));
        configuration
                .storage()
                .ifPresent(s -> parts.add(new Checkpointer(store, progress, s.checkpointMillis())));
        log =
                new LoggerCalls(
                        parts.add(new LoggerCaller(configuration.loggers(), LOADING_LIMIT))::call);
        topologies =
                new LoggerCalls(
                        parts.add(new LoggerCaller(configuration.loggers(), TOPOLOGY_LIMIT))::call);
        intake =
                parts.add(
                        new StreamIntake(
                                configuration.name(),
                                store,
                                engine,
                                progress,
                                group::send,
                                this,
                                QUEUE_MESSAGES));
        parts.add(group);
        master =
                parts.add(
                        new MasterService(
                                store,
                                engine,
                                progress,
                                log,
                                group::multicast,
                                configuration.name(),
                                this::admit,
                                settings));
        accession =
                new Accession(
                        store,
                        engine,
                        progress,
                        intake.recent(),
                        master.commits(),
                        group::multicast,
                        master::finishSchemaChange,
                        this::end);
        keeper =
                parts.add(
                        new RoleKeeper(
                                progress,
                                intake,
                                group,
                                topologies,
                                master.commits(),
                                this,
                                settings.lagMillis()));
        handingOn =
                parts.add(
                        new HandingOn(
                                configuration.name(),
                                progress,
                                master,
                                c -> Optional.ofNullable(configuration.masters().get(c)),
                                keeper::handOn));
        service =
                new ReplicaService(
                        new ReplicaService.Identity(
                                configuration.name(),
                                this::role,
                                RECEIVE_WAIT_MILLIS,
                                configuration.versions(),
                                configuration.warmup()),
                        store,
                        engine,
                        progress,
                        new TransferSource(
                                store, engine, progress, configuration.transferBytesPerSecond()),
                        parts.add(
                                new PageHints(
                                        configuration.name(),
                                        configuration.warmup(),
                                        store,
                                        progress::topology)),
                        () -> Optional.of(master),
                        group::members);
        parts.add(
                new Sweeper(
                        store,
                        progress::readable,
                        configuration.versions(),
                        service::expireSilent));
        try {
            server =
                    parts.add(
                            RpcServer.start(
                                    new InetSocketAddress(configuration.host(), rpcPort), service));
        } catch (RuntimeException e) {
            parts.closeAfter(e);
            throw e;
        }
        service.listensOn(server.port());
    }

    /// Returns when the replica serves.
    ///
    /// @param onEnd told when the tier goes on without it; the life is still to be closed then
    /// @throws RuntimeException when it cannot serve; nothing is left running
    static Life begin(
            NodeConfiguration configuration,
            int rpcPort,
            Function<PageStore, Engine> engines,
            GroupMembership.Entrance entrance,
            MasterService.Settings settings,
            Consumer<String> onEnd) {
        Life life = new Life(configuration, rpcPort, engines, settings, onEnd);
        try {
            life.begin(entrance);
            return life;
        } catch (RuntimeException e) {
            life.close();
            throw e;
        }
    }

    private PageStore onDisk(NodeConfiguration.Storage storage) {
        PageFile file = parts.add(PageFile.in(storage.folder(), storage.poolBytes()));
        file.onFailure(this::end);
        return new PageStore(file, storage.poolBytes());
    }

    int rpcPort() {
        return server.port();
    }

    NodeStatus status() {
        return service.status();
    }

    private void begin(GroupMembership.Entrance entrance) {
        Beginning beginning =
                new Beginning(
                        configuration.name(),
                        configuration.role() == NodeConfiguration.Role.MASTER,
                        topologies::topology);
        switch (beginning.await(System.nanoTime() + LOADING_LIMIT.toNanos())) {
            case Beginning.Way.Load(Topology before) -> load(entrance, before);
            case Beginning.Way.Join(Topology now) -> join(entrance, now);
        }
    }

    private Member self() {
        return new Member(
                configuration.name(),
                configuration.host(),
                server.port(),
                configuration.role() == NodeConfiguration.Role.SPARE);
    }

    /// Takes the tier over from nobody.
    private void load(GroupMembership.Entrance entrance, Topology before) {
        Topology first = before.begunBy(self());
        Topology inForce = topologies.change(first, List.of()).topology();
        if (!inForce.equals(first)) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "epoch "
                            + inForce.epoch()
                            + " belongs to "
                            + inForce.leader().master()
                            + " already");
        }
        progress.enter(first);
        master.commits().inForce(first);
        new ColdLoad(store, engine, progress, log, master.commits()).run();
        group.join(entrance, configuration.name(), new Listener());
        intake.open(Map.of());
        keeper.start(configuration.name(), first);
        master.commits().serve(ConflictClass.NONE);
        progress.enter(Progress.State.SERVING);
    }

    private void join(GroupMembership.Entrance entrance, Topology now) {
        progress.enter(now);
        group.join(entrance, configuration.name(), new Listener());
        try (Callers callers = new Callers(SILENCE_LIMIT)) {
            new Joiner(
                            self(),
                            store,
                            engine,
                            progress,
                            intake,
                            configuration.versions().maximumBytes())
                    .join(
                            now,
                            topologies::topology,
                            member -> callers.to(address(member))::call,
                            configuration.support().map(address -> callers.to(address)::call),
                            JOIN_LIMIT);
        }
        progress.enter(topologies.topology());
        keeper.start(configuration.name(), progress.topology());
        progress.enter(Progress.State.SERVING);
        LOG.info("{} serves as {}", configuration.name(), role());
    }

    private static InetSocketAddress address(Member member) {
        return new InetSocketAddress(member.host(), member.port());
    }

    /// As leader.
    private boolean admit(Member member, long epoch) {
        keeper.enters(member, epoch);
        long deadlineNanos = System.nanoTime() + ADMISSION_LIMIT.toNanos();
        return progress.awaitTopology(t -> t.epoch() > epoch, deadlineNanos)
                && progress.topology().contains(member.name());
    }

    @Override
    public void lead(Decision.TakeOver takeOver, List<ClassPosition> logEnds) {
        boolean leads =
                progress.topology().leads(configuration.name())
                        && master.commits().served(ConflictClass.NONE).isEmpty();
        accession.takeOver(takeOver, logEnds, leads);
    }

    @Override
    public void receive(Set<ConflictClass> classes) {
        accession.receive(classes);
    }

    @Override
    public void settled(Topology topology) {
        handingOn.consider(topology);
    }

    private String role() {
        if (!master.commits().masterOf().isEmpty()) {
            return NodeConfiguration.Role.MASTER.text();
        }
        boolean spare =
                progress.topology().member(configuration.name()).orElseGet(this::self).spare();
        return (spare ? NodeConfiguration.Role.SPARE : NodeConfiguration.Role.SLAVE).text();
    }

    @Override
    public void standing(Standing standing) {
        // Comes back to this replica too.
        group.multicast(new GroupMessage.Stands(standing).encode());
    }

    @Override
    public void changed(Topology topology) {
        keeper.changed(topology);
    }

    @Override
    public void broken(String reason) {
        end(reason);
    }

    @Override
    public void end(String reason) {
        if (!ended.getAndSet(true)) {
            progress.stop(reason);
            onEnd.accept(reason);
        }
    }

    void kill() {
        keeper.close();
        group.vanish();
        shut();
    }

    /// Takes its leave: the log gets what it lacks of what was acknowledged.
    @Override
    public void close() {
        if (!ended.get()) {
            master.commits().retire();
        }
        shut();
    }

    private void shut() {
        ended.set(true);
        progress.stop("the node is being stopped");
        parts.close();
    }

    private final class Listener implements Group.Listener {
        @Override
        public void received(String from, byte[] message) {
            switch (GroupMessage.decode(message)) {
                case GroupMessage.WriteSets(List<byte[]> writeSets) -> {
                    if (!from.equals(configuration.name())) {
                        intake.offer(new Intake.Arrival.Stream(from, writeSets));
                    }
                }
                case GroupMessage.HandedOver(List<byte[]> writeSets) ->
                        intake.offer(new Intake.Arrival.HandedOver(writeSets));
                case GroupMessage.Changed(Topology topology) ->
                        intake.offer(new Intake.Arrival.Changed(topology));
                case GroupMessage.Stands(Standing standing) -> keeper.stands(standing);
                case GroupMessage.Received received -> master.received(from, received);
            }
        }

        @Override
        public void membersChanged(List<String> members) {
            keeper.present(new ArrayList<>(members));
        }
    }
}
