package org.quiredb.master.lock;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.quiredb.replica.tree.KeyRange;
import org.quiredb.replica.tree.KeySpace;
import org.quiredb.replica.tree.LockMode;

/// Which transaction holds and which waits for which range of keys: a pure state machine.
///
/// Requests are served first come, first served: one that conflicts with an earlier waiting one
/// waits behind it, so that readers do not starve a writer. Only a request whose owner the earlier
/// one waits for, directly or not, goes before it: else the two would wait for each other.
///
/// A deadlock is found at the moment at which it would come about: a transaction waits for at most
/// one range, so a new cycle of the waits-for graph goes through the transaction that begins to
/// wait. The victim is the lightest of those in the cycle: whose statement has been a victim least
/// often, then who holds the fewest ranges, then the one that begins to wait. Its request is
/// refused, it holds what it held, and its owner rolls it back.
///
/// That bounds how often a statement that is tried again loses: one that has lost n times loses
/// only to another that has lost as often, which then goes on; of k at a time hardly any loses more
/// than log2(k) times.
///
/// A guest passes what its host holds, and goes before whoever waits for that: a client that has
/// locked tables as a whole changes them in transactions of its own. Its host goes on no earlier
/// than the guest, so that it waits for whatever the guest waits for, as far as deadlocks go.
///
/// Invariant: no two transactions hold overlapping ranges in conflicting modes, but for a guest and
/// its host. Threads: one at a time; guarded by its owner.
public final class LockTable {
    /// What becomes of a request.
    public enum Outcome {
        GRANTED,
        WAITS,
        DEADLOCK
    }

    /// What becomes of a request, and of others because of it.
    ///
    /// @param victims waiting ones that are refused in its stead
    /// @param granted waiting ones that got theirs as victims left
    public record Answer(Outcome outcome, List<Long> victims, List<Long> granted) {
        private static final Answer PLAIN_GRANT = new Answer(Outcome.GRANTED, List.of(), List.of());
    }

    private final int maximumRanges;
    private final Map<KeySpace, LockSpace> spaces = new HashMap<>();
    private final Map<Long, Map<LockSpace, Set<HeldRange>>> held = new HashMap<>();
    private final Map<Long, LockRequest> waiting = new HashMap<>();
    private final Map<Long, Integer> losses = new HashMap<>();
    private final Map<Long, Long> hosts = new HashMap<>();

    /// @param maximumRanges that one transaction holds in one space; with more it asks for the
    ///   whole space
    public LockTable(int maximumRanges) {
        this.maximumRanges = maximumRanges;
    }

    /// How often the statement that this transaction runs has been a deadlock's victim, or is to
    /// count as having been.
    public void lostBefore(long transaction, int times) {
        losses.put(transaction, times);
    }

    /// The transaction is a guest until it ends. To be said before it asks for anything.
    public void guestOf(long host, long transaction) {
        hosts.put(transaction, host);
    }

    public Answer request(long transaction, KeySpace keys, KeyRange range, LockMode mode) {
        if (waiting.containsKey(transaction)) {
            throw new IllegalStateException(
                    "transaction " + transaction + " asks for a range while it waits for another");
        }
        Cycle cycle = tryFor(transaction, keys, range, mode);
        if (cycle.outcome == Outcome.GRANTED) {
            return Answer.PLAIN_GRANT;
        }
        List<Long> victims = new ArrayList<>(0);
        List<Long> granted = new ArrayList<>(0);
        while (cycle.outcome == Outcome.DEADLOCK) {
            long victim = lightest(transaction, cycle.members);
            if (victim == transaction) {
                break;
            }
            victims.add(victim);
            granted.addAll(giveUp(victim));
            cycle = tryFor(transaction, keys, range, mode);
        }
        return new Answer(cycle.outcome, victims, granted);
    }

    /// As {@link #request}, of one that will not wait.
    ///
    /// @return whether it is granted
    public boolean requestNow(long transaction, KeySpace keys, KeyRange range, LockMode mode) {
        LockSpace space = spaces.computeIfAbsent(keys, LockSpace::new);
        if (space.covers(transaction, range, mode)) {
            return true;
        }
        LockRequest request = bounded(asked(transaction, space, range, mode));
        boolean free = blockersOf(request, space.queue.size()).isEmpty();
        if (free) {
            grant(request);
        }
        return free;
    }

