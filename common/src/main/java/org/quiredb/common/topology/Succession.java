package org.quiredb.common.topology;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.quiredb.common.message.ClassPosition;
import org.quiredb.common.version.ConflictClass;

/// What one in-sync replica decides about the topology: a pure state machine.
///
/// A change of the topology is asked for once, and then waited for: its answer comes as {@link
/// #topology}, whoever won.
///
/// Threads: one at a time; guarded by its owner.
public final class Succession {
    /// How long fewer than half of the members wait before one of them takes over.
    static final long MINORITY_MILLIS = 500;

    /// How often one that waits for others' standings asks the backend.
    static final long LOOK_UP_MILLIS = 200;

    private final String self;
    private final Map<String, Standing> standings = new TreeMap<>();
    private final Map<String, Member> entering = new LinkedHashMap<>();
    private final Set<String> lagging = new TreeSet<>();
    private final Set<String> handed = new HashSet<>();
    private Topology topology;
    private Set<String> present = Set.of();
    private long lostMillis;
    private long lookedUpMillis;
    private boolean closed;
    private boolean asked;
    private boolean left;

    /// @param topology one that this replica is a member of
    public Succession(String self, Topology topology) {
        this.self = self;
        this.topology = topology;
    }

    public Topology topology() {
        return topology;
    }

    public boolean leads() {
        return topology.master().equals(self);
    }

    /// The group's members now.
    public List<Decision> present(Set<String> members, long nowMillis) {
        present = Set.copyOf(members);
        List<Decision> decisions = new ArrayList<>();
        if (closed) {
            // Who has come back may have missed it.
            decisions.add(new Decision.CloseStream(topology.epoch()));
        }
        decisions.addAll(decide(nowMillis));
        return decisions;
    }

    /// The topology as the backend has it.
    public List<Decision> topology(Topology newer, long nowMillis) {
        if (newer.epoch() > topology.epoch()) {
            topology = newer;
            standings.clear();
            handed.clear();
            lagging.clear();
            entering.keySet().removeIf(newer::contains);
            closed = false;
            asked = false;
        }
        return decide(nowMillis);
    }

    /// A member has closed its stream, or this one holds more by now.
    public List<Decision> standing(Standing standing, long nowMillis) {
        if (standing.epoch() == topology.epoch()) {
            standings.put(standing.replica(), standing);
        }
        return decide(nowMillis);
    }

    /// As master: commits wait for this replica already; make it a member.
    public List<Decision> enters(Member member, long nowMillis) {
        entering.put(member.name(), member);
        return decide(nowMillis);
    }

    /// As master: these members hold commits back for too long.
    public List<Decision> lag(Set<String> members, long nowMillis) {
        lagging.addAll(members);
        return decide(nowMillis);
    }

    public List<Decision> tick(long nowMillis) {
        return decide(nowMillis);
    }

    private List<Decision> decide(long nowMillis) {
        if (left || asked || present.isEmpty()) {
            return List.of();
        }
        if (!topology.contains(self)) {
            left = true;
            return List.of(
                    new Decision.Leave(
                            "epoch %d goes on without it, with %s"
                                    .formatted(topology.epoch(), topology.names())));
        }
        return leads() ? decideAsMaster() : decideAsMember(nowMillis);
    }

    private List<Decision> decideAsMaster() {
        Set<String> lost = new TreeSet<>(topology.names());
        lost.removeIf(name -> present.contains(name) && !lagging.contains(name));
        lost.remove(self);
        entering.keySet().removeIf(name -> !present.contains(name));
        if (lost.isEmpty() && entering.isEmpty()) {
            return List.of();
        }
        asked = true;
        Topology next = topology.changed(lost, List.copyOf(entering.values()));
        entering.clear();
        return List.of(new Decision.Change(next));
    }

    private List<Decision> decideAsMember(long nowMillis) {
        boolean masterLost = !present.contains(topology.master());
        if (!closed && (masterLost || !standings.isEmpty())) {
            closed = true;
            lostMillis = nowMillis;
            lookedUpMillis = nowMillis;
            return List.of(new Decision.CloseStream(topology.epoch()));
        }
        return closed ? succeed(nowMillis) : List.of();
    }

