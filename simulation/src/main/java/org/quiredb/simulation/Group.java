package org.quiredb.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The group as JGroups gives it: what one member sends to another arrives once and in order while
/// both have each other in their views, and each has its own view at its own time. Who leaves a
/// view and comes back has missed what was sent meanwhile.
///
/// Threads: one.
final class Group {
    static final long SILENCE_MICROS = 1_000_000;

    /// A member in the group.
    interface Member {
        Machine process();

        void received(String from, byte[] message);

        void membersChanged(Set<String> members);
    }

    private record Link(String from, String to) {}

    private static final class Joined {
        final Member member;
        final int life;
        final Set<String> view = new TreeSet<>();
        long toldMicros;

        Joined(Member member) {
            this.member = member;
            this.life = member.process().life();
        }

        boolean lives() {
            return member.process().up() && member.process().life() == life;
        }
    }

    private final World world;
    private final Map<String, Joined> members = new TreeMap<>();
    private final Map<Link, Long> lastArrival = new HashMap<>();
    private final Map<Link, Integer> broken = new HashMap<>();

    /// Where a message was dropped since both are members.
    private final Set<Link> lost = new HashSet<>();

    private final Map<Link, Long> slow = new HashMap<>();
    private final Map<Link, Long> apartSince = new HashMap<>();
    private final Map<Link, List<byte[]>> waiting = new HashMap<>();

    Group(World world) {
        this.world = world;
        world.after(20_000, this::watch);
    }

    void join(Member member) {
        String name = member.process().name;
        Joined joined = new Joined(member);
        members.put(name, joined);
        breakLinks(name);
        lost.removeIf(l -> l.from.equals(name) || l.to.equals(name));
        joined.view.add(name);
        for (Joined other : members.values()) {
            if (other != joined && meets(joined, other)) {
                joined.view.add(other.member.process().name);
                world.after(world.between(100, 5_000), () -> see(other, name));
            }
        }
        tell(joined);
    }

    /// Its sockets are closed, by its death or on purpose.
    void left(String name) {
        Joined gone = members.get(name);
        if (gone == null) {
            return;
        }
        members.remove(name);
        for (Joined other : members.values()) {
            world.after(world.between(500, 60_000), () -> miss(other, gone, name));
        }
    }

    /// Whether something that one sent has not arrived, and never will.
    boolean hasLost(String from, String to) {
        return lost.contains(new Link(from, to));
    }

    Set<String> view(String name) {
        Joined joined = members.get(name);
        return joined == null ? Set.of() : Set.copyOf(joined.view);
    }

    void multicast(Machine from, byte[] message) {
        Joined sender = members.get(from.name);
        if (sender != null) {
            members.keySet().stream()
                    .filter(to -> !sender.view.contains(to))
                    .forEach(to -> lost.add(new Link(from.name, to)));
            List.copyOf(sender.view).forEach(to -> send(from, to, message));
        }
    }

    /// From here on what one sends takes so much longer to the other; 0 for no more.
    void slow(String from, String to, long micros) {
        if (micros == 0) {
            slow.remove(new Link(from, to));
        } else {
            slow.put(new Link(from, to), micros);
        }
    }

    void send(Machine from, String to, byte[] message) {
        Joined sender = members.get(from.name);
        Joined receiver = members.get(to);
        if (sender == null || receiver == null || !sender.lives()) {
            return;
        }
        Link link = new Link(from.name, to);
        if (!sender.view.contains(to) || !from.reaches(receiver.member.process())) {
            if (sender.view.contains(to)) {
                // Sent again until it arrives or one is excluded: the link keeps its order.
                waiting.computeIfAbsent(link, l -> new ArrayList<>()).add(message);
            }
            return;
        }
        deliver(link, sender, receiver, message, 0);
    }

