package org.quiredb.node.simulation;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.node.simulation.Requests.Reply;
import org.quiredb.scheduler.route.ReplicaView;
import org.quiredb.scheduler.route.Retry;
import org.quiredb.scheduler.route.Router;
import org.quiredb.scheduler.route.Routing;
import org.quiredb.scheduler.route.Tags;

/// A scheduler: real tags, routing and retries; heartbeats and the outcome of a lost COMMIT are
/// modelled after `Cluster` and `Updates`.
///
/// Threads: one.
final class SchedulerNode extends Machine {
    private static final long HEARTBEAT_MICROS = 150_000;
    private static final long SEARCH_MICROS = 20_000;
    private static final long RECONNECT_MAXIMUM_MICROS = 1_000_000;
    private static final long MASTER_WAIT_MILLIS = 10_000;
    private static final int OUTCOME_ATTEMPTS = 7;

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
    private final Map<ConflictClass, Long> newestTerm =
            new TreeMap<>(Comparator.comparing(ConflictClass::name));
    private final Set<String> told = new TreeSet<>();
    private Tags tags;
    private boolean fenced;
    private boolean known;
    private long turn;

    SchedulerNode(World world, Tier tier, String name) {
        super(world, name);
        this.tier = tier;
        tags = newTags();
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
        fence();
    }

    /// It enters the schedulers' record, then has every replica of the topology know it.
    private void fence() {
        topology(topology -> fence(new TreeSet<>(topology.names())));
    }

    private void fence(Set<String> untold) {
        if (untold.isEmpty()) {
            fenced = true;
        }
        for (String name : List.copyOf(untold)) {
            call(
                    link(tier.replica(name)),
                    new Requests.Status(VersionVector.EMPTY),
                    1_000,
                    answer -> {
                        if (answer.isPresent() && untold.remove(name) && untold.isEmpty()) {
                            fenced = true;
                        }
                    });
        }
        if (!untold.isEmpty()) {
            after(
                    1_050_000,
                    () -> {
                        if (!fenced) {
                            fence();
                        }
                    });
        }
    }

    private void topology(Consumer<Topology> then) {
        Calls.<byte[], byte[]>call(
                this,
                tier.logger(),
                new LoggerRequest.ReadTopology().encode(),
                5_000,
                (message, reply) -> tier.logger().handle(message, reply),
                answer -> {
                    if (answer.map(LoggerReply::decode).orElse(null)
                            instanceof LoggerReply.TopologyReply(Topology now, var ends)) {
                        then.accept(now);
                    } else {
                        after(SEARCH_MICROS, () -> topology(then));
                    }
                });
    }

    private Link link(ReplicaNode node) {
        return Objects.requireNonNull(links.get(node.name));
    }

    @Override
    void forget() {
        links.clear();
        newestTerm.clear();
        told.clear();
        fenced = false;
        tags = newTags();
        known = false;
    }

    private void heartbeat(Link link, long waitMicros) {
        boolean counts = fenced;
        call(
                link,
                new Requests.Status(tags.computeLowWatermark()),
                1_000,
                answer -> {
                    if (answer.orElse(null) instanceof Requests.StatusReply status) {
                        link.last = status;
                        learn(link, status, counts);
                    } else {
                        link.last = null;
                    }
                    long next =
                            answer.isPresent()
                                    ? HEARTBEAT_MICROS
                                    : Math.min(2 * waitMicros, RECONNECT_MAXIMUM_MICROS);
                    after(complete() ? next : SEARCH_MICROS, () -> heartbeat(link, next));
                });
    }

    private void learn(Link link, Requests.StatusReply status, boolean counts) {
        if (status.masterOf().isEmpty() || !status.serving()) {
            return;
        }
        tags.merge(status.vector());
        if (counts) {
            told.add(link.node.name);
        }
        if (!known
                && counts
                && complete()
                && links.values().stream()
                        .filter(l -> takesSomething(l))
                        .allMatch(l -> told.contains(l.node.name))) {
            known = true;
        }
    }

