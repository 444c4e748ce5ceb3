package org.quiredb.master;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.group.Group;
import org.quiredb.common.lifecycle.Parts;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.ClassPosition;
import org.quiredb.common.message.GroupMessage;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.rpc.RpcServer;
import org.quiredb.common.topology.Decision;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Standing;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.master.commit.Commits;
import org.quiredb.master.load.ColdLoad;
import org.quiredb.master.log.LoggerCalls;
import org.quiredb.master.role.RoleKeeper;
import org.quiredb.replica.GroupMembership;
import org.quiredb.replica.NodeConfiguration;
import org.quiredb.replica.Sweeper;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.intake.StreamIntake;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.service.Engine;
import org.quiredb.replica.service.ReplicaService;
import org.quiredb.replica.service.UpdateService;
import org.quiredb.replica.transfer.Caller;
import org.quiredb.replica.transfer.Joiner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One life of a replica: from an empty store to the moment at which the tier goes on without it.
/// Its role changes while it lives.
///
/// Threads: any; begun and ended by its owner.
final class Life implements AutoCloseable, RoleKeeper.Replica, StreamIntake.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Life.class);
    private static final int QUEUE_MESSAGES = 16_384;
    private static final int HANDED_OVER_AT_ONCE = 256;
    private static final long RECEIVE_WAIT_MILLIS = 1_000;
    private static final Duration LOADING_LIMIT = Duration.ofMinutes(5);
    private static final Duration TOPOLOGY_LIMIT = Duration.ofSeconds(5);
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(60);
    private static final Duration ADMISSION_LIMIT = Duration.ofSeconds(10);

    private final NodeConfiguration configuration;
    private final MasterService.Settings settings;
    private final Consumer<String> onEnd;
    private final Parts parts = new Parts();
    private final PageStore store = new PageStore();
    private final Progress progress = new Progress();
    private final GroupMembership group = new GroupMembership();
    private final Engine engine;
    private final StreamIntake intake;
    private final LoggerCalls log;
    private final LoggerCalls topologies;
    private final ReplicaService service;
    private final RpcServer server;
    private final RoleKeeper keeper;
    private volatile @Nullable MasterService master;
    private volatile boolean leads;
    private final AtomicBoolean ended = new AtomicBoolean();

    private Life(
            NodeConfiguration configuration,
            int rpcPort,
            Function<PageStore, Engine> engines,
            MasterService.Settings settings,
            Consumer<String> onEnd) {
        this.configuration = configuration;
        this.settings = settings;
        this.onEnd = onEnd;
        engine = parts.add(engines.apply(store));
        log = new LoggerCalls(parts.add(new Caller(configuration.logger(), LOADING_LIMIT))::call);
        topologies =
                new LoggerCalls(
                        parts.add(new Caller(configuration.logger(), TOPOLOGY_LIMIT))::call);
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
        keeper =
                parts.add(
                        new RoleKeeper(
                                progress, intake, group, topologies, this, settings.lagMillis()));
        service =
                new ReplicaService(
                        new ReplicaService.Identity(
                                configuration.name(),
                                this::role,
                                RECEIVE_WAIT_MILLIS,
                                configuration.versions()),
                        store,
                        engine,
                        progress,
                        this::updates,
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
                    "epoch " + inForce.epoch() + " belongs to " + inForce.master() + " already");
        }
        progress.enter(first);
        MasterService loading = masterOf(first);
        new ColdLoad(store, engine, progress, log, loading.commits()).run();
        group.join(entrance, configuration.name(), new Listener());
        intake.open(configuration.name(), Map.of());
        keeper.start(configuration.name(), first, loading.commits());
        leads = true;
        progress.enter(Progress.State.SERVING);
    }

    private void join(GroupMembership.Entrance entrance, Topology now) {
        progress.enter(now);
        group.join(entrance, configuration.name(), new Listener());
        Member leader = now.member(now.master()).orElseThrow();
        InetSocketAddress masterAddress = new InetSocketAddress(leader.host(), leader.port());
        long deadlineNanos = System.nanoTime() + JOIN_LIMIT.toNanos();
        try (Caller leading = new Caller(masterAddress, JOIN_LIMIT);
                Caller support =
                        new Caller(configuration.support().orElse(masterAddress), JOIN_LIMIT)) {
            new Joiner(self(), store, engine, progress, intake)
                    .join(leading::call, support::call, deadlineNanos);
        } catch (RpcException e) {
            LOG.info(
                    "the master was lost while {} entered: {}",
                    configuration.name(),
                    e.getMessage());
        }
        // A member it is if the backend says so, whoever is alive to tell it.
        progress.enter(topologies.topology());
        if (!progress.topology().contains(configuration.name())) {
            throw new IllegalStateException("no topology names " + configuration.name());
        }
        keeper.start(configuration.name(), progress.topology(), null);
        progress.enter(Progress.State.SERVING);
        LOG.info("{} serves as {}", configuration.name(), role());
    }

    private MasterService masterOf(Topology topology) {
        MasterService service =
                new MasterService(
                        store,
                        engine,
                        progress,
                        log,
                        group::multicast,
                        topology.epoch(),
                        this::admit,
                        settings);
        master = service;
        return service;
    }

    private void admit(Member member) {
        keeper.enters(member);
        if (!progress.awaitMember(member.name(), System.nanoTime() + ADMISSION_LIMIT.toNanos())) {
            MasterService leading = master;
            if (leading != null) {
                leading.commits().changed(leading.commits().epoch(), Set.of(member.name()));
            }
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE, member.name() + " is not made a member");
        }
    }

    @Override
    public Commits lead(Decision.TakeOver takeOver, List<ClassPosition> logEnds) {
        Topology next = takeOver.next();
        progress.enter(next);
        List<byte[]> missed = intake.recent().after(takeOver.least());
        for (int from = 0; from < missed.size(); from += HANDED_OVER_AT_ONCE) {
            int to = Math.min(missed.size(), from + HANDED_OVER_AT_ONCE);
            group.multicast(new GroupMessage.HandedOver(missed.subList(from, to)).encode());
        }
        MasterService leading = masterOf(next);
        Commits commits = leading.commits();
        Set<String> others = new TreeSet<>(next.names());
        others.remove(configuration.name());
        commits.begin(others);
        List<ClassPosition> left = new ArrayList<>();
        for (ClassPosition end : takeOver.endsAmong(logEnds)) {
            goOn(commits, end, logEnds, left);
        }
        group.multicast(new GroupMessage.Changed(next).encode());
        Thread.ofVirtual().name("take over").start(() -> serve(leading, takeOver.ends(), left));
        return commits;
    }

    /// @param left takes the schema change that the log has beyond the end
    private void goOn(
            Commits commits,
            ClassPosition end,
            List<ClassPosition> logEnds,
            List<ClassPosition> left) {
        long logged =
                logEnds.stream()
                        .filter(p -> p.conflictClass().equals(end.conflictClass()))
                        .mapToLong(ClassPosition::commitNumber)
                        .sum();
        long logEnd = Math.min(logged, end.commitNumber());
        if (logged > logEnd) {
            left.add(new ClassPosition(end.conflictClass(), logged));
        }
        List<WriteSet> unlogged =
                intake
                        .recent()
                        .after(List.of(new ClassPosition(end.conflictClass(), logEnd)))
                        .stream()
                        .map(WriteSet::decode)
                        .toList();
        if (logged > end.commitNumber() + 1 || logEnd + unlogged.size() != end.commitNumber()) {
            throw new IllegalStateException(
                    "%s ends at %d in the log and at %d here, of which %d are kept"
                            .formatted(
                                    end.conflictClass(),
                                    logged,
                                    end.commitNumber(),
                                    unlogged.size()));
        }
        LOG.info(
                "takes {} over at {}, {} are to be logged",
                end.conflictClass(),
                end.commitNumber(),
                unlogged.size());
        commits.takeOver(end.conflictClass(), end.commitNumber(), logEnd, unlogged);
    }

    /// Opens when everything that was taken over is stable.
    private void serve(MasterService leading, List<ClassPosition> ends, List<ClassPosition> left) {
        try {
            leading.commits().awaitAllStable();
            VersionVector vector = VersionVector.EMPTY;
            for (CatalogueEntry table : engine.tables()) {
                for (ClassPosition end : ends) {
                    if (end.conflictClass().equals(table.conflictClass())) {
                        vector = vector.with(table.tableId(), end.commitNumber());
                    }
                }
            }
            leading.commits().loaded(vector);
            left.forEach(leading::finishSchemaChange);
            leads = true;
            LOG.info("{} serves as master", configuration.name());
        } catch (QuireException e) {
            end("it cannot become master: " + e.getMessage());
        }
    }

    private Optional<UpdateService> updates() {
        MasterService leading = master;
        return leads && leading != null ? Optional.of(leading) : Optional.empty();
    }

    private String role() {
        if (leads) {
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
        close();
    }

    @Override
    public void close() {
        ended.set(true);
        progress.stop("the node is being stopped");
        parts.close();
        MasterService leading = master;
        if (leading != null) {
            leading.close();
        }
    }

    private final class Listener implements Group.Listener {
        @Override
        public void received(String from, byte[] message) {
            switch (GroupMessage.decode(message)) {
                case GroupMessage.WriteSets(List<byte[]> writeSets) -> {
                    if (!from.equals(configuration.name())) {
                        intake.offer(new StreamIntake.Arrival.Stream(from, writeSets));
                    }
                }
                case GroupMessage.HandedOver(List<byte[]> writeSets) ->
                        intake.offer(new StreamIntake.Arrival.HandedOver(writeSets));
                case GroupMessage.Changed(Topology topology) ->
                        intake.offer(new StreamIntake.Arrival.Changed(topology));
                case GroupMessage.Stands(Standing standing) -> keeper.stands(standing);
                case GroupMessage.Received received -> {
                    MasterService leading = master;
                    if (leading != null) {
                        leading.received(from, received);
                    }
                }
            }
        }

        @Override
        public void membersChanged(List<String> members) {
            keeper.present(new ArrayList<>(members));
        }
    }
}
