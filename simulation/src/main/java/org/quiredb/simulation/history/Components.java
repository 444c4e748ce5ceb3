package org.quiredb.simulation.history;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.IntStream;
import org.quiredb.simulation.history.Graph.Why;

/// The strongly connected components of a graph: two transactions are in one when each must come
/// before the other (Tarjan's algorithm, with a stack of its own because histories are long).
final class Components {
    private static final int NONE = -1;

    private final Walk walk;
    private final Set<Why> allowed;
    private final int[] index;
    private final int[] low;
    private final int[] component;
    private final int[] next;
    private final int[] path;
    private final int[] open;
    private int indexes;
    private int opened;
    private int components;

    private Components(Walk walk, Set<Why> allowed) {
        this.walk = walk;
        this.allowed = allowed;
        int size = walk.transactions();
        index = new int[size];
        Arrays.fill(index, NONE);
        low = new int[size];
        component = new int[size];
        Arrays.fill(component, NONE);
        next = IntStream.range(0, size).map(walk::first).toArray();
        path = new int[size];
        open = new int[size];
    }

    /// The component of each transaction.
    static int[] of(Walk walk, Set<Why> allowed) {
        Components components = new Components(walk, allowed);
        for (int start = 0; start < walk.transactions(); start++) {
            if (components.index[start] == NONE) {
                components.visit(start);
            }
        }
        return components.component;
    }

    private void visit(int start) {
        int depth = 0;
        path[depth++] = start;
        enter(start);
        while (depth > 0) {
            int at = path[depth - 1];
            int to = nextUnseen(at);
            if (to != NONE) {
                path[depth++] = to;
                enter(to);
            } else {
                depth--;
                if (low[at] == index[at]) {
                    close(at);
                }
                if (depth > 0) {
                    low[path[depth - 1]] = Math.min(low[path[depth - 1]], low[at]);
                }
            }
        }
    }

    private void enter(int transaction) {
        index[transaction] = indexes;
        low[transaction] = indexes++;
        open[opened++] = transaction;
    }

    private int nextUnseen(int at) {
        while (next[at] < walk.first(at + 1)) {
            int edge = walk.at(next[at]++);
            if (allowed.contains(walk.why(edge))) {
                int to = walk.to(edge);
                if (index[to] == NONE) {
                    return to;
                }
                if (component[to] == NONE) {
                    low[at] = Math.min(low[at], index[to]);
                }
            }
        }
        return NONE;
    }

    private void close(int root) {
        int member;
        do {
            member = open[--opened];
            component[member] = components;
        } while (member != root);
        components++;
    }
}