    /// @param members who else would wait in a circle, each of them waiting already
    private record Cycle(Outcome outcome, Set<Long> members) {
        static final Cycle GRANTED = new Cycle(Outcome.GRANTED, Set.of());
        static final Cycle WAITS = new Cycle(Outcome.WAITS, Set.of());
    }

    private Cycle tryFor(long transaction, KeySpace keys, KeyRange range, LockMode mode) {
        LockSpace space = spaces.computeIfAbsent(keys, LockSpace::new);
        if (space.covers(transaction, range, mode)) {
            return Cycle.GRANTED;
        }
        LockRequest request = bounded(asked(transaction, space, range, mode));
        List<LockRequest> queue = space.queue;
        if (blockersOf(request, queue.size()).isEmpty()) {
            grant(request);
            return Cycle.GRANTED;
        }
        boolean guest = hosts.containsKey(transaction);
        Map<Long, Set<Long>> waitsFor =
                guest || held.containsKey(transaction) ? waitsForGraph() : Map.of();
        Set<Long> behind = new HashSet<>(List.of(transaction, request.host()));
        addAllWhoWaitFor(behind, waitsFor);
        int place = place(queue, behind);
        Set<Long> blockers = blockersOf(request, place);
        if (blockers.isEmpty()) {
            grant(request);
            return Cycle.GRANTED;
        }
        queue.stream()
                .skip(place)
                .filter(request::conflictsWith)
                .forEach(later -> behind.add(later.transaction()));
        addAllWhoWaitFor(behind, waitsFor);
        if (!Collections.disjoint(blockers, behind)) {
            behind.retainAll(reachable(blockers, waitsFor));
            behind.retainAll(waiting.keySet()); // a host with a guest that waits asks for nothing
            return new Cycle(Outcome.DEADLOCK, behind);
        }
        queue.add(place, request);
        waiting.put(transaction, request);
        return Cycle.WAITS;
    }

    private long lightest(long transaction, Set<Long> others) {
        long lightest = transaction;
        for (long other : others) {
            if (weight(other) < weight(lightest)) {
                lightest = other;
            }
        }
        return lightest;
    }

    private long weight(long transaction) {
        long ranges = 0;
        for (Set<HeldRange> inOneSpace : held.getOrDefault(transaction, Map.of()).values()) {
            ranges += inOneSpace.size();
        }
        return ((long) losses.getOrDefault(transaction, 0) << Integer.SIZE) + ranges;
    }

    /// The transaction waits no longer (its time is up); what it holds stays. Returns whose waiting
    /// has ended with a grant.
    public List<Long> giveUp(long transaction) {
        LockRequest request = waiting.remove(transaction);
        if (request == null) {
            return List.of();
        }
        request.space().queue.remove(request);
        return admitWaiting(request.space());
    }

    /// The transaction is over. Returns whose waiting has ended with a grant.
    public List<Long> releaseAll(long transaction) {
        List<Long> granted = new ArrayList<>(giveUp(transaction));
        held.getOrDefault(transaction, Map.of())
                .forEach((space, ranges) -> {
                    ranges.forEach(range -> space.remove(range, transaction));
                    granted.addAll(admitWaiting(space));
                });
        held.remove(transaction);
        losses.remove(transaction);
        hosts.remove(transaction);
        return granted;
    }

    public boolean waits(long transaction) {
        return waiting.containsKey(transaction);
    }

    /// Whether one lock of the transaction gives it all of the range in that mode.
    public boolean holds(long transaction, KeySpace keys, KeyRange range, LockMode mode) {
        LockSpace space = spaces.get(keys);
        return space != null && space.covers(transaction, range, mode);
    }

    /// Whom the transaction waits for, first those that hold what it asks for; nobody when it does
    /// not wait.
    public Set<Long> blockers(long transaction) {
        LockRequest request = waiting.get(transaction);
        return request == null
                ? Set.of()
                : blockersOf(request, request.space().queue.indexOf(request));
    }

