package org.quiredb.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// What has happened in a run: a hash of everything, and the newest lines.
///
/// Threads: one.
final class Trace {
    private static final int KEPT = 120;
    private static final long PRIME = 0x100000001B3L;

    /// A text only where it is read.
    private record Line(long nowMicros, String where, String what) {
        @Override
        public String toString() {
            return "%10.3f ms %-4s %s".formatted(nowMicros / 1000.0, where, what);
        }
    }

    private final Deque<Line> newest = new ArrayDeque<>();
    private final boolean printed;
    private long hash = 0xCBF29CE484222325L;
    private long events;

    /// @param printed every line, as it comes
    Trace(boolean printed) {
        this.printed = printed;
    }

    /// @param what the same for the same seed, in every JVM
    void add(long nowMicros, String where, String what) {
        events++;
        mix(nowMicros);
        mix(where.hashCode());
        mix(what.hashCode());
        Line line = new Line(nowMicros, where, what);
        newest.addLast(line);
        if (newest.size() > KEPT) {
            newest.removeFirst();
        }
        if (printed) {
            System.out.println(line);
        }
    }

    private void mix(long value) {
        hash = (hash ^ value) * PRIME;
        hash ^= hash >>> 29;
    }

    long hash() {
        return hash;
    }

    long events() {
        return events;
    }

    List<String> newest() {
        return newest.stream().map(Line::toString).toList();
    }
}
