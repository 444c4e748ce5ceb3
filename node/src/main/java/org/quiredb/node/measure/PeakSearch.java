package org.quiredb.node.measure;

import java.util.LinkedHashMap;
import java.util.Map;

/// How many clients it takes for the most throughput: twice as many at each step, until two steps
/// in a row brought no more. One alone is chance too often: commits that are flushed together gain
/// only with many clients, and what else the machine does falls on one step and not on the next.
///
/// Threads: one.
final class PeakSearch {
    private static final double WORTH_GOING_ON = 1.05;
    private static final int STEPS_IN_VAIN = 2;

    private final int most;
    private final Map<Integer, Double> measured = new LinkedHashMap<>();
    private int next;
    private int best;
    private double greatest;
    private int inVain;
    private boolean over;

    /// @param most clients that are tried
    PeakSearch(int first, int most) {
        this.most = most;
        next = Math.min(first, most);
        best = next;
    }

    boolean isOver() {
        return over;
    }

    /// How many clients to try.
    int next() {
        return next;
    }

    /// Of those that were to be tried.
    void measured(double throughput) {
        measured.put(next, throughput);
        inVain = throughput > greatest * WORTH_GOING_ON ? 0 : inVain + 1;
        if (throughput > greatest) {
            greatest = throughput;
            best = next;
        }
        over = inVain >= STEPS_IN_VAIN || next >= most;
        next = Math.min(2 * next, most);
    }

    /// The number of clients with the most throughput so far.
    int best() {
        return best;
    }

    /// Throughput by clients.
    Map<Integer, Double> measured() {
        return measured;
    }
}
