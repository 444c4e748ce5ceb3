package org.quiredb.common.topology;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;

/// What lost masters leave behind, and who gets it: pure, the same for every survivor.
///
/// Commits of all classes that are lost at one time go to one heir, so that one change of the
/// topology, one cut of the log and one list of survivors settle it.
final class Inheritance {
    private final Topology topology;
    private final Set<String> lost;
    private final Set<String> survivors;
    private final Map<String, Standing> standings;
    private final Set<ConflictClass> classes = new HashSet<>();

    /// @param standings of every survivor at least
    Inheritance(
            Topology topology,
            Set<String> lost,
            Set<String> survivors,
            Map<String, Standing> standings) {
        this.topology = topology;
        this.lost = Set.copyOf(lost);
        this.survivors = survivors;
        this.standings = standings;
        survivors.forEach(name ->
                standing(name).holdings().stream()
                        .map(Standing.Holding::conflictClass)
                        .filter(c -> lost.contains(topology.mastership(c).master()))
                        .forEach(classes::add));
    }

    /// The most advanced one that the others can complete; of equals a slave before a spare, then
    /// whoever is master of least.
    Optional<Standing> heir() {
        return survivors.stream()
                .map(this::standing)
                .filter(s -> classes.stream().allMatch(c -> holder(c, s).isPresent()))
                .filter(this::levelsMasters)
                .max(
                        Comparator.<Standing>comparingLong(s -> s.sum(classes))
                                .thenComparing(s -> !spare(s.replica()))
                                .thenComparingLong(s -> -masterOf(s.replica()))
                                .thenComparing(Standing::replica, Comparator.reverseOrder()));
    }

    /// Classes that another survivor is further in.
    Set<ConflictClass> missedBy(Standing heir) {
        Set<ConflictClass> missed = new HashSet<>(classes);
        missed.removeIf(c -> heir.received(c) >= most(c));
        return missed;
    }

    /// What one survivor is to hand to the heir.
    List<ClassPosition> handedOverBy(String self, Standing heir) {
        return missedBy(heir).stream()
                .filter(c -> self.equals(holder(c, heir).orElse("")))
                .map(c -> new ClassPosition(c, heir.received(c)))
                .toList();
    }

    Decision.TakeOver takenBy(Standing heir) {
        Set<String> levelled = new TreeSet<>(survivors);
        levelled.removeIf(name -> !reaches(heir, standing(name)));
        return new Decision.TakeOver(
                topology.takenOver(lost, heir.replica(), levelled),
                positions(heir::received),
                positions(c -> least(c, levelled)));
    }

    /// Who has everything of a class that somebody has, and can give it to the heir.
    private Optional<String> holder(ConflictClass c, Standing heir) {
        return survivors.stream()
                .map(this::standing)
                .filter(s -> s.received(c) == most(c))
                .filter(s -> s.keepsAfter(c, heir.received(c)))
                .map(Standing::replica)
                .findFirst();
    }

    /// A master of other classes cannot be left behind.
    private boolean levelsMasters(Standing heir) {
        return topology.masters().stream()
                .filter(survivors::contains)
                .allMatch(name -> reaches(heir, standing(name)));
    }

    private boolean reaches(Standing heir, Standing survivor) {
        return classes.stream().allMatch(c -> heir.keepsAfter(c, survivor.received(c)));
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

    private long masterOf(String name) {
        return topology.classes().values().stream().filter(m -> m.master().equals(name)).count()
                + (topology.leads(name) ? 1 : 0);
    }

    private long most(ConflictClass c) {
        return survivors.stream().mapToLong(name -> standing(name).received(c)).max().orElse(0);
    }

    private long least(ConflictClass c, Set<String> of) {
        return of.stream().mapToLong(name -> standing(name).received(c)).min().orElse(0);
    }

    private List<ClassPosition> positions(ToLongFunction<ConflictClass> of) {
        return classes.stream().map(c -> new ClassPosition(c, of.applyAsLong(c))).toList();
    }
}
