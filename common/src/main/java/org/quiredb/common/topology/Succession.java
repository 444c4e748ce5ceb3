package org.quiredb.common.topology;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.quiredb.common.version.ClassPosition;

/// What one in-sync replica decides about the topology: a pure state machine.
///
/// A change of the topology is asked for once, and then waited for: its answer comes as {@link
/// #topology}, whoever won.
///
/// Threads: one at a time; guarded by its owner.
public final class Succession {
    /// How long fewer than half of the members wait before one of them takes over.
    static final long MINORITY_MILLIS = 500;

    /// How often one that waits for others asks the backend, and tells its own standing again: who
    /// learned of the topology later, or had the teller in its view later, missed it.
    static final long LOOK_UP_MILLIS = 200;

    private final String self;
    private final Map<String, Standing> standings = new TreeMap<>();
    private final Map<String, Member> entering = new LinkedHashMap<>();
    private final Set<String> unwanted = new TreeSet<>();
    private final Set<String> closed = new TreeSet<>();
    private final Set<String> handed = new HashSet<>();
    private Topology topology;
    private Set<String> present = Set.of();
    private long lostMillis;
    private long lookedUpMillis;
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

    /// The group's members now.
    public List<Decision> present(Set<String> members, long nowMillis) {
        present = Set.copyOf(members);
        List<Decision> decisions = new ArrayList<>();
        if (!closed.isEmpty()) {
            // Who has come back may have missed it.
            decisions.add(new Decision.CloseStreams(topology.epoch(), Set.copyOf(closed)));
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
            unwanted.clear();
            entering.clear();
            closed.clear();
            asked = false;
        }
        return decide(nowMillis);
    }

    /// A member has closed streams, or this one holds more by now.
    public List<Decision> standing(Standing standing, long nowMillis) {
        if (standing.epoch() == topology.epoch()) {
            standings.put(standing.replica(), standing);
        }
        return decide(nowMillis);
    }

    /// As leader: the commits of every master have waited for this replica since the epoch, so make
    /// it a member.
    public List<Decision> enters(Member member, long epoch, long nowMillis) {
        if (epoch == topology.epoch()) {
            entering.put(member.name(), member);
        }
        return decide(nowMillis);
    }

    /// As a master: go on without these, members or about to be, because they hold commits back.
    public List<Decision> without(Set<String> names, long nowMillis) {
        unwanted.addAll(names);
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
        Set<String> lost = lostMasters();
        return lost.isEmpty() ? change() : succeedTo(lost, nowMillis);
    }

    /// Masters that are gone, or that another member has closed the stream of.
    private Set<String> lostMasters() {
        Set<String> lost = new TreeSet<>(topology.masters());
        lost.removeIf(name -> present.contains(name) && !unwanted.contains(name));
        standings.values().forEach(standing -> lost.addAll(standing.closed()));
        lost.addAll(closed);
        lost.remove(self);
        return lost;
    }

    /// A change under the same masters.
    private List<Decision> change() {
        Set<String> lost = new TreeSet<>(unwanted);
        if (topology.leads(self)) {
            topology.names().stream().filter(name -> !present.contains(name)).forEach(lost::add);
            entering.keySet().removeIf(name -> !present.contains(name) || lost.contains(name));
        }
        lost.remove(self);
        if (lost.isEmpty() && entering.isEmpty()) {
            return List.of();
        }
        asked = true;
        return List.of(new Decision.Change(topology.changed(lost, List.copyOf(entering.values()))));
    }

    private List<Decision> succeedTo(Set<String> lost, long nowMillis) {
        if (closed.isEmpty()) {
            lostMillis = nowMillis;
        }
        if (closed.addAll(lost)) {
            lookedUpMillis = nowMillis;
            return List.of(new Decision.CloseStreams(topology.epoch(), Set.copyOf(closed)));
        }
        Set<String> survivors = new TreeSet<>(topology.names());
        survivors.retainAll(present);
        survivors.add(self);
        survivors.removeAll(closed);
        if (!survivors.stream().allMatch(this::hasClosed)) {
            return again(nowMillis);
        }
        boolean minority = 2 * survivors.size() < topology.members().size();
        if (minority && nowMillis - lostMillis < MINORITY_MILLIS) {
            return List.of();
        }
        Inheritance inheritance = new Inheritance(topology, closed, survivors, standings);
        List<Decision> next =
                inheritance.heir().map(heir -> follow(heir, inheritance)).orElse(List.of());
        return next.isEmpty() ? again(nowMillis) : next;
    }

    private boolean hasClosed(String survivor) {
        Standing standing = standings.get(survivor);
        return standing != null && standing.closed().containsAll(closed);
    }

    /// What was handed over may have been missed, too.
    private List<Decision> again(long nowMillis) {
        if (nowMillis - lookedUpMillis < LOOK_UP_MILLIS) {
            return List.of();
        }
        lookedUpMillis = nowMillis;
        handed.clear();
        return List.of(
                new Decision.CloseStreams(topology.epoch(), Set.copyOf(closed)),
                new Decision.LookUp());
    }

    private List<Decision> follow(Standing heir, Inheritance inheritance) {
        if (heir.replica().equals(self)) {
            if (!inheritance.missedBy(heir).isEmpty()) {
                return List.of();
            }
            asked = true;
            return List.of(inheritance.takenBy(heir));
        }
        List<ClassPosition> after = inheritance.handedOverBy(self, heir);
        return !after.isEmpty() && handed.add(heir.replica())
                ? List.of(new Decision.HandOver(heir.replica(), after))
                : List.of();
    }
}
