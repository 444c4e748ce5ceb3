package org.quiredb.common.topology;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;

/// Who is what. Immutable; every change is the next epoch.
///
/// @param lastLoss the last epoch that began with the loss of a master: what one that joins had
///   received before may be of commits that nobody kept
/// @param leader the master of every class that is not in `classes`, and of the members
/// @param classes those that have changed hands on their own
/// @param active how many members are to be masters and slaves, the others being spares: the most
///   that were there at one time and did not wish to be spares
/// @param members the in-sync replicas, the masters among them
public record Topology(
        long epoch,
        long lastLoss,
        Mastership leader,
        SortedMap<ConflictClass, Mastership> classes,
        int active,
        List<Member> members) {
    public Topology {
        TreeMap<ConflictClass, Mastership> sorted = byName();
        sorted.putAll(classes);
        classes = Collections.unmodifiableSortedMap(sorted);
        members = List.copyOf(members);
        List<Mastership> all = new ArrayList<>(classes.values());
        all.add(leader);
        boolean vacant = leader.master().isEmpty() && members.isEmpty() && classes.isEmpty();
        Set<String> names = new TreeSet<>(members.stream().map(Member::name).toList());
        boolean led = all.stream().allMatch(m -> names.contains(m.master()));
        if (lastLoss > epoch || all.stream().anyMatch(m -> m.term() > epoch) || !(vacant || led)) {
            throw new IllegalArgumentException(
                    "no topology: epoch %d, leader %s, classes %s, members %s"
                            .formatted(epoch, leader, classes, members));
        }
    }

    /// Nobody, at an epoch that has been used.
    public static Topology vacant(long epoch) {
        return new Topology(epoch, epoch, new Mastership("", epoch), byName(), 0, List.of());
    }

    /// Who is master of a class, whether it exists already or not.
    public Mastership mastership(ConflictClass conflictClass) {
        return classes.getOrDefault(conflictClass, leader);
    }

    /// The members that are master of something, or may become it without another epoch.
    public Set<String> masters() {
        return masters(leader, classes);
    }

    private static Set<String> masters(
            Mastership leader, SortedMap<ConflictClass, Mastership> classes) {
        Set<String> masters = new TreeSet<>();
        masters.add(leader.master());
        classes.values().forEach(m -> masters.add(m.master()));
        return masters;
    }

    /// Whether a member is master of something by the change to an epoch.
    public boolean heldSince(String name, long sinceEpoch) {
        Mastership held = new Mastership(name, sinceEpoch);
        return leader.equals(held) || classes.containsValue(held);
    }

    public boolean leads(String name) {
        return leader.master().equals(name);
    }

    public Optional<Member> member(String name) {
        return members.stream().filter(m -> m.name().equals(name)).findFirst();
    }

    public boolean contains(String name) {
        for (Member member : members) { // at each read: no stream
            if (member.name().equals(name)) {
                return true;
            }
        }
        return false;
    }

    public List<String> names() {
        return members.stream().map(Member::name).toList();
    }

    /// For a log: `epoch 4: master leads, slave-1 is master of shop; in sync: master, slave-1`.
    public String inWords() {
        StringBuilder words = new StringBuilder("epoch " + epoch + ": ");
        words.append(leader.master().isEmpty() ? "nobody leads" : leader.master() + " leads");
        classes.forEach((c, m) -> {
            if (!m.master().equals(leader.master())) {
                words.append(", %s is master of %s".formatted(m.master(), c));
            }
        });
        return words.append("; in sync: ").append(String.join(", ", names())).toString();
    }

    /// A leader that found nobody else.
    public Topology begunBy(Member first) {
        return new Topology(
                epoch + 1,
                epoch + 1,
                new Mastership(first.name(), epoch + 1),
                byName(),
                1,
                List.of(first.asSpare(false)));
    }

    /// Members lost and added under the same masters. A spare takes a lost slave's place; whoever
    /// returns when its place is taken is a spare.
    public Topology changed(Set<String> lost, Collection<Member> added) {
        List<Member> rest = new ArrayList<>(members);
        rest.removeIf(m ->
                lost.contains(m.name()) || added.stream().anyMatch(a -> a.name().equals(m.name())));
        added.forEach(m -> rest.add(m.asSpare(true)));
        int wished = (int) rest.stream().filter(m -> !m.wishedSpare()).count();
        return next(lastLoss, leader, classes, Math.max(active, wished), rest);
    }

    /// Everything that the lost ones were master of goes to the heir; these members survive.
    public Topology takenOver(Set<String> lost, String heir, Set<String> survivors) {
        List<Member> rest =
                members.stream()
                        .filter(m -> survivors.contains(m.name()) || m.name().equals(heir))
                        .toList();
        UnaryOperator<Mastership> next =
                m -> lost.contains(m.master()) ? new Mastership(heir, epoch + 1) : m;
        SortedMap<ConflictClass, Mastership> handed = byName();
        classes.forEach((c, m) -> handed.put(c, next.apply(m)));
        return next(epoch + 1, next.apply(leader), handed, active, rest);
    }

    /// Classes that have another master from here on, while everybody goes on living.
    public Topology handed(Collection<ConflictClass> handed, String to) {
        SortedMap<ConflictClass, Mastership> next = byName();
        next.putAll(classes);
        handed.forEach(c -> next.put(c, new Mastership(to, epoch + 1)));
        return next(lastLoss, leader, next, active, members);
    }

    private Topology next(
            long newLastLoss,
            Mastership newLeader,
            SortedMap<ConflictClass, Mastership> newClasses,
            int newActive,
            List<Member> of) {
        Set<String> masters = masters(newLeader, newClasses);
        List<Member> next = new ArrayList<>(of);
        next.replaceAll(m -> masters.contains(m.name()) ? m.asSpare(false) : m);
        long missing = newActive - next.stream().filter(m -> !m.spare()).count();
        missing = turn(next, missing, m -> m.spare() && !m.wishedSpare());
        missing = turn(next, missing, Member::spare);
        // A spare that became master leaves one active member too many.
        turn(next, -missing, m -> !m.spare() && m.wishedSpare() && !masters.contains(m.name()));
        return new Topology(epoch + 1, newLastLoss, newLeader, newClasses, newActive, next);
    }

    /// Makes spares active, or active ones spares, the first ones first.
    ///
    /// @return how many are wanted still
    private static long turn(List<Member> members, long wanted, Predicate<Member> which) {
        long left = wanted;
        for (int i = 0; i < members.size() && left > 0; i++) {
            Member member = members.get(i);
            if (which.test(member)) {
                members.set(i, member.asSpare(!member.spare()));
                left--;
            }
        }
        return left;
    }

    private static TreeMap<ConflictClass, Mastership> byName() {
        return new TreeMap<>(Comparator.comparing(ConflictClass::name));
    }

    public void encode(ByteWriter writer) {
        leader.encode(writer.varint(epoch).varint(lastLoss));
        writer.list(
                List.copyOf(classes.entrySet()),
                (w, e) -> {
                    e.getKey().encode(w);
                    e.getValue().encode(w);
                });
        writer.varint(active).list(members, (w, m) -> m.encode(w));
    }

    public static Topology decode(ByteReader reader) {
        long epoch = reader.varint();
        long lastLoss = reader.varint();
        Mastership leader = Mastership.decode(reader);
        SortedMap<ConflictClass, Mastership> classes = byName();
        reader.list(r -> Map.entry(ConflictClass.decode(r), Mastership.decode(r)))
                .forEach(e -> classes.put(e.getKey(), e.getValue()));
        try {
            return new Topology(
                    epoch,
                    lastLoss,
                    leader,
                    classes,
                    reader.count(0xFFFF),
                    reader.list(Member::decode));
        } catch (IllegalArgumentException e) {
            throw new MangledMessageException(String.valueOf(e.getMessage()));
        }
    }
}
