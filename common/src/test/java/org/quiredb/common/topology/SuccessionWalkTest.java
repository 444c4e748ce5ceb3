package org.quiredb.common.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quiredb.common.message.ClassPosition;
import org.quiredb.common.version.ConflictClass;

/// A tier in miniature under one seed: the real decisions, everything about them a model. Nodes
/// die, are wrongly suspected, hang between a decision and its effect, and come back; messages of
/// one sender stay in order and are lost when its receiver has another view. Commits, their log and
/// acknowledgements go on throughout.
///
/// After every step: what was acknowledged to a client is in the log, and with every member of the
/// topology in force.
final class SuccessionWalkTest {
    private static final List<ConflictClass> CLASSES =
            List.of(new ConflictClass("a"), new ConflictClass("b"));
    private static final int STEPS = 600;

    @Test
    void noAcknowledgedCommitIsLostInAShortWalk() {
        int takeOvers = 0;
        int acknowledged = 0;
        for (long seed = 1; seed <= 100; seed++) {
            Walk walk = new Walk(seed);
            walk.run();
            takeOvers += walk.takeOvers;
            acknowledged += walk.acknowledged.size();
        }
        // A walk in which nothing happens shows nothing.
        assertThat(takeOvers).isGreaterThan(50);
        assertThat(acknowledged).isGreaterThan(1_000);
    }

    @Test
    @Tag("long")
    void noAcknowledgedCommitIsLostInManyWalks() {
        for (long seed = 1_000; seed < 21_000; seed++) {
            new Walk(seed).run();
        }
    }

    private record Entry(ConflictClass ofClass, int number, long id) {}

    private sealed interface Message {
        record Stream(long epoch, Entry entry) implements Message {}

        record HandedOver(List<Entry> entries) implements Message {}

        record Acknowledged(long term, ConflictClass ofClass, int number) implements Message {}

        record Stands(Standing standing) implements Message {}

        record Changed(Topology topology) implements Message {}
    }

    /// What a master adds to a node.
    private static final class Mastery {
        final long term;
        final Set<String> waitsFor = new TreeSet<>();
        final Map<String, Map<ConflictClass, Integer>> received = new HashMap<>();
        final Map<ConflictClass, Integer> multicast = new HashMap<>();
        final Map<ConflictClass, Integer> logged = new HashMap<>();
        final Map<String, Map<ConflictClass, Integer>> entering = new TreeMap<>();
        long epoch;

        Mastery(long term) {
            this.term = term;
            this.epoch = term;
        }
    }

    private static final class Node {
        final String name;
        final Map<ConflictClass, List<Entry>> held = new HashMap<>();
        final Map<ConflictClass, Integer> keptFrom = new HashMap<>();
        final Map<String, Deque<Message>> from = new TreeMap<>();
        final Deque<Decision> due = new ArrayDeque<>();
        @Nullable Succession succession;
        @Nullable Mastery mastery;
        Set<String> view = Set.of();
        Topology known = Topology.vacant(0);
        long closedEpoch;

        Node(String name) {
            this.name = name;
        }

        boolean alive() {
            return succession != null;
        }

        List<Entry> held(ConflictClass c) {
            return held.computeIfAbsent(c, x -> new ArrayList<>());
        }

        @Override
        public String toString() {
            return "%s alive %s knows %d of %d, closed %d, sees %s, due %s, is master %s, holds %s"
                    .formatted(
                            name,
                            alive(),
                            known.epoch(),
                            known.term(),
                            closedEpoch,
                            view,
                            due,
                            mastery != null,
                            held.values().stream().map(List::size).toList());
        }

        void die() {
            succession = null;
            mastery = null;
            held.clear();
            keptFrom.clear();
            from.clear();
            due.clear();
            view = Set.of();
            known = Topology.vacant(0);
            closedEpoch = 0;
        }

        Standing standing() {
            return new Standing(
                    name,
                    closedEpoch,
                    CLASSES.stream()
                            .map(c ->
                                    new Standing.Holding(
                                            c, held(c).size(), keptFrom.getOrDefault(c, 1)))
                            .toList());
        }
    }

