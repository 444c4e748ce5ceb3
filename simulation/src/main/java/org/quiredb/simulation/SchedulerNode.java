package org.quiredb.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.rpc.RpcPeer;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.agree.MastersTold;
import org.quiredb.scheduler.route.Losses;
import org.quiredb.scheduler.route.ReadAttempts;
import org.quiredb.scheduler.route.ReplicaView;
import org.quiredb.scheduler.route.Tags;
import org.quiredb.simulation.Requests.Reply;

/// A scheduler: real tags, reads from replica to replica and agreement with the others; heartbeats
/// are modelled after `Cluster`.
///
/// Threads: one.
final class SchedulerNode extends Machine {
    private static final long HEARTBEAT_MICROS = 150_000;
    private static final long HEARTBEAT_MILLIS = 800;
    private static final long SEARCH_MICROS = 20_000;
    private static final long RECONNECT_MAXIMUM_MICROS = 1_000_000;
    private static final long MASTER_WAIT_MILLIS = 10_000;

    /// @param term since which epoch it takes the class's updates
    record Master(ReplicaNode node, long term) {}

    private static final class Link {
        final ReplicaNode node;
        Requests.@Nullable StatusReply last;
        VersionVector running = VersionVector.EMPTY;
        int inFlight;

        Link(ReplicaNode node) {
            this.node = node;
        }
    }

    private final Tier tier;
    private final Map<String, Link> links = new TreeMap<>();
    private final int number;
    private MastersTold told = new MastersTold();
    private boolean asksMasters;
    private Tags tags;
    private CompanionshipEdge companionship;
    private long turn;

    /// @param number that no other one has
    SchedulerNode(World world, Tier tier, String name, int number) {
        super(world, name);
        this.tier = tier;
        this.number = number;
        tags = newTags();
        companionship = new CompanionshipEdge(this, tier, tags);
    }

    private Tags newTags() {
        return new Tags(Duration.ofSeconds(10), () -> world.nowMicros() * 1_000);
    }

    @Override
    void begin() {
        tier.replicas()
                .forEach(node -> {
                    links.put(node.name, new Link(node));
                    after(world.between(0, 20_000), () -> heartbeat(link(node), HEARTBEAT_MICROS));
                });
        companionship.begin();
    }

    CompanionshipEdge companionship() {
        return companionship;
    }

    /// Its connections in this life.
    RpcPeer peer() {
        return new RpcPeer(1_000_000L * number + life(), name);
    }

    void topology(Consumer<Topology> then) {
        askLogger(
                new LoggerRequest.ReadTopology(),
                answer -> {
                    if (answer.orElse(null)
                            instanceof LoggerReply.TopologyReply(Topology now, var ends, _)) {
                        then.accept(now);
                    } else {
                        after(SEARCH_MICROS, () -> topology(then));
                    }
                });
    }

    void askLogger(LoggerRequest request, Consumer<Optional<LoggerReply>> then) {
        Calls.<byte[], byte[]>call(
                this,
                tier.logger(),
                request.encode(),
                5_000,
                (message, reply) -> tier.logger().handle(message, reply),
                answer -> then.accept(answer.map(LoggerReply::decode)));
    }

    /// Of a logger that began anew nobody may have said yet what is stable.
    void awaitBackend() {
        boolean _ =
                tags.current()
                        .allRuns((from, end, number) -> {
                            for (int table = from; table < end; table++) {
                                askLogger(
                                        new LoggerRequest.AwaitApplied(
                                                Content.classOfTable(table), number),
                                        answer -> {});
                            }
                            return true;
                        });
    }

    private Link link(ReplicaNode node) {
        return Objects.requireNonNull(links.get(node.name));
    }

    @Override
    void forget() {
        links.clear();
        told = new MastersTold();
        asksMasters = false;
        tags = newTags();
        companionship = new CompanionshipEdge(this, tier, tags);
    }

    private void heartbeat(Link link, long waitMicros) {
        long asked = companionship.awaitsMasters();
        long recordEpoch = companionship.epoch();
        long askedNanos = companionship.nowNanos();
        send(
                link,
                new Requests.Status(tags.computeLowWatermark()),
                HEARTBEAT_MILLIS,
                answer -> {
                    switch (answer.orElse(null)) {
                        case Requests.StatusReply status -> {
                            link.last = status;
                            companionship.answered(link.node.name, status, recordEpoch, askedNanos);
                            take(link, status, asked);
                        }
                        case Requests.Outdated(long epoch, Requests.StatusReply status) -> {
                            link.last = status;
                            companionship.outdated(epoch);
                        }
                        case null, default -> link.last = null;
                    }
                    long next =
                            answer.isPresent()
                                    ? HEARTBEAT_MICROS
                                    : Math.min(2 * waitMicros, RECONNECT_MAXIMUM_MICROS);
                    after(complete() ? next : SEARCH_MICROS, () -> heartbeat(link, next));
                });
    }