    private static boolean takesSomething(Link link) {
        return link.last != null && link.last.serving() && !link.last.masterOf().isEmpty();
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
        Master master = known ? master(c) : null;
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

    private void call(
            Link link,
            Requests.Request request,
            long timeoutMillis,
            Consumer<Optional<Reply>> then) {
        Calls.<Requests.Request, Reply>call(
                this, link.node, request, timeoutMillis, link.node::handle, then);
    }

    void call(ReplicaNode node, Requests.Request request, Consumer<Optional<Reply>> then) {
        call(link(node), request, 8_000, then);
    }

    /// The tag of a read-only transaction; empty while this scheduler knows of no master.
    Optional<Tags.Use> tag() {
        return known ? Optional.of(tags.use(1)) : Optional.empty();
    }

    void learn(VersionVector vector) {
        tags.merge(vector);
    }

    /// @param fixed the tag is that of a transaction which has read with it
    /// @param then told the values, or null when no replica can tell
    void read(Tags.Use use, int key, boolean fixed, Consumer<@Nullable List<Integer>> then) {
        read(use, key, fixed, 1, new TreeSet<>(), then);
    }

    private void read(
            Tags.Use use,
            int key,
            boolean fixed,
            int attempt,
            Set<String> excluded,
            Consumer<@Nullable List<Integer>> then) {
        Routing routing =
                Router.read(views(), use.tag(), Set.of(Content.tableId(key)), excluded, turn++);
        if (!(routing instanceof Routing.ToReplica(String name))) {
            then.accept(null);
            return;
        }
        Link link = Objects.requireNonNull(links.get(name));
        link.inFlight++;
        link.running = use.tag();
        Requests.Read request = new Requests.Read(epoch(), use.tag(), tags.lowWatermark(), key);
        call(
                link,
                request,
                4_000,
                answer -> {
                    link.inFlight--;
                    excluded.add(name);
                    Retry next =
                            switch (answer.orElse(null)) {
                                case null -> Retry.afterLoss(attempt, false);
                                case Requests.Values(List<Integer> values) -> {
                                    then.accept(values);
                                    yield null;
                                }
                                case Requests.Refused(var reason) ->
                                        Retry.afterRefusal(
                                                reason,
                                                attempt,
                                                true,
                                                excluded.size() < links.size());
                                case Reply other ->
                                        throw new IllegalStateException("a read: " + other);
                            };
                    switch (next) {
                        case null -> {}
                        case SAME_TAG_ELSEWHERE ->
                                after(
                                        1_000L * attempt,
                                        () -> read(use, key, fixed, attempt + 1, excluded, then));
                        case FRESH_TAG, BACKEND, GIVE_UP -> then.accept(null);
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

    /// What became of a COMMIT that was not answered: committed or rolled back, or null.
    ///
    /// @param term of the master that ran it; one of an older term does not know
    void outcome(
            ConflictClass c,
            long term,
            long transactionId,
            int attempt,
            Consumer<@Nullable Boolean> then) {
        if (attempt > OUTCOME_ATTEMPTS) {
            then.accept(null);
            return;
        }
        Runnable again =
                () ->
                        after(
                                10_000L << attempt,
                                () -> outcome(c, term, transactionId, attempt + 1, then));
        awaitMaster(
                c,
                master -> {
                    if (master.isEmpty()) {
                        again.run();
                        return;
                    }
                    Requests.Outcome request =
                            new Requests.Outcome(
                                    c, Math.max(master.get().term, term), transactionId);
                    call(
                            link(master.get().node),
                            request,
                            30_000,
                            answer -> {
                                switch (answer.orElse(null)) {
                                    case Requests.Committed(VersionVector vector) -> {
                                        learn(vector);
                                        then.accept(true);
                                    }
                                    case Requests.RolledBack() -> then.accept(false);
                                    case null, default -> again.run();
                                }
                            });
                });
    }
}