    /// Of which table are the keys or rows that a transaction waits for.
    ///
    /// @throws IllegalStateException when it does not wait
    public int tableWaitedFor(long transaction) {
        LockRequest request = waiting.get(transaction);
        if (request == null) {
            throw new IllegalStateException("transaction " + transaction + " does not wait");
        }
        return request.space().keys().tableId();
    }

    /// The number of key spaces in which someone holds or waits for a range.
    public int size() {
        return spaces.size();
    }

    private LockRequest asked(long transaction, LockSpace space, KeyRange range, LockMode mode) {
        long host = hosts.getOrDefault(transaction, transaction);
        return new LockRequest(transaction, host, space, range, mode);
    }

    /// The request itself, or one for the whole space by a transaction that holds much there.
    private LockRequest bounded(LockRequest request) {
        Set<HeldRange> mine =
                held.getOrDefault(request.transaction(), Map.of())
                        .getOrDefault(request.space(), Set.of());
        if (mine.size() < maximumRanges) {
            return request;
        }
        LockMode all = request.mode();
        for (HeldRange range : mine) {
            all = all.and(range.holders.getOrDefault(request.transaction(), all));
        }
        return asked(request.transaction(), request.space(), KeyRange.ALL, all);
    }

    private void grant(LockRequest request) {
        Set<HeldRange> mine =
                held.computeIfAbsent(request.transaction(), t -> new LinkedHashMap<>(4))
                        .computeIfAbsent(request.space(), s -> new LinkedHashSet<>(4));
        if (mine.size() >= maximumRanges) {
            mine.forEach(range -> request.space().remove(range, request.transaction()));
            mine.clear();
        }
        mine.add(request.space().add(request));
    }

    /// In front of the first waiting one that waits for the transaction that asks.
    private static int place(List<LockRequest> queue, Set<Long> behind) {
        for (int i = 0; i < queue.size(); i++) {
            if (behind.contains(queue.get(i).transaction())) {
                return i;
            }
        }
        return queue.size();
    }

    private List<Long> admitWaiting(LockSpace space) {
        List<Long> granted = new ArrayList<>(2);
        for (int i = 0; i < space.queue.size(); ) {
            LockRequest next = space.queue.get(i);
            if (blockersOf(next, i).isEmpty()) {
                space.queue.remove(i);
                waiting.remove(next.transaction());
                grant(next);
                granted.add(next.transaction());
            } else {
                i++;
            }
        }
        if (space.isUnused()) {
            spaces.remove(space.keys());
        }
        return granted;
    }

    /// Whom each waiting one waits for directly, and each host of one for its guest.
    private Map<Long, Set<Long>> waitsForGraph() {
        Map<Long, Set<Long>> graph = new HashMap<>();
        waiting.forEach((waiter, request) -> {
            int place = request.space().queue.indexOf(request);
            graph.computeIfAbsent(waiter, w -> new HashSet<>()).addAll(blockersOf(request, place));
            if (request.host() != waiter) {
                graph.computeIfAbsent(request.host(), h -> new HashSet<>()).add(waiter);
            }
        });
        return graph;
    }

    private static void addAllWhoWaitFor(Set<Long> found, Map<Long, Set<Long>> waitsFor) {
        boolean grew = true;
        while (grew) {
            grew = false;
            for (var waiter : waitsFor.entrySet()) {
                if (!Collections.disjoint(waiter.getValue(), found)) {
                    grew |= found.add(waiter.getKey());
                }
            }
        }
    }

    private static Set<Long> reachable(Set<Long> from, Map<Long, Set<Long>> waitsFor) {
        Set<Long> found = new HashSet<>(from);
        Deque<Long> open = new ArrayDeque<>(from);
        while (!open.isEmpty()) {
            for (long next : waitsFor.getOrDefault(open.pop(), Set.of())) {
                if (found.add(next)) {
                    open.push(next);
                }
            }
        }
        return found;
    }

    /// Whom a request at this place of the queue waits for: the holders and the earlier waiting
    /// ones that it conflicts with.
    private static Set<Long> blockersOf(LockRequest request, int place) {
        Set<Long> blockers = new LinkedHashSet<>();
        request.space().conflicting(request, blockers);
        for (LockRequest earlier : request.space().queue.subList(0, place)) {
            if (earlier.conflictsWith(request)) {
                blockers.add(earlier.transaction());
            }
        }
        return blockers;
    }
}