    /// @param epoch for which masters were to be asked when this one was, or 0
    private void take(Link link, Requests.StatusReply status, long epoch) {
        if (status.masterOf().isEmpty() || !status.serving()) {
            return;
        }
        companionship.hear(status.vector());
        told.add(epoch, link.node.name);
        if (epoch != 0
                && !asksMasters
                && complete()
                && links.values().stream()
                        .filter(SchedulerNode::takesSomething)
                        .allMatch(l -> told.has(epoch, l.node.name))) {
            asksMasters = true;
            topology(now -> {
                asksMasters = false;
                if (now.masters().stream()
                        .filter(name -> !name.isEmpty())
                        .allMatch(name -> told.has(epoch, name))) {
                    companionship.mastersTold(epoch);
                }
            });
        }
    }

    private static boolean takesSomething(Link link) {
        return link.last != null && !link.last.masterOf().isEmpty();
    }

    private boolean complete() {
        for (int i = 0; i < tier.classes(); i++) {
            if (master(Content.conflictClass(i)) == null) {
                return false;
            }
        }
        return newest(ConflictClass.NONE) != null;
    }

    @Nullable Master master(ConflictClass c) {
        return newest(c);
    }

    private @Nullable Master newest(ConflictClass c) {
        Master newest = null;
        for (Link link : links.values()) {
            if (link.last != null && link.last.serving()) {
                Long term = link.last.masterOf().get(c);
                if (term != null && (newest == null || newest.term < term)) {
                    newest = new Master(link.node, term);
                }
            }
        }
        return newest;
    }

    void awaitMaster(ConflictClass c, Consumer<Optional<Master>> then) {
        awaitMaster(c, world.nowMillis() + MASTER_WAIT_MILLIS, then);
    }

    private void awaitMaster(ConflictClass c, long deadline, Consumer<Optional<Master>> then) {
        Master master = companionship.in() ? master(c) : null;
        if (master != null || world.nowMillis() > deadline) {
            then.accept(Optional.ofNullable(master));
        } else {
            after(5_000, () -> awaitMaster(c, deadline, then));
        }
    }

    private long epoch() {
        return links.values().stream()
                .filter(l -> l.last != null)
                .mapToLong(l -> l.last == null ? 0 : l.last.topology().epoch())
                .max()
                .orElse(0);
    }

    private void send(
            Link link,
            Requests.Request request,
            long timeoutMillis,
            Consumer<Optional<Reply>> then) {
        long epoch = companionship.epoch();
        Requests.Request signed = epoch == 0 ? request : new Requests.FromScheduler(epoch, request);
        RpcPeer peer = peer();
        Calls.<Requests.Request, Reply>call(
                this,
                link.node,
                signed,
                timeoutMillis,
                (asked, reply) -> link.node.handle(peer, asked, reply),
                then);
    }

    /// Has a replica know an epoch of the schedulers' record.
    void tell(ReplicaNode replica, long epoch, Consumer<Boolean> heard) {
        RpcPeer peer = peer();
        Calls.<Requests.Request, Reply>call(
                this,
                replica,
                new Requests.FromScheduler(epoch, new Requests.Status(VersionVector.EMPTY)),
                1_000,
                (asked, reply) -> replica.handle(peer, asked, reply),
                answer -> heard.accept(answer.isPresent()));
    }

    /// What an outdated scheduler is answered counts when it knows the newest epoch.
    private void call(
            Link link,
            Requests.Request request,
            long timeoutMillis,
            Consumer<Optional<Reply>> then) {
        send(
                link,
                request,
                timeoutMillis,
                answer -> {
                    switch (answer.orElse(null)) {
                        case Requests.Outdated(long epoch, Reply inner) ->
                                companionship.awaitEpoch(
                                        epoch,
                                        known ->
                                                then.accept(
                                                        known
                                                                ? Optional.of(inner)
                                                                : Optional.empty()));
                        case Requests.Told(
                                        ReplicaReply.Refused(Reason reason, long epoch, String _))
                                when reason == Reason.OTHER_SCHEDULERS ->
                                companionship.awaitEpoch(
                                        epoch,
                                        known -> then.accept(known ? answer : Optional.empty()));
                        case null, default -> then.accept(answer);
                    }
                });
    }

