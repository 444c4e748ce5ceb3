package org.quiredb.node.lab;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// What clients of one period had to bear.
///
/// Threads: any.
public final class Incidents {
    private final Map<Integer, AtomicInteger> failed = new ConcurrentHashMap<>();
    private final AtomicInteger connectionsLost = new AtomicInteger();
    private final AtomicLong longestWriteNanos = new AtomicLong();
    private final AtomicLong longestReadNanos = new AtomicLong();

    void wrote(long nanos) {
        longestWriteNanos.accumulateAndGet(nanos, Math::max);
    }

    void read(long nanos) {
        longestReadNanos.accumulateAndGet(nanos, Math::max);
    }

    /// @param errorNumber as MySQL numbers errors
    void failed(int errorNumber) {
        failed.computeIfAbsent(errorNumber, number -> new AtomicInteger()).incrementAndGet();
    }

    void connectionLost() {
        connectionsLost.incrementAndGet();
    }

    /// The longest time that a client waited for one transaction, all its attempts together, in ms.
    public long longestWriteMillis() {
        return longestWriteNanos.get() / 1_000_000;
    }

    /// The longest time that a client waited for one read-only transaction, in ms.
    public long longestReadMillis() {
        return longestReadNanos.get() / 1_000_000;
    }

    public int connectionsLost() {
        return connectionsLost.get();
    }

    /// Statements that failed, by error number.
    public Map<Integer, Integer> failed() {
        Map<Integer, Integer> counts = new TreeMap<>();
        failed.forEach((number, count) -> counts.put(number, count.get()));
        return counts;
    }
}
