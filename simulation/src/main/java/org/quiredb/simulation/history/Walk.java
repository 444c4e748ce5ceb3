package org.quiredb.simulation.history;

import java.util.Arrays;
import java.util.List;
import org.quiredb.simulation.history.Graph.Edge;
import org.quiredb.simulation.history.Graph.Why;

/// A finished graph in numbers, for walking it: transactions and edges are numbered from 0.
final class Walk {
    private final List<Edge> edges;
    private final int transactions;
    private final int[] from;
    private final int[] to;
    private final int[] starts;
    private final int[] outgoing;

    Walk(Graph graph) {
        edges = List.copyOf(graph.edges());
        transactions = graph.size();
        from = edges.stream().mapToInt(edge -> graph.number(edge.from())).toArray();
        to = edges.stream().mapToInt(edge -> graph.number(edge.to())).toArray();
        starts = new int[transactions + 1];
        for (int transaction : from) {
            starts[transaction + 1]++;
        }
        for (int i = 0; i < transactions; i++) {
            starts[i + 1] += starts[i];
        }
        int[] next = Arrays.copyOf(starts, transactions);
        outgoing = new int[from.length];
        for (int i = 0; i < from.length; i++) {
            outgoing[next[from[i]]++] = i;
        }
    }

    int transactions() {
        return transactions;
    }

    int edges() {
        return from.length;
    }

    Edge edge(int edge) {
        return edges.get(edge);
    }

    Why why(int edge) {
        return edges.get(edge).why();
    }

    int from(int edge) {
        return from[edge];
    }

    int to(int edge) {
        return to[edge];
    }

    /// The place of a transaction's first edge; the next one's first is behind its last.
    int first(int transaction) {
        return starts[transaction];
    }

    /// The edge at a place.
    int at(int place) {
        return outgoing[place];
    }
}
