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
import java.util.function.Supplier;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.group.Group;
import org.quiredb.common.lifecycle.Parts;
import org.quiredb.common.logger.LoggerConnection;
import org.quiredb.common.message.GroupMessage;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.rpc.RpcServer;
import org.quiredb.common.topology.Decision;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Standing;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.master.commit.Durability;
import org.quiredb.master.load.ColdLoad;
import org.quiredb.master.log.Absence;
import org.quiredb.master.log.RemoteQueryLog;
import org.quiredb.master.role.Accession;
import org.quiredb.master.role.Remainder;
import org.quiredb.master.role.Revival;
import org.quiredb.master.role.RoleKeeper;
import org.quiredb.master.role.Wishes;
import org.quiredb.replica.Checkpointer;
import org.quiredb.replica.GroupMembership;
import org.quiredb.replica.NodeConfiguration;
import org.quiredb.replica.Sweeper;
import org.quiredb.replica.engine.Engine;
import org.quiredb.replica.file.PageFile;
import org.quiredb.replica.intake.Intake;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.intake.StreamIntake;
import org.quiredb.replica.page.Checkpoints;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.service.ReplicaService;
import org.quiredb.replica.transfer.Joiner;
import org.quiredb.replica.transfer.Joining;
import org.quiredb.replica.transfer.PeerConnections;
import org.quiredb.replica.transfer.TransferSource;
import org.quiredb.replica.transfer.TransferTarget;
import org.quiredb.replica.warm.PageHints;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One life of a replica: from an empty store to the moment at which the tier goes on without it.
/// Its role changes while it lives.
///
/// Threads: any; begun and ended by its owner.
final class ReplicaLife implements AutoCloseable, RoleKeeper.Replica, StreamIntake.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaLife.class);
    private static final int QUEUE_MESSAGES = 16_384;
    private static final long RECEIVE_WAIT_MILLIS = 1_000;
    private static final Duration LOADING_LIMIT = Duration.ofMinutes(5);
    private static final Duration TOPOLOGY_LIMIT = Duration.ofSeconds(5);

    /// Of a member that one that joins has asked something.
    private static final Duration SILENCE_LIMIT = Duration.ofSeconds(10);

    private final NodeConfiguration configuration;
    private final Durability durability;
    private final Consumer<String> onEnd;
    private final Parts parts = new Parts();
    private final PageStore store;
    private final Progress progress;
    private final GroupMembership group = new GroupMembership();
    private final Engine engine;
    private final StreamIntake intake;
    private final RemoteQueryLog log;
    private final RemoteQueryLog topologies;
    private final ReplicaService service;
    private final RpcServer server;
    private final RoleKeeper keeper;
    private final MasterService master;
    private final Accession accession;
    private final HandingOn handingOn;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();

    private ReplicaLife(
            NodeConfiguration configuration,
            int rpcPort,
            Function<PageStore, Engine> engines,
            MasterService.Settings settings,
            Consumer<String> onEnd) {
        this.configuration = configuration;
        this.durability = settings.commits().durability();
        this.onEnd = onEnd;
        progress = new Progress(configuration.classes(), durability.text());
        store = configuration.storage().map(this::onDisk).orElseGet(PageStore::new);
        engine = parts.add(engines.apply(store));
        configuration
                .storage()
                .ifPresent(s -> parts.add(new Checkpointer(store, progress, s.checkpointMillis())));
        log =
                new RemoteQueryLog(
                        parts.add(
                                new LoggerConnection(
                                        configuration.loggers(),
                                        configuration.trust(),
                                        LOADING_LIMIT)),
                        new Absence("requests to the log", closed::get));
        topologies =
                new RemoteQueryLog(
                        parts.add(
                                new LoggerConnection(
                                        configuration.loggers(),
                                        configuration.trust(),
                                        TOPOLOGY_LIMIT)),
                        new Absence("look-ups of the topology", closed::get));
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
                                () -> Math.max(log.awaySeconds(), topologies.awaySeconds()),
                                group::multicast,
                                configuration.name(),
                                new Joiners(),
                                settings));
        accession =
                new Accession(
                        configuration.name(),
                        store,
                        engine,
                        progress,
                        intake.recent(),
                        master.commits().mastery(),
                        group::multicast,
                        this::whenSettled,
                        master::finishSchemaChange);
        keeper =
                parts.add(
                        new RoleKeeper(
                                progress,
                                intake,
                                group,
                                topologies,
                                master.commits().mastery(),
                                this,
                                settings.lagMillis()));
        handingOn =
                parts.add(
                        new HandingOn(
                                master,
                                new Wishes(
                                        configuration.name(),
                                        progress,
                                        master.commits().mastery(),
                                        settings.lagMillis(),
                                        Wishes.STEADY_MILLIS,
                                        c -> Optional.ofNullable(configuration.masters().get(c))),
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
                                        configuration.trust(),
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
                                    new InetSocketAddress(configuration.host(), rpcPort),
                                    configuration.trust(),
                                    service));
        } catch (RuntimeException e) {
            parts.closeAfter(e);
            throw e;
        }
        service.listensOn(server.port());
    }

    /// Returns when the replica serves.
    ///
    /// @param born told of the life when it begins, which may be closed from then on
    /// @param patience how long it waits for a tier that it can begin or join
    /// @param onEnd told when the tier goes on without it; the life is still to be closed then
    /// @throws RuntimeException when it cannot serve; nothing is left running
    static ReplicaLife begin(
            NodeConfiguration configuration,
            int rpcPort,
            Function<PageStore, Engine> engines,
            GroupMembership.Entrance entrance,
            MasterService.Settings settings,
            Duration patience,
            Consumer<ReplicaLife> born,
            Consumer<String> onEnd) {
        ReplicaLife life = new ReplicaLife(configuration, rpcPort, engines, settings, onEnd);
        born.accept(life);
        try {
            life.begin(entrance, patience);
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

    private void begin(GroupMembership.Entrance entrance, Duration patience) {
        Revival revival =
                new Revival(
                        self(),
                        progress,
                        configuration.role().patienceMillis(),
                        durability == Durability.REPLICATED);
        TierView outlook =
                new TierView(
                        configuration.name(),
                        configuration.trust(),
                        revival,
                        () -> topologies.inForce(false));
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        while (System.nanoTime() < deadlineNanos && !closed.get()) {
            switch (outlook.look()) {
                case Revival.Step.Wait(String reason) -> outlook.pause(reason);
                case Revival.Step.Claim(Topology first) -> {
                    Topology inForce = topologies.change(first, List.of()).topology();
                    if (revival.claimed(first, inForce)) {
                        load(entrance, first);
                        return;
                    }
                }
                case Revival.Step.Join(Topology began) -> {
                    join(entrance, began);
                    return;
                }
            }
        }
        throw new QuireException(
                ErrorCode.TIER_UNAVAILABLE,
                "%s finds no master that serves: %s; see quire status"
                        .formatted(configuration.name(), outlook.told()));
    }

    private Member self() {
        return new Member(
                configuration.name(),
                configuration.host(),
                server.port(),
                configuration.role() == NodeConfiguration.Role.SPARE);
    }

    /// Takes the tier over from nobody.
    private void load(GroupMembership.Entrance entrance, Topology first) {
        master.commits().mastery().inForce(first);
        new ColdLoad(
                        store,
                        engine,
                        progress,
                        master.commits().mastery(),
                        c -> log.open(c, progress.term(c)))
                .run(parts -> log.stream(new LoggerRequest.Snapshot(), parts));
        group.join(entrance, configuration.name(), new Listener());
        intake.open(Map.of());
        keeper.start(configuration.name(), first);
        service.schedulersAt(untilAnswered(log::schedulersEpoch));
        master.commits().mastery().serve(ConflictClass.NONE);
        progress.enter(Progress.State.SERVING);
    }

    private void join(GroupMembership.Entrance entrance, Topology began) {
        progress.enter(Progress.State.JOINING);
        Checkpoints.Restored own = store.checkpoints().restore(); // before anything comes
        group.join(entrance, configuration.name(), new Listener());
        Joining joining =
                new Joining(
                        self(),
                        began,
                        configuration.support().stream().map(ReplicaLife::unnamed).toList(),
                        progress,
                        new TransferTarget(
                                store,
                                engine,
                                progress,
                                own,
                                configuration.versions().maximumBytes(),
                                intake::open),
                        group::hasMissed,
                        intake::offer,
                        intake::forgetParts);
        try (PeerConnections callers = new PeerConnections(configuration.trust(), SILENCE_LIMIT)) {
            new Joiner(joining, () -> untilAnswered(topologies::topology), callers).join();
        }
        progress.enter(untilAnswered(topologies::topology));
        keeper.start(configuration.name(), progress.topology());
        // Whoever goes on without another scheduler tells the members that it finds after its
        // change.
        service.schedulersAt(untilAnswered(log::schedulersEpoch));
        progress.enter(Progress.State.SERVING);
        LOG.info("{} serves as {}", configuration.name(), role());
    }

    private static Member unnamed(InetSocketAddress support) {
        return new Member("support", support.getHostString(), support.getPort(), false);
    }

    /// A member is not to lose what it has fetched for a look-up that fails.
    private <T> T untilAnswered(Supplier<T> question) {
        return RemoteQueryLog.untilAnswered(question, closed::get);
    }

    @Override
    public void lead(Decision.TakeOver takeOver, List<ClassPosition> logEnds) {
        accession.takeOver(takeOver, logEnds);
    }

    @Override
    public void receive(Set<ConflictClass> classes) {
        accession.receive(classes);
    }

    /// On a thread of its own, since that can take as long as the log is away.
    private void whenSettled(List<ConflictClass> classes, Runnable then) {
        Thread.ofVirtual()
                .name("accession")
                .start(() -> {
                    try {
                        classes.forEach(master.commits()::awaitAllSettledAtLast);
                        then.run();
                    } catch (RuntimeException e) { // whatever it is: nobody else takes its place
                        LOG.error(
                                "this replica cannot become master: it begins anew, another one"
                                        + " takes over",
                                e);
                        end("it cannot become master: " + e.getMessage());
                    }
                });
    }

    @Override
    public void settled(Topology topology) {
        handingOn.consider(topology);
    }

    private String role() {
        if (!master.commits().mastery().serving().isEmpty()) {
            return NodeConfiguration.Role.MASTER.text();
        }
        boolean spare =
                progress.topology()
                        .member(configuration.name())
                        .map(Member::spare)
                        .orElse(configuration.role() == NodeConfiguration.Role.SPARE);
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

    /// After its end: leaves the group, so that the tier goes on without it, and returns when what
    /// it holds is in the log or with the others.
    void bequeath() throws InterruptedException {
        keeper.close();
        group.close();
        intake.close();
        master.commits().refuse();
        new Bequest(
                        configuration.name(),
                        new Remainder(
                                configuration.name(),
                                progress,
                                intake.recent(),
                                master.commits().mastery()),
                        topologies,
                        closed::get)
                .handIn();
    }

    void kill() {
        closed.set(true);
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
        closed.set(true);
        ended.set(true);
        progress.stop("the node is being stopped");
        parts.close();
    }

    private final class Joiners implements MasterService.Joiners {
        @Override
        public boolean sees(String replica) {
            return group.members().contains(replica);
        }

        @Override
        public void propose(Member member, long epoch) {
            keeper.enters(member, epoch);
        }
    }

    private final class Listener implements Group.Listener {
        @Override
        public void received(String from, byte[] message) {
            switch (GroupMessage.decode(message)) {
                case GroupMessage.WriteSets(long settled, List<byte[]> writeSets) -> {
                    if (!from.equals(configuration.name())) {
                        intake.offer(new Intake.Arrival.Stream(from, settled, writeSets));
                    }
                }
                case GroupMessage.Part(byte[] part) -> {
                    if (!from.equals(configuration.name())) {
                        intake.offer(new Intake.Arrival.Part(from, part));
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
