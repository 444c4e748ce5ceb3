package org.quiredb.master.lock;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
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
/// wait. That transaction is the victim: its request is refused, it holds what it held, and its
/// owner rolls it back.
///
/// Invariant: no two transactions hold overlapping ranges in conflicting modes. Threads: one at a
/// time; guarded by its owner.
public final class LockTable {
    /// What becomes of a request.
    public enum Outcome {
        GRANTED,
        WAITS,
        DEADLOCK
    }

    private final int maximumRanges;
    private final Map<KeySpace, LockSpace> spaces = new HashMap<>();
    private final Map<Long, Map<LockSpace, Set<HeldRange>>> held = new HashMap<>();
    private final Map<Long, LockRequest> waiting = new HashMap<>();

    /// @param maximumRanges that one transaction holds in one space; with more it asks for the
    ///   whole space
    public LockTable(int maximumRanges) {
        this.maximumRanges = maximumRanges;
    }

    public Outcome request(long transaction, KeySpace keys, KeyRange range, LockMode mode) {
        if (waiting.containsKey(transaction)) {
            throw new IllegalStateException(
                    "transaction " + transaction + " asks for a range while it waits for another");
        }
        LockSpace space = spaces.computeIfAbsent(keys, LockSpace::new);
        if (space.covers(transaction, range, mode)) {
            return Outcome.GRANTED;
        }
        LockRequest request = bounded(new LockRequest(transaction, space, range, mode));
        List<LockRequest> queue = space.queue;
        if (blockersOf(request, queue.size()).isEmpty()) {
            grant(request);
            return Outcome.GRANTED;
        }
        Map<Long, Set<Long>> waitsFor = held.containsKey(transaction) ? waitsForGraph() : Map.of();
        Set<Long> behind = new HashSet<>(Set.of(transaction));
        addAllWhoWaitFor(behind, waitsFor);
        int place = place(queue, behind);
        Set<Long> blockers = blockersOf(request, place);
        if (blockers.isEmpty()) {
            grant(request);
            return Outcome.GRANTED;
        }
        queue.stream()
                .skip(place)
                .filter(request::conflictsWith)
                .forEach(later -> behind.add(later.transaction()));
        addAllWhoWaitFor(behind, waitsFor);
        if (!Collections.disjoint(blockers, behind)) {
            return Outcome.DEADLOCK;
        }
        queue.add(place, request);
        waiting.put(transaction, request);
        return Outcome.WAITS;
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

    /// The number of key spaces in which someone holds or waits for a range.
    public int size() {
        return spaces.size();
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
        return new LockRequest(request.transaction(), request.space(), KeyRange.ALL, all);
    }

    private void grant(LockRequest request) {
        Set<HeldRange> mine =
                held.computeIfAbsent(request.transaction(), t -> new HashMap<>(4))
                        .computeIfAbsent(request.space(), s -> new HashSet<>(4));
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

    /// Whom each waiting one waits for directly.
    private Map<Long, Set<Long>> waitsForGraph() {
        Map<Long, Set<Long>> graph = new HashMap<>();
        waiting.forEach((waiter, request) -> {
            int place = request.space().queue.indexOf(request);
            graph.put(waiter, blockersOf(request, place));
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
