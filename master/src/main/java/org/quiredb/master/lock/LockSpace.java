package org.quiredb.master.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.quiredb.replica.tree.Cut;
import org.quiredb.replica.tree.KeyRange;
import org.quiredb.replica.tree.KeySpace;
import org.quiredb.replica.tree.LockMode;

/// The ranges that are held in one space of keys, and who waits there.
///
/// Most ranges are prefixes: all keys that begin with the same bytes, often one whole key. Two of
/// those overlap only where one's bytes begin with the other's, so a request looks up the shorter
/// beginnings of its first key, of the lengths that are held at all, and what lies within itself.
/// Other ranges are few and looked through.
///
/// Threads: guarded by the lock table's owner.
final class LockSpace {
    private final KeySpace keys;
    final List<LockRequest> queue = new ArrayList<>(2);
    private final NavigableMap<Cut, HeldRange> prefixes = new TreeMap<>();
    private final NavigableMap<Integer, Integer> prefixLengths = new TreeMap<>();
    private final List<HeldRange> others = new ArrayList<>(2);

    LockSpace(KeySpace keys) {
        this.keys = keys;
    }

    KeySpace keys() {
        return keys;
    }

    boolean isUnused() {
        return queue.isEmpty() && prefixes.isEmpty() && others.isEmpty();
    }

    /// Whether one lock of the transaction gives it all of the range in that mode.
    boolean covers(long transaction, KeyRange range, LockMode mode) {
        return anyOverlapping(range, held -> held.covers(transaction, range, mode));
    }

    /// Adds who holds what the request conflicts with.
    void conflicting(LockRequest request, Set<Long> conflicting) {
        anyOverlapping(
                request.range(),
                held -> {
                    held.holders.forEach((holder, mode) -> {
                        if (!request.passes(holder) && request.mode().conflictsWith(mode)) {
                            conflicting.add(holder);
                        }
                    });
                    return false;
                });
    }

    /// The range with its new holder, or one that the transaction held already and now holds in
    /// both modes.
    HeldRange add(LockRequest request) {
        HeldRange held = request.range().isPrefix() ? prefix(request.range()) : other(request);
        held.holders.merge(request.transaction(), request.mode(), LockMode::and);
        return held;
    }

    void remove(HeldRange held, long transaction) {
        held.holders.remove(transaction);
        if (!held.holders.isEmpty()) {
            return;
        }
        if (held.range.isPrefix()) {
            prefixes.remove(held.range.from());
            prefixLengths.computeIfPresent(
                    held.range.from().length(), (length, count) -> count == 1 ? null : count - 1);
        } else {
            others.remove(held);
        }
    }

    private HeldRange prefix(KeyRange range) {
        return prefixes.computeIfAbsent(
                range.from(),
                from -> {
                    prefixLengths.merge(from.length(), 1, Integer::sum);
                    return new HeldRange(range);
                });
    }

    private HeldRange other(LockRequest request) {
        for (HeldRange held : others) {
            if (held.range.equals(request.range())) {
                return held;
            }
        }
        HeldRange added = new HeldRange(request.range());
        others.add(added);
        return added;
    }

    private boolean anyOverlapping(KeyRange range, Predicate<HeldRange> predicate) {
        for (HeldRange held : prefixes.subMap(range.from(), true, range.to(), false).values()) {
            if (predicate.test(held)) {
                return true;
            }
        }
        Cut from = range.from();
        for (int length : prefixLengths.headMap(from.length(), true).keySet()) {
            Cut beginning = from.beforePrefix(length);
            HeldRange held = beginning.compareTo(from) < 0 ? prefixes.get(beginning) : null;
            if (held != null && held.range.overlaps(range) && predicate.test(held)) {
                return true;
            }
        }
        for (HeldRange held : others) {
            if (held.range.overlaps(range) && predicate.test(held)) {
                return true;
            }
        }
        return false;
    }
}