    private static final class Walk {
        private final long seed;
        private final Random random;
        private final Map<String, Node> nodes = new TreeMap<>();
        private final Map<ConflictClass, List<Entry>> log = new HashMap<>();
        private final Set<Entry> acknowledged = new HashSet<>();
        private Topology inForce = Topology.vacant(0);
        private long now;
        private long ids;
        private int takeOvers;
        private int steps;

        Walk(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            CLASSES.forEach(c -> log.put(c, new ArrayList<>()));
            for (String name : List.of("n1", "n2", "n3", "n4")) {
                nodes.put(name, new Node(name));
            }
            found(node("n1"));
            nodes.values().forEach(this::join);
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                now += random.nextInt(20);
                step();
                check();
                steps++;
            }
            settle();
        }

        private void step() {
            int what = random.nextInt(100);
            if (what < 25) {
                any(n -> n.mastery != null, this::commit);
            } else if (what < 40) {
                any(n -> n.mastery != null, this::multicast);
            } else if (what < 50) {
                any(n -> n.mastery != null, this::writeLog);
            } else if (what < 75) {
                any(n -> n.from.values().stream().anyMatch(q -> !q.isEmpty()), this::deliver);
            } else if (what < 88) {
                any(n -> !n.due.isEmpty(), this::carryOut);
            } else if (what < 91) {
                any(Node::alive, this::tick);
            } else if (what < 95) {
                any(Node::alive, this::seeEverybodyAlive);
            } else if (what < 96) {
                any(Node::alive, this::suspectSomebody);
            } else if (what < 97) {
                if (nodes.values().stream().filter(Node::alive).count() > 2) {
                    any(n -> n.alive() && mayDie(n), Node::die);
                }
            } else {
                any(n -> !n.alive(), this::join);
            }
        }

        /// A member of the topology in force must survive, else there is nobody to succeed.
        private boolean mayDie(Node node) {
            return inForce.names().stream()
                    .anyMatch(name -> !name.equals(node.name) && node(name).alive());
        }

        private void found(Node first) {
            inForce = inForce.begunBy(new Member(first.name, "", 1, false));
            first.known = inForce;
            first.mastery = new Mastery(inForce.term());
            first.succession = new Succession(first.name, inForce);
            seeEverybodyAlive(first);
        }

        /// Complete at once, from the master, when it does not know the former self any more.
        private void join(Node node) {
            Node master = inForce.master().isEmpty() ? node : node(inForce.master());
            Mastery mastery = master.mastery;
            if (node.alive()
                    || inForce.contains(node.name)
                    || mastery == null
                    || mastery.term != inForce.term()
                    || master.closedEpoch >= inForce.epoch()) {
                return;
            }
            Map<ConflictClass, Integer> must = new HashMap<>();
            for (ConflictClass c : CLASSES) {
                node.held(c)
                        .addAll(master.held(c).subList(0, mastery.multicast.getOrDefault(c, 0)));
                node.keptFrom.put(c, node.held(c).size() + 1);
                must.put(c, master.held(c).size());
            }
            node.known = inForce;
            joining(node, master, mastery, must);
        }

        private void joining(
                Node node, Node master, Mastery mastery, Map<ConflictClass, Integer> must) {
            node.succession = new Succession(node.name, Topology.vacant(inForce.epoch()));
            seeEverybodyAlive(node);
            seeEverybodyAlive(master);
            mastery.waitsFor.add(node.name);
            mastery.entering.put(node.name, must);
            acknowledgeAll(node, master.name);
        }

        private void commit(Node master) {
            ConflictClass c = CLASSES.get(random.nextInt(CLASSES.size()));
            List<Entry> held = master.held(c);
            held.add(new Entry(c, held.size() + 1, ++ids));
        }

        private void multicast(Node master) {
            Mastery mastery = mastery(master);
            for (ConflictClass c : CLASSES) {
                int sent = mastery.multicast.getOrDefault(c, 0);
                if (sent < master.held(c).size()) {
                    Message message = new Message.Stream(mastery.epoch, master.held(c).get(sent));
                    mastery.multicast.put(c, sent + 1);
                    multicast(master, message);
                }
            }
        }

