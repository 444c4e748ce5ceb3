package org.quiredb.node.console;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/// The last samples of named series.
///
/// Invariant: every series has a place for each sample; a value that was not told is not a number.
///
/// Threads: any; guarded by this.
final class History {
    static final int MAXIMUM_SERIES = 256;

    private final int capacity;
    private final long[] times;
    private final Map<String, float[]> series = new TreeMap<>();
    private int size;
    private int next;

    /// @param capacity how many samples are kept
    History(int capacity) {
        this.capacity = capacity;
        times = new long[capacity];
    }

    /// @param at ms since 1970, after all that there are
    synchronized void add(long at, Map<String, Double> values) {
        times[next] = at;
        for (float[] each : series.values()) {
            each[next] = Float.NaN;
        }
        values.forEach((name, value) -> {
            float[] of = series.get(name);
            if (of == null && series.size() < MAXIMUM_SERIES) {
                of = new float[capacity];
                Arrays.fill(of, Float.NaN);
                series.put(name, of);
            }
            if (of != null) {
                of[next] = value.floatValue();
            }
        });
        next = (next + 1) % capacity;
        size = Math.min(size + 1, capacity);
        if (next == 0) {
            series.values().removeIf(History::isEmpty);
        }
    }

    private static boolean isEmpty(float[] values) {
        for (float value : values) {
            if (!Float.isNaN(value)) {
                return false;
            }
        }
        return true;
    }

    /// The oldest first.
    static final class Told {
        private final long[] times;
        private final Map<String, float[]> series;

        private Told(long[] times, Map<String, float[]> series) {
            this.times = times;
            this.series = series;
        }

        /// Of each sample, ms since 1970.
        long[] times() {
            return times;
        }

        Map<String, float[]> series() {
            return series;
        }
    }

    synchronized Told told() {
        long[] at = new long[size];
        for (int i = 0; i < size; i++) {
            at[i] = times[place(i)];
        }
        Map<String, float[]> values = new LinkedHashMap<>();
        series.forEach((name, all) -> {
            float[] told = new float[size];
            for (int i = 0; i < size; i++) {
                told[i] = all[place(i)];
            }
            values.put(name, told);
        });
        return new Told(at, values);
    }

    private int place(int index) {
        return (next - size + index + capacity) % capacity;
    }
}