    private List<Decision> succeed(long nowMillis) {
        Set<String> survivors = new TreeSet<>(topology.names());
        survivors.retainAll(present);
        survivors.add(self);
        survivors.remove(topology.master());
        if (!standings.keySet().containsAll(survivors)) {
            return lookUp(nowMillis);
        }
        boolean minority = 2 * survivors.size() < topology.members().size() - 1;
        if (minority && nowMillis - lostMillis < MINORITY_MILLIS) {
            return List.of();
        }
        return heir(survivors).map(heir -> follow(heir, survivors)).orElse(List.of());
    }

    private List<Decision> lookUp(long nowMillis) {
        if (nowMillis - lookedUpMillis < LOOK_UP_MILLIS) {
            return List.of();
        }
        lookedUpMillis = nowMillis;
        return List.of(new Decision.LookUp());
    }

    private List<Decision> follow(Standing heir, Set<String> survivors) {
        Set<ConflictClass> missing = new HashSet<>(classes());
        missing.removeIf(c -> heir.received(c) >= most(c, survivors));
        if (!heir.replica().equals(self)) {
            return handOver(heir, missing, survivors);
        }
        if (!missing.isEmpty()) {
            return List.of();
        }
        asked = true;
        Set<String> levelled = new TreeSet<>(survivors);
        levelled.removeIf(name -> !reaches(heir, standing(name)));
        return List.of(
                new Decision.TakeOver(
                        topology.ledBy(self, levelled),
                        positions(heir::received),
                        positions(c -> least(c, levelled))));
    }

    private List<Decision> handOver(
            Standing heir, Set<ConflictClass> missing, Set<String> survivors) {
        missing.removeIf(c -> !self.equals(holder(c, heir, survivors).orElse("")));
        if (missing.isEmpty() || !handed.add(heir.replica())) {
            return List.of();
        }
        return List.of(
                new Decision.HandOver(
                        heir.replica(),
                        missing.stream()
                                .map(c -> new ClassPosition(c, heir.received(c)))
                                .toList()));
    }

    /// The most advanced one that the others can complete; of equals a slave before a spare.
    private Optional<Standing> heir(Set<String> survivors) {
        return survivors.stream()
                .map(this::standing)
                .filter(s -> classes().stream().allMatch(c -> holder(c, s, survivors).isPresent()))
                .max(
                        Comparator.comparingLong(Standing::sum)
                                .thenComparing(s -> !spare(s.replica()))
                                .thenComparing(Standing::replica, Comparator.reverseOrder()));
    }

    /// Who has everything of a class that somebody has, and can give it to the heir.
    private Optional<String> holder(ConflictClass c, Standing heir, Set<String> survivors) {
        return survivors.stream()
                .map(this::standing)
                .filter(s -> s.received(c) == most(c, survivors))
                .filter(s -> s.keepsAfter(c, heir.received(c)))
                .map(Standing::replica)
                .findFirst();
    }

    private boolean reaches(Standing heir, Standing survivor) {
        return classes().stream().allMatch(c -> heir.keepsAfter(c, survivor.received(c)));
    }

    private Standing standing(String replica) {
        Standing known = standings.get(replica);
        if (known == null) {
            throw new IllegalStateException("no standing of " + replica);
        }
        return known;
    }

    private boolean spare(String name) {
        return topology.member(name).map(Member::spare).orElse(true);
    }

    private Set<ConflictClass> classes() {
        Set<ConflictClass> classes = new HashSet<>();
        standings.values().forEach(s -> s.holdings().forEach(h -> classes.add(h.conflictClass())));
        return classes;
    }

    private long most(ConflictClass c, Set<String> of) {
        return of.stream().mapToLong(name -> standing(name).received(c)).max().orElse(0);
    }

    private long least(ConflictClass c, Set<String> of) {
        return of.stream().mapToLong(name -> standing(name).received(c)).min().orElse(0);
    }

    private List<ClassPosition> positions(ToLongFunction<ConflictClass> of) {
        return classes().stream().map(c -> new ClassPosition(c, of.applyAsLong(c))).toList();
    }
}
