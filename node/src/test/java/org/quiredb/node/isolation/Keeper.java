package org.quiredb.node.isolation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Numbers that a history has once: transactions, values, and the bits of groups' members.
///
/// Threads: any.
final class Keeper {
    /// Members that a group may ever have, the bits of a positive BIGINT.
    private static final int BITS = 62;

    private final AtomicInteger transactions = new AtomicInteger();
    private final AtomicInteger values = new AtomicInteger();
    private final Map<Integer, List<Integer>> members = new ConcurrentHashMap<>();

    int transaction() {
        return transactions.getAndIncrement();
    }

    int value() {
        return values.incrementAndGet();
    }

    /// A value of a group that a sum of weights shows; 0 when the group has had enough of them.
    int member(int key) {
        int value = value();
        List<Integer> all =
                members.compute(
                        key,
                        (k, before) -> {
                            List<Integer> list =
                                    new ArrayList<>(before == null ? List.of() : before);
                            if (list.size() < BITS) {
                                list.add(value);
                            }
                            return list;
                        });
        return all.getLast() == value ? value : 0;
    }

    /// That were ever given out.
    List<Integer> members(int key) {
        return members.getOrDefault(key, List.of());
    }

    long weight(int key, int value) {
        return 1L << members(key).indexOf(value);
    }

    /// The values whose weights give this sum; one that nobody wrote for a bit that has no value or
    /// when the count is another.
    List<Integer> decode(int key, long sum, int count) {
        List<Integer> all = members(key);
        List<Integer> values = new ArrayList<>();
        for (int bit = 0; bit < BITS; bit++) {
            if ((sum >> bit & 1) == 1) {
                values.add(bit < all.size() ? all.get(bit) : -bit);
            }
        }
        if (values.size() != count) {
            values.add(-100 - count);
        }
        return values;
    }
}
