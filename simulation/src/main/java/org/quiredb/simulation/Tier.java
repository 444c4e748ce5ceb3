package org.quiredb.simulation;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.quiredb.common.rpc.RpcPeer;
import org.quiredb.common.topology.Member;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.master.commit.Durability;
import org.quiredb.replica.NodeConfiguration;
import org.quiredb.simulation.history.Transaction;
import org.quiredb.simulation.history.Transaction.Outcome;

/// A whole tier and its clients.
///
/// Threads: one.
final class Tier {
    private static final int CLIENTS = 4;

    private final World world;
    private final Group group;
    private final Backend backend;
    private final LoggerNode logger;
    private final Watch watch;
    private final Map<String, ReplicaNode> replicas = new TreeMap<>();
    private final List<SchedulerNode> schedulers = new ArrayList<>();
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final List<Transaction> history = new ArrayList<>();
    private final Map<ConflictClass, String> wishes;
    private final Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
    private final Map<String, Integer> endings = new TreeMap<>();
    private final Map<String, Integer> situations = new TreeMap<>();
    private final int classes;
    private final Durability durability;
    private int historyIds;
    private int transactionIds;
    private int values;
    private long lives;

    /// @param wishes the replica that is to be master of a class
    Tier(
            World world,
            int classes,
            int slaves,
            int schedulerCount,
            Map<ConflictClass, String> wishes,
            Durability durability) {
        this.durability = durability;
        this.world = world;
        this.classes = classes;
        this.wishes = wishes;
        group = new Group(world);
        backend = new Backend(world);
        watch = new Watch(this);
        logger = new LoggerNode(world, backend, watch);
        add("m", NodeConfiguration.Role.MASTER);
        for (int i = 1; i <= slaves; i++) {
            add("s" + i, NodeConfiguration.Role.SLAVE);
        }
        add("x", NodeConfiguration.Role.SPARE);
        for (int i = 1; i <= schedulerCount; i++) {
            schedulers.add(new SchedulerNode(world, this, "q" + i, i));
        }
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new SimulatedClient(world, this, i, history));
        }
    }

    private void add(String name, NodeConfiguration.Role wish) {
        replicas.put(name, new ReplicaNode(world, this, name, wish));
    }

    void start() {
        backend.start();
        logger.start();
        replicas.values().forEach(Machine::start);
        schedulers.forEach(Machine::start);
        clients.forEach(Machine::start);
    }

    Group group() {
        return group;
    }

    Backend backend() {
        return backend;
    }

    LoggerNode logger() {
        return logger;
    }

    Watch watch() {
        return watch;
    }

    int classes() {
        return classes;
    }

    Map<ConflictClass, String> wishes() {
        return wishes;
    }

    List<ReplicaNode> replicas() {
        return List.copyOf(replicas.values());
    }

    ReplicaNode replica(String name) {
        return Objects.requireNonNull(replicas.get(name), name);
    }

    SchedulerNode scheduler(int turn) {
        return schedulers.get(turn % schedulers.size());
    }

    /// Everything that may die, but clients.
    List<Machine> processes() {
        List<Machine> all = new ArrayList<>(replicas.values());
        all.add(logger);
        all.add(backend);
        all.addAll(schedulers);
        return all;
    }

    /// A replica that is master of something, or none.
    List<ReplicaNode> masters() {
        return backend.committed().topology().masters().stream()
                .filter(replicas::containsKey)
                .map(this::replica)
                .toList();
    }

    /// A lost connection takes what is open with it.
    void crash(Machine process) {
        if (process instanceof SchedulerNode scheduler) {
            RpcPeer peer = scheduler.peer();
            replicas.values()
                    .forEach(r -> r.after(world.between(100, 20_000), () -> r.disconnected(peer)));
        }
        process.crash();
    }

    /// Whether commits are acknowledged before they are logged.
    boolean aheadOfLog() {
        return durability == Durability.REPLICATED;
    }

    Durability durability() {
        return durability;
    }

    /// A replica has begun the tier anew.
    void begun(String name) {
        met(name.equals("m") ? "begun by the configured master" : "begun by another");
    }

    long nextLife() {
        return ++lives;
    }

    SchedulerNode scheduler(String name) {
        return schedulers.stream().filter(s -> s.name.equals(name)).findFirst().orElseThrow();
    }

    List<SchedulerNode> schedulers() {
        return List.copyOf(schedulers);
    }

    int nextHistoryId() {
        return historyIds++;
    }

    long nextTransactionId() {
        return 1_000L + transactionIds++;
    }

    int nextValue() {
        return ++values;
    }

    void count(Outcome outcome) {
        outcomes.merge(outcome, 1, Integer::sum);
    }

    int outcomes(Outcome outcome) {
        return outcomes.getOrDefault(outcome, 0);
    }

    void ended(String reason) {
        endings.merge(reason.replaceAll("[0-9]+", "N"), 1, Integer::sum);
    }

    /// What a run is there to meet.
    void met(String situation) {
        situations.merge(situation, 1, Integer::sum);
    }

    Map<String, Integer> situations() {
        return situations;
    }

    Map<String, Integer> endings() {
        return endings;
    }

    List<Transaction> history() {
        return history;
    }

    void stopClients() {
        clients.forEach(SimulatedClient::finish);
    }

    /// Whether every client knows, as well as it ever will, how its last transaction ended.
    boolean idle() {
        return clients.stream().allMatch(SimulatedClient::idle);
    }

    /// Whether everybody is a member, serves, and everything logged is applied.
    boolean settled() {
        BackendTables tables = backend.committed();
        return schedulers.stream().allMatch(s -> s.companionship().in())
                && tables.topology().members().size() == replicas.size()
                && replicas.values().stream()
                        .allMatch(r ->
                                r.serves() && r.progress().epoch() == tables.topology().epoch())
                && masters().stream().allMatch(m -> m.commits().mastery().servesAll())
                && tables.ends().stream()
                        .allMatch(end ->
                                tables.applied(end.conflictClass()) == end.commitNumber()
                                        && tables.topology().members().stream()
                                                .map(Member::name)
                                                .allMatch(name ->
                                                        replica(name)
                                                                        .progress()
                                                                        .received(
                                                                                end.conflictClass())
                                                                == end.commitNumber()));
    }

    @Override
    public String toString() {
        StringBuilder text =
                new StringBuilder("topology %s%n".formatted(backend.committed().topology()));
        backend.committed()
                .ends()
                .forEach(end ->
                        text.append(
                                "%s logged to %d, applied to %d%n"
                                        .formatted(
                                                end.conflictClass(),
                                                end.commitNumber(),
                                                backend.committed().applied(end.conflictClass()))));
        for (ReplicaNode r : replicas.values()) {
            text.append(
                    "%s up %s %s at epoch %d, at %s, master of %s, waits for %s, sees %s%n"
                            .formatted(
                                    r.name,
                                    r.up(),
                                    r.progress().state(),
                                    r.progress().epoch(),
                                    r.progress().positions(),
                                    r.commits().mastery().serving(),
                                    r.commits().mastery().inSync(),
                                    group.view(r.name)));
        }
        for (SchedulerNode s : schedulers) {
            text.append("%s up %s %s%n".formatted(s, s.up(), s.companionship()));
        }
        return text.toString();
    }
}