        private void multicast(Node from, Message message) {
            for (String name : from.view) {
                send(from, name, message);
            }
        }

        private void send(Node from, String to, Message message) {
            node(to).from.computeIfAbsent(from.name, x -> new ArrayDeque<>()).add(message);
        }

        private void writeLog(Node master) {
            Mastery mastery = mastery(master);
            if (mastery.epoch != inForce.epoch()) {
                return;
            }
            for (ConflictClass c : CLASSES) {
                List<Entry> stored = log.getOrDefault(c, List.of());
                List<Entry> held = master.held(c);
                int upTo = Math.min(held.size(), stored.size() + 1 + random.nextInt(3));
                while (stored.size() < upTo) {
                    stored.add(held.get(stored.size()));
                }
                mastery.logged.put(c, stored.size());
            }
            acknowledgeToClients(master);
        }

        private void acknowledgeToClients(Node master) {
            Mastery mastery = mastery(master);
            for (ConflictClass c : CLASSES) {
                int stable = stable(mastery, c);
                master.held(c).subList(0, Math.min(stable, master.held(c).size())).stream()
                        .forEach(acknowledged::add);
            }
            mastery.entering
                    .entrySet()
                    .removeIf(e -> {
                        boolean in =
                                CLASSES.stream()
                                        .allMatch(c ->
                                                stable(mastery, c)
                                                        >= e.getValue().getOrDefault(c, 0));
                        if (in) {
                            decide(
                                    master,
                                    succession(master)
                                            .enters(new Member(e.getKey(), "", 1, false), now));
                        }
                        return in;
                    });
        }

        private static int stable(Mastery mastery, ConflictClass c) {
            int least =
                    Math.min(
                            mastery.multicast.getOrDefault(c, 0),
                            mastery.logged.getOrDefault(c, 0));
            for (String name : mastery.waitsFor) {
                least =
                        Math.min(
                                least,
                                mastery.received.getOrDefault(name, Map.of()).getOrDefault(c, 0));
            }
            return least;
        }

        private void deliver(Node node) {
            List<String> senders =
                    node.from.entrySet().stream()
                            .filter(e -> !e.getValue().isEmpty())
                            .map(Map.Entry::getKey)
                            .toList();
            String sender = senders.get(random.nextInt(senders.size()));
            Message message = Objects.requireNonNull(node.from.get(sender)).removeFirst();
            if (node.alive() && node.view.contains(sender)) {
                take(node, sender, message);
            }
        }

        private void take(Node node, String sender, Message message) {
            switch (message) {
                case Message.Stream(long epoch, Entry entry) -> {
                    if (!sender.equals(node.name)
                            && epoch >= node.known.term()
                            && epoch > node.closedEpoch) {
                        takeIn(node, List.of(entry));
                        if (node.alive()) {
                            acknowledge(node, sender, entry.ofClass);
                        }
                    }
                }
                case Message.HandedOver(List<Entry> entries) -> {
                    takeIn(node, entries);
                    if (node.alive() && node.closedEpoch > 0) {
                        multicast(node, new Message.Stands(node.standing()));
                    }
                }
                case Message.Acknowledged(long term, ConflictClass c, int number) -> {
                    Mastery mastery = node.mastery;
                    if (mastery != null && mastery.term == term) {
                        mastery.received
                                .computeIfAbsent(sender, x -> new HashMap<>())
                                .merge(c, number, Math::max);
                        acknowledgeToClients(node);
                    }
                }
                case Message.Stands(Standing standing) ->
                        decide(node, succession(node).standing(standing, now));
                case Message.Changed(Topology topology) -> learn(node, topology);
            }
        }

        private void takeIn(Node node, List<Entry> entries) {
            for (Entry entry : entries) {
                List<Entry> held = node.held(entry.ofClass);
                if (entry.number > held.size() + 1) {
                    leave(node);
                    return;
                }
                if (entry.number == held.size() + 1) {
                    held.add(entry);
                }
            }
        }

