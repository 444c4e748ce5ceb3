package org.quiredb.master.lock;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which transaction holds and which waits for which page: a pure state machine.
///
/// Requests are served first come, first served: one that conflicts with an earlier waiting one
/// waits behind it, so that readers do not starve a writer. Only an upgrade (a holder of a shared
/// lock asks for an exclusive one) goes before those that hold nothing, because nobody gets past it
/// anyway.
///
/// A deadlock is found at the moment at which it would come about: a transaction waits for at most
/// one page, so a new cycle of the waits-for graph goes through the transaction that begins to
/// wait. That transaction is the victim: its request is refused, it holds what it held, and its
/// owner rolls it back.
///
/// Invariant: of a page's holders, either all are shared or there is exactly one. Threads: one at a
/// time; guarded by its owner.
public final class LockTable {
    /// What becomes of a request.
    public enum Outcome {
        GRANTED,
        WAITS,
        DEADLOCK
    }

    private record Waiting(long transaction, LockMode mode) {}

    private static final class PageLock {
        final Map<Long, LockMode> holders = new HashMap<>(4);
        final List<Waiting> queue = new ArrayList<>(2);

        boolean admits(long transaction, LockMode mode) {
            for (Map.Entry<Long, LockMode> holder : holders.entrySet()) {
                if (holder.getKey() != transaction && mode.conflictsWith(holder.getValue())) {
                    return false;
                }
            }
            return true;
        }
    }

    private final Map<Long, PageLock> pages = new HashMap<>();
    private final Map<Long, Set<Long>> held = new HashMap<>();
    private final Map<Long, Long> waitsForPage = new HashMap<>();

    public Outcome request(long transaction, long pageId, LockMode mode) {
        if (waitsForPage.containsKey(transaction)) {
            throw new IllegalStateException(
                    "transaction " + transaction + " asks for a page while it waits for another");
        }
        PageLock lock = pages.computeIfAbsent(pageId, id -> new PageLock());
        LockMode has = lock.holders.get(transaction);
        if (has != null && has.covers(mode)) {
            return Outcome.GRANTED;
        }
        if ((has != null || lock.queue.isEmpty()) && lock.admits(transaction, mode)) {
            grant(transaction, pageId, lock, mode);
            return Outcome.GRANTED;
        }
        enqueue(lock, new Waiting(transaction, mode), has != null);
        waitsForPage.put(transaction, pageId);
        if (closesCycle(transaction)) {
            withdraw(transaction);
            return Outcome.DEADLOCK;
        }
        return Outcome.WAITS;
    }

    /// The transaction waits no longer (its time is up); what it holds stays. Returns whose waiting
    /// has ended with a grant.
    public List<Long> giveUp(long transaction) {
        Long pageId = withdraw(transaction);
        return pageId == null ? List.of() : admitWaiting(pageId);
    }

    /// The transaction is over. Returns whose waiting has ended with a grant.
    public List<Long> releaseAll(long transaction) {
        List<Long> granted = new ArrayList<>(giveUp(transaction));
        Set<Long> pageIds = held.remove(transaction);
        if (pageIds != null) {
            for (long pageId : pageIds) {
                lockOf(pageId).holders.remove(transaction);
                granted.addAll(admitWaiting(pageId));
            }
        }
        return granted;
    }

    public boolean waits(long transaction) {
        return waitsForPage.containsKey(transaction);
    }

    /// The mode in which the transaction holds the page, null when it does not.
    public @Nullable LockMode holds(long transaction, long pageId) {
        PageLock lock = pages.get(pageId);
        return lock == null ? null : lock.holders.get(transaction);
    }

    /// The number of pages that someone holds or waits for.
    public int size() {
        return pages.size();
    }

    private void grant(long transaction, long pageId, PageLock lock, LockMode mode) {
        lock.holders.put(transaction, mode);
        held.computeIfAbsent(transaction, id -> new HashSet<>()).add(pageId);
    }

    private static void enqueue(PageLock lock, Waiting waiting, boolean upgrade) {
        int place = lock.queue.size();
        if (upgrade) {
            place = 0;
            while (place < lock.queue.size()
                    && lock.holders.containsKey(lock.queue.get(place).transaction)) {
                place++;
            }
        }
        lock.queue.add(place, waiting);
    }

    private @Nullable Long withdraw(long transaction) {
        Long pageId = waitsForPage.remove(transaction);
        if (pageId != null) {
            lockOf(pageId).queue.removeIf(waiting -> waiting.transaction == transaction);
        }
        return pageId;
    }

    private List<Long> admitWaiting(long pageId) {
        PageLock lock = lockOf(pageId);
        List<Long> granted = new ArrayList<>(2);
        while (!lock.queue.isEmpty()) {
            Waiting first = lock.queue.getFirst();
            if (!lock.admits(first.transaction, first.mode)) {
                break;
            }
            lock.queue.removeFirst();
            waitsForPage.remove(first.transaction);
            grant(first.transaction, pageId, lock, first.mode);
            granted.add(first.transaction);
        }
        if (lock.holders.isEmpty() && lock.queue.isEmpty()) {
            pages.remove(pageId);
        }
        return granted;
    }

    private boolean closesCycle(long start) {
        Set<Long> seen = new HashSet<>();
        ArrayDeque<Long> open = new ArrayDeque<>(blockersOf(start));
        while (!open.isEmpty()) {
            long next = open.pop();
            if (next == start) {
                return true;
            }
            if (seen.add(next)) {
                open.addAll(blockersOf(next));
            }
        }
        return false;
    }

    /// Whom the transaction waits for: the holders and the earlier waiting ones that its request
    /// conflicts with.
    private List<Long> blockersOf(long transaction) {
        Long pageId = waitsForPage.get(transaction);
        if (pageId == null) {
            return List.of();
        }
        PageLock lock = lockOf(pageId);
        List<Waiting> earlier = new ArrayList<>(lock.queue.size());
        LockMode mode = LockMode.SHARED;
        for (Waiting waiting : lock.queue) {
            if (waiting.transaction == transaction) {
                mode = waiting.mode;
                break;
            }
            earlier.add(waiting);
        }
        LockMode wanted = mode;
        List<Long> blockers = new ArrayList<>();
        lock.holders.forEach((holder, held) -> {
            if (holder != transaction && wanted.conflictsWith(held)) {
                blockers.add(holder);
            }
        });
        earlier.stream()
                .filter(w -> wanted.conflictsWith(w.mode))
                .forEach(w -> blockers.add(w.transaction));
        return blockers;
    }

    private PageLock lockOf(long pageId) {
        PageLock lock = pages.get(pageId);
        if (lock == null) {
            throw new IllegalStateException("page " + pageId + " has no lock");
        }
        return lock;
    }
}