    private void deliver(Link link, Joined sender, Joined receiver, byte[] message, long extra) {
        List<byte[]> before = waiting.get(link);
        if (before != null && extra == 0) {
            before.add(message);
            return;
        }
        int unbroken = broken.getOrDefault(link, 0);
        long delay =
                link.from.equals(link.to)
                        ? world.between(1, 50)
                        : Calls.delay(world) + slow.getOrDefault(link, 0L);
        long at = Math.max(world.nowMicros() + delay, lastArrival.getOrDefault(link, 0L) + 1);
        lastArrival.put(link, at);
        Machine to = receiver.member.process();
        int life = sender.life;
        world.after(
                at - world.nowMicros(),
                () -> arrive(link, life, receiver, message, unbroken, to.life()));
    }

    private void arrive(
            Link link, int senderLife, Joined receiver, byte[] message, int unbroken, int life) {
        Machine to = receiver.member.process();
        Joined sender = members.get(link.from);
        boolean died = sender == null || sender.life != senderLife;
        if (!receiver.lives()
                || to.life() != life
                || members.get(link.to) != receiver
                || broken.getOrDefault(link, 0) != unbroken
                || !receiver.view.contains(link.from)
                || (died && world.chance(slow.containsKey(link) ? 90 : 30))) {
            lost.add(link);
            if (died) {
                breakLink(link);
            }
            return;
        }
        to.after(
                0,
                () -> {
                    if (receiver.view.contains(link.from)
                            && broken.getOrDefault(link, 0) == unbroken
                            && members.get(link.to) == receiver) {
                        receiver.member.received(link.from, message);
                    } else {
                        lost.add(link);
                    }
                });
    }

    /// Silence for a second excludes; who is heard again is let in again.
    private void watch() {
        List<Joined> all = List.copyOf(members.values());
        for (Joined one : all) {
            for (Joined other : all) {
                if (one != other) {
                    watch(one, other);
                }
            }
        }
        world.after(20_000, this::watch);
    }

    private void watch(Joined one, Joined other) {
        String from = one.member.process().name;
        String to = other.member.process().name;
        Link link = new Link(from, to);
        if (meets(one, other)) {
            apartSince.remove(link);
            flush(link, one, other);
            if (!one.view.contains(to) && world.chance(8)) {
                see(one, to);
            }
        } else {
            long since = apartSince.computeIfAbsent(link, l -> world.nowMicros());
            if (one.view.contains(to)
                    && world.nowMicros() - since >= SILENCE_MICROS
                    && world.chance(40)) {
                miss(one, other, to);
            }
        }
    }

    private void flush(Link link, Joined sender, Joined receiver) {
        List<byte[]> late = waiting.remove(link);
        if (late != null && sender.view.contains(link.to)) {
            late.forEach(message -> deliver(link, sender, receiver, message, 1));
        }
    }

    /// One that stands still hears nobody and is heard by nobody.
    private static boolean meets(Joined one, Joined other) {
        Machine a = one.member.process();
        Machine b = other.member.process();
        return one.lives() && other.lives() && a.reaches(b) && !a.paused() && !b.paused();
    }

    private void see(Joined one, String other) {
        Joined joined = members.get(other);
        if (joined != null
                && one.lives()
                && members.get(one.member.process().name) == one
                && meets(one, joined)
                && one.view.add(other)) {
            breakLink(new Link(other, one.member.process().name));
            tell(one);
        }
    }

    private void miss(Joined one, Joined gone, String other) {
        Joined now = members.get(other);
        if (one.lives() && (now == null || now == gone) && one.view.remove(other)) {
            breakLink(new Link(other, one.member.process().name));
            tell(one);
        }
    }

    private void tell(Joined one) {
        Set<String> view = Set.copyOf(one.view);
        one.toldMicros = Math.max(world.nowMicros() + world.between(0, 200), one.toldMicros + 1);
        one.member
                .process()
                .after(one.toldMicros - world.nowMicros(), () -> one.member.membersChanged(view));
    }

    private void breakLinks(String name) {
        for (String other : members.keySet()) {
            breakLink(new Link(name, other));
            breakLink(new Link(other, name));
        }
    }

    private void breakLink(Link link) {
        broken.merge(link, 1, Integer::sum);
        if (waiting.remove(link) != null) {
            lost.add(link);
        }
    }
}
