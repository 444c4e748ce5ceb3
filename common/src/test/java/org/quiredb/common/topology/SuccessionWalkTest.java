package org.quiredb.common.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;

/// A tier in miniature under one seed: the real decisions, everything about them a model. Nodes
/// die, are wrongly suspected, hang between a decision and its effect, come back, and hand classes
/// on; messages of one sender stay in order and are lost when its receiver has another view.
/// Commits, their log and acknowledgements go on throughout.
///
/// After every step: what was acknowledged to a client is in the log, and with every member of the
/// topology in force; as many members as ever are active, the rest spares.
final class SuccessionWalkTest {
    private static final List<ConflictClass> CLASSES =
            Stream.of("a", "b", "c").map(ConflictClass::new).toList();
    private static final int STEPS = 600;

    @Test
    void noAcknowledgedCommitIsLostInAShortWalk() {
        int takeOvers = 0;
        int handedOn = 0;
        int settled = 0;
        int acknowledged = 0;
        for (long seed = 1; seed <= 40; seed++) {
            Walk walk = new Walk(seed);
            walk.run();
            takeOvers += walk.takeOvers;
            handedOn += walk.handedOn;
            settled += walk.over ? 0 : 1;
            acknowledged += walk.acknowledged.size();
        }
        // A walk in which nothing happens shows nothing.
        assertThat(takeOvers).isGreaterThan(20);
        assertThat(handedOn).isGreaterThan(20);
        assertThat(settled).isGreaterThan(30);
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

    /// What the master of a class keeps of it.
    private static final class Mastery {
        final long term;
        final Map<String, Integer> received = new HashMap<>();
        int multicast;
        int logged;
        int told;

        Mastery(long term, int held) {
            this.term = term;
            this.multicast = held;
        }
    }

    private static final class Node {
        final String name;
        final Map<ConflictClass, List<Entry>> held = new HashMap<>();
        final Map<ConflictClass, Integer> keptFrom = new HashMap<>();
        final Map<String, Deque<Message>> from = new TreeMap<>();
        final Deque<Decision> due = new ArrayDeque<>();
        @Nullable Succession succession;
        final Map<ConflictClass, Mastery> masteries = new HashMap<>();
        final Set<String> waitsFor = new TreeSet<>();
        final Map<String, Map<ConflictClass, Integer>> entering = new TreeMap<>();
        final Map<String, Long> closed = new TreeMap<>();
        // Of one that joins: masters that wait for it, in one epoch.
        final Set<String> agreed = new TreeSet<>();
        long agreedEpoch;
        long joinedEpoch;
        Set<String> view = Set.of();
        Topology known = Topology.vacant(0);

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
            return "%s alive %s knows %d of %d, closed %s, sees %s, due %s, is master of %s, holds %s"
                    .formatted(
                            name,
                            alive(),
                            known.epoch(),
                            known.leader().term(),
                            closed,
                            view,
                            due,
                            masteries.keySet(),
                            held.values().stream().map(List::size).toList());
        }

        void die() {
            succession = null;
            masteries.clear();
            waitsFor.clear();
            entering.clear();
            closed.clear();
            agreed.clear();
            held.clear();
            keptFrom.clear();
            from.clear();
            due.clear();
            view = Set.of();
            known = Topology.vacant(0);
        }

        boolean joins() {
            return alive() && !known.contains(name);
        }

        /// Is at the epoch, and master of everything that it gives it.
        boolean serves(Topology topology) {
            return alive()
                    && known.epoch() == topology.epoch()
                    && CLASSES.stream()
                            .filter(c -> topology.mastership(c).master().equals(name))
                            .allMatch(masteries::containsKey);
        }

        Standing standing() {
            return new Standing(
                    name,
                    closed.values().stream().mapToLong(e -> e).max().orElse(0),
                    closed.keySet(),
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
        private int handedOn;
        private boolean over;
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
            calmDown();
        }

        void run() {
            for (int step = 0; step < STEPS && !over; step++) {
                now += random.nextInt(20);
                step();
                check();
                steps++;
            }
            if (!over) {
                settle();
            }
        }

        private void step() {
            int what = random.nextInt(100);
            if (what < 8) {
                any(n -> !n.masteries.isEmpty(), this::commit);
            } else if (what < 18) {
                any(n -> !n.masteries.isEmpty(), this::multicast);
            } else if (what < 27) {
                any(n -> !n.masteries.isEmpty(), this::writeLog);
            } else if (what < 70) {
                any(n -> n.from.values().stream().anyMatch(q -> !q.isEmpty()), this::deliver);
            } else if (what < 83) {
                any(n -> !n.due.isEmpty(), this::carryOut);
            } else if (what < 86) {
                any(Node::alive, this::tick);
            } else if (what < 90) {
                any(Node::joins, this::tick);
            } else if (what < 92) {
                any(n -> !n.masteries.isEmpty(), this::handOn);
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
            CLASSES.forEach(c -> first.masteries.put(c, new Mastery(inForce.epoch(), 0)));
            first.succession = new Succession(first.name, inForce);
            seeEverybodyAlive(first);
        }

        /// Complete at once, from the masters, when they do not know the former self any more.
        private void join(Node node) {
            List<Node> masters = masters();
            if (node.alive()
                    || inForce.contains(node.name)
                    || !masters.stream().allMatch(m -> m.serves(inForce))) {
                return;
            }
            node.succession = new Succession(node.name, Topology.vacant(inForce.epoch()));
            seeEverybodyAlive(node);
            masters.forEach(this::seeEverybodyAlive);
            for (ConflictClass c : CLASSES) {
                Node master = node(inForce.mastership(c).master());
                Mastery mastery = mastery(master, c);
                node.held(c).addAll(master.held(c).subList(0, mastery.multicast));
                node.keptFrom.put(c, node.held(c).size() + 1);
            }
            node.known = inForce;
            node.joinedEpoch = inForce.epoch();
        }

        private List<Node> masters() {
            return inForce.masters().stream().map(this::node).toList();
        }

        /// One of the masters begins to wait for one that joins.
        private void subscribe(Node node) {
            if (node.agreedEpoch != inForce.epoch()) {
                node.agreed.clear();
                node.agreedEpoch = inForce.epoch();
            }
            List<Node> masters = masters();
            Node master = masters.get(random.nextInt(masters.size()));
            if (!master.serves(inForce) || !master.view.contains(node.name)) {
                return;
            }
            Map<ConflictClass, Integer> must = new HashMap<>();
            master.masteries.keySet().forEach(c -> must.put(c, master.held(c).size()));
            master.waitsFor.add(node.name);
            master.entering.put(node.name, must);
            master.masteries.keySet().forEach(c -> acknowledge(node, master.name, c));
            acknowledgeToClients(master);
        }

        /// A master has waited for everything that one that joins could not receive itself.
        private void agree(Node master, String joining) {
            Node node = node(joining);
            if (node.alive() && node.agreedEpoch == master.known.epoch()) {
                node.agreed.add(master.name);
            }
            Node leader = node(inForce.leader().master());
            if (node.agreedEpoch == inForce.epoch()
                    && node.agreed.equals(inForce.masters())
                    && leader.alive()
                    && leader.known.epoch() == inForce.epoch()) {
                Member member = new Member(joining, "", 1, joining.equals("n4"));
                decide(leader, succession(leader).enters(member, node.agreedEpoch, now));
            }
        }

        /// A class that is drained goes to another member.
        private void handOn(Node master) {
            List<ConflictClass> drained =
                    CLASSES.stream()
                            .filter(master.masteries::containsKey)
                            .filter(c -> stable(master, c) == master.held(c).size())
                            .toList();
            List<String> names = inForce.names();
            String to = names.get(random.nextInt(names.size()));
            if (drained.isEmpty()
                    || master.known.epoch() != inForce.epoch()
                    || to.equals(master.name)) {
                return;
            }
            inForce = inForce.handed(drained, to);
            handedOn++;
            answered(master, random.nextInt(20) == 0);
        }

        private void commit(Node master) {
            List<ConflictClass> its =
                    CLASSES.stream().filter(master.masteries::containsKey).toList();
            ConflictClass c = its.get(random.nextInt(its.size()));
            List<Entry> held = master.held(c);
            held.add(new Entry(c, held.size() + 1, ++ids));
        }

        private void multicast(Node master) {
            master.masteries.forEach((c, mastery) -> {
                if (mastery.multicast < master.held(c).size()) {
                    Entry entry = master.held(c).get(mastery.multicast++);
                    multicast(master, new Message.Stream(master.known.epoch(), entry));
                }
            });
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
            master.masteries.forEach((c, mastery) -> {
                if (mastery.term != inForce.mastership(c).term()) {
                    return;
                }
                List<Entry> stored = log.getOrDefault(c, List.of());
                List<Entry> held = master.held(c);
                int upTo = Math.min(held.size(), stored.size() + 1 + random.nextInt(3));
                while (stored.size() < upTo) {
                    stored.add(held.get(stored.size()));
                }
                mastery.logged = stored.size();
            });
            acknowledgeToClients(master);
        }

        private void acknowledgeToClients(Node master) {
            for (ConflictClass c : master.masteries.keySet()) {
                Mastery mastery = mastery(master, c);
                int stable = Math.min(stable(master, c), master.held(c).size());
                if (stable > mastery.told) {
                    acknowledged.addAll(master.held(c).subList(mastery.told, stable));
                    mastery.told = stable;
                }
            }
            List<String> agreed = new ArrayList<>();
            master.entering
                    .entrySet()
                    .removeIf(e -> {
                        boolean in =
                                master.masteries.keySet().stream()
                                        .allMatch(c ->
                                                stable(master, c)
                                                        >= e.getValue().getOrDefault(c, 0));
                        if (in) {
                            agreed.add(e.getKey());
                        }
                        return in;
                    });
            agreed.forEach(joining -> agree(master, joining));
        }

        private static int stable(Node master, ConflictClass c) {
            Mastery mastery = mastery(master, c);
            int least = Math.min(mastery.multicast, mastery.logged);
            for (String name : master.waitsFor) {
                least = Math.min(least, mastery.received.getOrDefault(name, 0));
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
                            && epoch >= node.known.mastership(entry.ofClass).term()
                            && epoch > node.closed.getOrDefault(sender, 0L)) {
                        takeIn(node, List.of(entry));
                        if (node.alive()) {
                            acknowledge(node, sender, entry.ofClass);
                        }
                    }
                }
                case Message.HandedOver(List<Entry> entries) -> {
                    takeIn(node, entries);
                    if (node.alive() && !node.closed.isEmpty()) {
                        multicast(node, new Message.Stands(node.standing()));
                    }
                }
                case Message.Acknowledged(long term, ConflictClass c, int number) -> {
                    Mastery mastery = node.masteries.get(c);
                    if (mastery != null && mastery.term == term) {
                        mastery.received.merge(sender, number, Math::max);
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
            long term = node.known.mastership(c).term();
            send(node, to, new Message.Acknowledged(term, c, node.held(c).size()));
        }

        private void learn(Node node, Topology topology) {
            if (topology.epoch() > node.known.epoch()) {
                node.known = topology;
                node.closed.clear();
                node.entering.clear();
                node.waitsFor.clear();
                node.waitsFor.addAll(topology.names());
                node.waitsFor.remove(node.name);
                for (ConflictClass c : CLASSES) {
                    hold(node, c, topology.mastership(c));
                }
                acknowledgeToClients(node);
            }
            if (topology.epoch() == node.known.epoch()) {
                CLASSES.forEach(c -> acknowledge(node, topology.mastership(c).master(), c));
            }
            if (succession(node).topology().members().isEmpty()) {
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

        /// Lets a class go that is another's by now, or begins it where it was handed on.
        private void hold(Node node, ConflictClass c, Mastership mastership) {
            Mastery mastery = node.masteries.get(c);
            boolean mine = mastership.master().equals(node.name);
            if (mastery != null && !(mine && mastery.term == mastership.term())) {
                node.masteries.remove(c);
                node.keptFrom.put(c, node.held(c).size() + 1);
                mastery = null;
            }
            if (mine && mastery == null) {
                node.masteries.put(c, new Mastery(mastership.term(), node.held(c).size()));
            }
        }

        private void decide(Node node, List<Decision> decisions) {
            node.due.addAll(decisions);
        }

        private void carryOut(Node node) {
            switch (node.due.removeFirst()) {
                case Decision.CloseStreams(long epoch, Set<String> masters) -> {
                    if (epoch < node.known.epoch()) {
                        return;
                    }
                    masters.forEach(name -> node.closed.put(name, epoch));
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
            multicast(node, new Message.HandedOver(after(node, takeOver.least())));
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

        /// A replica that still joins asks the backend whether it is a member by now, or a master
        /// is lost that it has received from.
        private void tick(Node node) {
            if (!succession(node).topology().members().isEmpty()) {
                decide(node, succession(node).tick(now));
                if (random.nextInt(5) == 0) {
                    learn(node, inForce);
                }
            } else if (inForce.lastLoss() > node.joinedEpoch) {
                node.die();
            } else if (inForce.contains(node.name)) {
                learn(node, inForce);
            } else {
                subscribe(node);
            }
        }

        /// When the last member leaves, the tier begins anew from the log: the walk is over.
        private void leave(Node node) {
            over |= !mayDie(node);
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
            if (succession(node).topology().members().isEmpty()) {
                return;
            }
            Set<String> gone = new TreeSet<>(node.waitsFor);
            gone.removeIf(name -> view.contains(name) || node.known.contains(name));
            decide(node, succession(node).present(node.view, now));
            decide(node, succession(node).without(gone, now));
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

        private static Mastery mastery(Node node, ConflictClass c) {
            return Objects.requireNonNull(node.masteries.get(c));
        }

        private static Succession succession(Node node) {
            return Objects.requireNonNull(node.succession);
        }

        private void check() {
            List<Member> spares = inForce.members().stream().filter(Member::spare).toList();
            int active = inForce.members().size() - spares.size();
            assertThat(active)
                    .as("seed %d: active of %s", seed, inForce)
                    .isGreaterThanOrEqualTo(Math.min(inForce.active(), inForce.members().size()));
            assertThat(inForce.active()).isLessThanOrEqualTo(3);
            assertThat(spares).noneMatch(m -> inForce.masters().contains(m.name()));
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

        /// Everybody sees who is alive and everything arrives: each class has one master, and what
        /// it commits becomes stable everywhere.
        private void settle() {
            calmDown();
            if (over) {
                return;
            }
            for (Node master : masters()) {
                assertThat(master.serves(inForce))
                        .as("seed %d: %s, %s", seed, inForce, nodes.values())
                        .isTrue();
            }
            for (ConflictClass c : CLASSES) {
                List<Entry> held = node(inForce.mastership(c).master()).held(c);
                held.add(new Entry(c, held.size() + 1, ++ids));
            }
            calmDown();
            if (over) {
                return;
            }
            for (ConflictClass c : CLASSES) {
                Node master = node(inForce.mastership(c).master());
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

        private void calmDown() {
            for (int round = 0; round < 20; round++) {
                now += Succession.MINORITY_MILLIS;
                calm();
            }
        }

        /// Everybody sees who is alive, and everything that is under way arrives.
        private void calm() {
            for (Node node : nodes.values()) {
                if (node.alive()) {
                    seeEverybodyAlive(node);
                    tick(node);
                    if (node.alive() && inForce.contains(node.name)) {
                        learn(node, inForce);
                    }
                }
            }
            Predicate<Node> hasMail = n -> n.from.values().stream().anyMatch(q -> !q.isEmpty());
            Predicate<Node> busy = n -> hasMail.test(n) || !n.due.isEmpty() || unsent(n);
            while (nodes.values().stream().anyMatch(busy)) {
                any(hasMail, this::deliver);
                any(n -> !n.due.isEmpty(), this::carryOut);
                any(this::unsent, this::multicast);
            }
            for (int i = 0; i < 30; i++) {
                any(n -> !n.masteries.isEmpty(), this::writeLog);
            }
            check();
        }

        private boolean unsent(Node node) {
            return node.masteries.entrySet().stream()
                    .anyMatch(e -> e.getValue().multicast < node.held(e.getKey()).size());
        }
    }
}
