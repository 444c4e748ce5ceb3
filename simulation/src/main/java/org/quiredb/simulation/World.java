package org.quiredb.simulation;

import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/// Time, chance and what is to happen: everything in a run comes out of one queue in one order.
///
/// Threads: one.
final class World {
    private record Due(long atMicros, long order, Runnable action) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int byTime = Long.compare(atMicros, other.atMicros);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    final Trace trace;
    private final Random random;
    private final PriorityQueue<Due> due = new PriorityQueue<>();
    private long nowMicros;
    private long order;
    private long moment;

    World(long seed, boolean printed) {
        this.random = new Random(seed);
        this.trace = new Trace(printed);
    }

    long nowMicros() {
        return nowMicros;
    }

    long nowMillis() {
        return nowMicros / 1000;
    }

    /// A number that is greater each time: when something happened, for histories.
    long moment() {
        return ++moment;
    }

    void after(long micros, Runnable action) {
        due.add(new Due(nowMicros + micros, order++, action));
    }

    /// Lets everything happen until then.
    void runUntil(long untilMicros) {
        while (!due.isEmpty() && due.peek().atMicros <= untilMicros) {
            Due next = due.remove();
            nowMicros = Math.max(nowMicros, next.atMicros);
            next.action.run();
        }
        nowMicros = Math.max(nowMicros, untilMicros);
    }

    long between(long least, long most) {
        return least + random.nextLong(most - least + 1);
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