        private void acknowledge(Node node, String to, ConflictClass c) {
            send(node, to, new Message.Acknowledged(node.known.term(), c, node.held(c).size()));
        }

        private void acknowledgeAll(Node node, String master) {
            CLASSES.forEach(c -> acknowledge(node, master, c));
        }

        private void learn(Node node, Topology topology) {
            Mastery mastery = node.mastery;
            Topology before = node.known;
            if (topology.epoch() > before.epoch()) {
                node.known = topology;
                if (mastery != null && mastery.term == topology.term()) {
                    mastery.epoch = topology.epoch();
                    Set<String> gone = new TreeSet<>(before.names());
                    gone.removeAll(topology.names());
                    mastery.waitsFor.removeAll(gone);
                    acknowledgeToClients(node);
                }
            }
            if (mastery == null && topology.epoch() == node.known.epoch()) {
                acknowledgeAll(node, topology.master());
            }
            if (succession(node).topology().master().isEmpty()) {
                // A joiner begins with the first topology that names it.
                if (!topology.contains(node.name)) {
                    return;
                }
                Succession begun = new Succession(node.name, topology);
                node.succession = begun;
                decide(node, begun.present(node.view, now));
            }
            decide(node, succession(node).topology(topology, now));
        }

        private void decide(Node node, List<Decision> decisions) {
            node.due.addAll(decisions);
        }

        private void carryOut(Node node) {
            switch (node.due.removeFirst()) {
                case Decision.CloseStream(long epoch) -> {
                    node.closedEpoch = Math.max(node.closedEpoch, epoch);
                    multicast(node, new Message.Stands(node.standing()));
                }
                case Decision.LookUp() -> learn(node, inForce);
                case Decision.HandOver(String heir, List<ClassPosition> after) ->
                        send(node, heir, new Message.HandedOver(after(node, after)));
                case Decision.Change(Topology next) -> {
                    inForce = next.epoch() == inForce.epoch() + 1 ? next : inForce;
                    answered(node, random.nextInt(20) == 0);
                }
                case Decision.TakeOver takeOver -> {
                    if (takeOver.next().epoch() == inForce.epoch() + 1) {
                        takeOvers++;
                        inForce = takeOver.next();
                        takeOver.ends().forEach(this::cutOff);
                    }
                    boolean dies = random.nextInt(10) == 0;
                    if (inForce.equals(takeOver.next()) && !(dies && mayDie(node))) {
                        lead(node, takeOver);
                    }
                    answered(node, dies);
                }
                case Decision.Leave leave -> leave(node);
            }
        }

        private void answered(Node node, boolean dies) {
            Topology answer = inForce;
            if (dies && mayDie(node)) {
                node.die();
            } else {
                learn(node, answer);
                multicast(node, new Message.Changed(answer));
            }
        }

        private void cutOff(ClassPosition end) {
            List<Entry> stored = log.getOrDefault(end.conflictClass(), List.of());
            while (stored.size() > end.commitNumber()) {
                stored.removeLast();
            }
        }

        private void lead(Node node, Decision.TakeOver takeOver) {
            node.known = takeOver.next();
            multicast(node, new Message.HandedOver(after(node, takeOver.least())));
            Mastery mastery = new Mastery(takeOver.next().term());
            mastery.waitsFor.addAll(takeOver.next().names());
            mastery.waitsFor.remove(node.name);
            CLASSES.forEach(c -> mastery.multicast.put(c, node.held(c).size()));
            node.mastery = mastery;
        }

        private static List<Entry> after(Node node, List<ClassPosition> positions) {
            List<Entry> later = new ArrayList<>();
            for (ClassPosition position : positions) {
                for (Entry entry : node.held(position.conflictClass())) {
                    if (entry.number > position.commitNumber()
                            && entry.number >= node.keptFrom.getOrDefault(entry.ofClass, 1)) {
                        later.add(entry);
                    }
                }
            }
            return later;
        }

