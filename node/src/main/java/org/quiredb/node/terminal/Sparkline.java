package org.quiredb.node.terminal;

import java.util.ArrayDeque;
import java.util.Deque;

/// The last values of something as a row of small bars, the highest as tall as a line.
///
/// Threads: one at a time.
public final class Sparkline {
    private static final String BLOCKS = " ▁▂▃▄▅▆▇█";
    private static final String LETTERS = " .:-=+*#@";

    private final int length;
    private final String steps;
    private final Deque<Double> values = new ArrayDeque<>();

    public Sparkline(int length) {
        this(length, Screen.hasBlocks());
    }

    Sparkline(int length, boolean blocks) {
        this.length = length;
        steps = blocks ? BLOCKS : LETTERS;
    }

    public void add(double value) {
        values.addLast(value);
        if (values.size() > length) {
            values.removeFirst();
        }
    }

    /// What is above zero has at least the lowest bar, so that a gap is a gap.
    @Override
    public String toString() {
        double highest = values.stream().mapToDouble(v -> v).max().orElse(0);
        StringBuilder line = new StringBuilder();
        for (double value : values) {
            int step = highest <= 0 ? 0 : (int) Math.ceil(value / highest * (steps.length() - 1));
            line.append(steps.charAt(Math.max(0, step)));
        }
        return line.toString();
    }
}