    void call(
            ReplicaNode node,
            Requests.Request request,
            long timeoutMillis,
            Consumer<Optional<Reply>> then) {
        call(link(node), request, timeoutMillis, then);
    }

    /// What a transaction reads: one state, on one replica while that answers.
    final class View {
        private Tags.Use use;
        private String replica = "";
        private boolean seen;

        View(Tags.Use use) {
            this.use = use;
        }

        void close() {
            use.close();
        }

        private ReadAttempts.Sight sight() {
            boolean outlived = !seen && use.life() != companionship.life();
            if (outlived) {
                // Others may have gone on without this scheduler when it took the tag.
                tier.met("tag of an older life");
            }
            return new ReadAttempts.Sight(
                    views(), use.tag(), replica, seen || use.lapsed(), outlived);
        }
    }

    /// @param then told the values, or null when no replica can tell
    void read(View view, int key, Consumer<@Nullable List<Integer>> then) {
        Losses losses = new Losses();
        read(new ReadAttempts(Set.of(Content.tableId(key)), losses), losses, view, key, then);
    }

    /// How many replicas it takes for serving.
    int serving() {
        return (int) views().stream().filter(ReplicaView::serving).count();
    }

    private void read(
            ReadAttempts reading,
            Losses losses,
            View view,
            int key,
            Consumer<@Nullable List<Integer>> then) {
        Runnable next = () -> read(reading, losses, view, key, then);
        switch (reading.next(view.sight(), () -> turn++, world.nowMillis())) {
            case ReadAttempts.Step.Ask(String name) ->
                    ask(name, reading, losses, view, key, next, then);
            case ReadAttempts.Step.Pause(long millis) -> after(1_000 * millis, next);
            case ReadAttempts.Step.TakeFreshTag(long waitMillis) -> {
                tier.met("fresh tag");
                awaitNewer(
                        view.use.tag(),
                        world.nowMillis() + waitMillis,
                        () ->
                                companionship.tag(given -> {
                                    if (given.isEmpty()) {
                                        then.accept(null);
                                        return;
                                    }
                                    view.use.close();
                                    view.use = given.get();
                                    next.run();
                                }));
            }
            case ReadAttempts.Step.Backend() ->
                    throw new IllegalStateException("it is for a replica");
            case ReadAttempts.Step.GiveUp _ -> then.accept(null);
        }
    }

    private void awaitNewer(VersionVector tag, long deadlineMillis, Runnable then) {
        if (tag.covers(tags.current()) && world.nowMillis() < deadlineMillis) {
            after(1_000, () -> awaitNewer(tag, deadlineMillis, then));
        } else {
            then.run();
        }
    }

    private void ask(
            String name,
            ReadAttempts reading,
            Losses losses,
            View view,
            int key,
            Runnable next,
            Consumer<@Nullable List<Integer>> then) {
        Link link = Objects.requireNonNull(links.get(name));
        link.inFlight++;
        link.running = view.use.tag();
        Requests.Read request =
                new Requests.Read(epoch(), view.use.tag(), tags.lowWatermark(), key);
        call(
                link,
                request,
                4_000,
                answer -> {
                    link.inFlight--;
                    switch (answer.orElse(null)) {
                        case Requests.Values(List<Integer> values) -> {
                            view.replica = name;
                            view.seen = true;
                            then.accept(values);
                        }
                        case Requests.Told(
                                        ReplicaReply.Refused(Reason reason, long _, String _)) -> {
                            reading.refused(reason, "");
                            next.run();
                        }
                        case null -> {
                            losses.met("no answer", serving());
                            reading.lost(false, "");
                            next.run();
                        }
                        case Reply other -> throw new IllegalStateException("a read: " + other);
                    }
                });
    }

    private List<ReplicaView> views() {
        return links.values().stream()
                .map(l ->
                        new ReplicaView(
                                l.node.name,
                                l.last == null
                                        ? ReplicaView.Role.SPARE
                                        : ReplicaView.Role.of(l.last.role()),
                                l.last != null && l.last.serving(),
                                0,
                                l.inFlight,
                                l.running))
                .toList();
    }

    /// As newly as it is known: a master that missed its successor is to refuse.
    long term(ConflictClass c, Master begun) {
        Master now = master(c);
        return now == null ? begun.term : Math.max(now.term, begun.term);
    }

    /// What is stable as far as it is known here.
    VersionVector stable() {
        return tags.current();
    }
}