        /// A replica that still joins asks the backend whether it is a member by now.
        private void tick(Node node) {
            if (!succession(node).topology().master().isEmpty()) {
                decide(node, succession(node).tick(now));
            } else if (inForce.contains(node.name)) {
                learn(node, inForce);
            } else if (inForce.term() != node.known.term()) {
                node.die();
            }
        }

        private void leave(Node node) {
            node.die();
        }

        private void seeEverybodyAlive(Node node) {
            see(node, names(Node::alive));
        }

        private void suspectSomebody(Node node) {
            Set<String> some = names(Node::alive);
            some.removeIf(name -> !name.equals(node.name) && random.nextInt(3) == 0);
            see(node, some);
        }

        private void see(Node node, Set<String> members) {
            Set<String> view = new TreeSet<>(members);
            view.add(node.name);
            node.view = Set.copyOf(view);
            if (node.mastery != null) {
                node.mastery.waitsFor.removeIf(
                        name -> !view.contains(name) && !node.known.contains(name));
                node.mastery.entering.keySet().removeIf(name -> !view.contains(name));
            }
            if (!succession(node).topology().master().isEmpty()) {
                decide(node, succession(node).present(node.view, now));
            }
        }

        private Set<String> names(Predicate<Node> which) {
            Set<String> names = new TreeSet<>();
            nodes.values().stream().filter(which).forEach(n -> names.add(n.name));
            return names;
        }

        private void any(Predicate<Node> which, Consumer<Node> action) {
            List<Node> some = nodes.values().stream().filter(which).toList();
            if (!some.isEmpty()) {
                action.accept(some.get(random.nextInt(some.size())));
            }
        }

        private Node node(String name) {
            return Objects.requireNonNull(nodes.get(name), name);
        }

        private static Mastery mastery(Node node) {
            return Objects.requireNonNull(node.mastery);
        }

        private static Succession succession(Node node) {
            return Objects.requireNonNull(node.succession);
        }

        private void check() {
            for (Entry entry : acknowledged) {
                assertHolds(log.getOrDefault(entry.ofClass, List.of()), entry, "the log");
                for (String name : inForce.names()) {
                    if (node(name).alive()) {
                        assertHolds(node(name).held(entry.ofClass), entry, name);
                    }
                }
            }
        }

        private void assertHolds(List<Entry> entries, Entry entry, String who) {
            if (entries.size() < entry.number || !entries.get(entry.number - 1).equals(entry)) {
                throw new AssertionError(
                        "seed %d, step %d: %s does not hold the acknowledged %s"
                                .formatted(seed, steps, who, entry));
            }
        }

        /// Everybody sees who is alive and everything arrives: one master, and what it commits
        /// becomes stable everywhere.
        private void settle() {
            Collection<Node> all = nodes.values();
            for (int round = 0; round < 40; round++) {
                now += Succession.MINORITY_MILLIS;
                for (Node node : all) {
                    if (node.alive()) {
                        seeEverybodyAlive(node);
                        tick(node);
                    }
                }
                for (int i = 0; i < 100; i++) {
                    any(n -> n.from.values().stream().anyMatch(q -> !q.isEmpty()), this::deliver);
                    any(n -> !n.due.isEmpty(), this::carryOut);
                    any(n -> n.mastery != null, this::multicast);
                    any(n -> n.mastery != null, this::writeLog);
                }
                check();
            }
            Node master = node(inForce.master());
            assertThat(master.mastery)
                    .as("seed %d: %s, %s", seed, inForce, nodes.values())
                    .isNotNull();
            commit(master);
            for (int i = 0; i < 400; i++) {
                any(n -> n.mastery != null, this::multicast);
                any(n -> n.mastery != null, this::writeLog);
                any(n -> n.from.values().stream().anyMatch(q -> !q.isEmpty()), this::deliver);
            }
            for (ConflictClass c : CLASSES) {
                assertThat(acknowledged)
                        .as("seed %d: %s acknowledges everything", seed, master.name)
                        .containsAll(master.held(c));
                for (String name : inForce.names()) {
                    assertThat(node(name).held(c))
                            .as("seed %d: %s", seed, name)
                            .isEqualTo(master.held(c));
                }
            }
        }
    }
}
