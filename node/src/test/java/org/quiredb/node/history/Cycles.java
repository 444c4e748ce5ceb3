package org.quiredb.node.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.history.Anomaly.Kind;
import org.quiredb.node.history.Dependencies.Edge;
import org.quiredb.node.history.Dependencies.Why;

/// Finds the shortest cycles, those of the worst kinds first.
///
/// A kind of cycle is an edge that closes it and the edges that the rest of it may have. A
/// transaction is named in one anomaly only: what else it is part of mostly follows from it.
final class Cycles {
    private record Pattern(Why closing, Set<Why> others) {}

    private static final List<Pattern> PATTERNS =
            List.of(
                    new Pattern(Why.WRITE_WRITE, EnumSet.of(Why.WRITE_WRITE)),
                    new Pattern(Why.WRITE_READ, EnumSet.of(Why.WRITE_WRITE, Why.WRITE_READ)),
                    new Pattern(Why.READ_WRITE, EnumSet.of(Why.WRITE_WRITE, Why.WRITE_READ)),
                    new Pattern(Why.READ_WRITE, EnumSet.range(Why.WRITE_WRITE, Why.READ_WRITE)),
                    new Pattern(Why.PROCESS, EnumSet.range(Why.WRITE_WRITE, Why.PROCESS)),
                    new Pattern(Why.TIME, EnumSet.allOf(Why.class)));

    private final Map<Transaction, List<Edge>> from = new HashMap<>();
    private final Dependencies dependencies;
    private final Set<Transaction> named = new HashSet<>();
    private final List<Anomaly> found = new ArrayList<>();

    private Cycles(Dependencies dependencies) {
        this.dependencies = dependencies;
        for (Edge edge : dependencies.edges()) {
            from.computeIfAbsent(edge.from(), t -> new ArrayList<>()).add(edge);
        }
    }

    static List<Anomaly> find(Dependencies dependencies) {
        Cycles cycles = new Cycles(dependencies);
        if (!cycles.acyclic()) {
            PATTERNS.forEach(cycles::search);
        }
        return cycles.found;
    }

    private void search(Pattern pattern) {
        for (Edge closing : dependencies.edges()) {
            if (closing.why() == pattern.closing()) {
                List<Edge> path = path(closing.to(), closing.from(), pattern.others());
                if (path != null) {
                    List<Edge> cycle = new ArrayList<>(List.of(closing));
                    cycle.addAll(path);
                    name(cycle);
                }
            }
        }
    }

    private void name(List<Edge> cycle) {
        if (cycle.stream().noneMatch(edge -> named.contains(edge.from()))) {
            cycle.forEach(edge -> named.add(edge.from()));
            found.add(
                    new Anomaly(
                            kind(cycle),
                            cycle.stream()
                                    .map(edge ->
                                            "%n  %s %s(%d)"
                                                    .formatted(edge.from(), edge.why(), edge.key()))
                                    .collect(Collectors.joining())));
        }
    }

    private static Kind kind(List<Edge> cycle) {
        Set<Why> reasons =
                cycle.stream()
                        .map(Edge::why)
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Why.class)));
        long outdated = cycle.stream().filter(edge -> edge.why() == Why.READ_WRITE).count();
        if (reasons.contains(Why.TIME)) {
            return Kind.STALE_READ;
        }
        if (reasons.contains(Why.PROCESS)) {
            return Kind.NON_MONOTONIC_READ;
        }
        if (outdated == 0) {
            return reasons.contains(Why.WRITE_READ)
                    ? Kind.CIRCULAR_INFORMATION_FLOW
                    : Kind.WRITE_CYCLE;
        }
        if (outdated > 1) {
            return Kind.WRITE_SKEW;
        }
        boolean oneKey = cycle.stream().map(Edge::key).distinct().count() == 1;
        return oneKey && !reasons.contains(Why.WRITE_READ) ? Kind.LOST_UPDATE : Kind.READ_SKEW;
    }

    /// The shortest one; null when there is none.
    private @Nullable List<Edge> path(Transaction start, Transaction goal, Set<Why> allowed) {
        Map<Transaction, Edge> reached = new HashMap<>();
        Deque<Transaction> open = new ArrayDeque<>(List.of(start));
        while (!open.isEmpty()) {
            for (Edge edge : from.getOrDefault(open.remove(), List.of())) {
                if (allowed.contains(edge.why()) && reached.putIfAbsent(edge.to(), edge) == null) {
                    if (edge.to().equals(goal)) {
                        return backwards(reached, start, edge);
                    }
                    open.add(edge.to());
                }
            }
        }
        return null;
    }

    private static List<Edge> backwards(
            Map<Transaction, Edge> reached, Transaction start, Edge last) {
        List<Edge> path = new ArrayList<>(List.of(last));
        for (Edge edge = last; !edge.from().equals(start); ) {
            Edge before = reached.get(edge.from());
            if (before == null) {
                throw new IllegalStateException("a path without a beginning");
            }
            path.add(before);
            edge = before;
        }
        Collections.reverse(path);
        return path;
    }

    /// Whether the transactions can be put in an order: then there is nothing to search.
    private boolean acyclic() {
        Map<Transaction, Integer> before = new HashMap<>();
        dependencies.edges().forEach(edge -> before.merge(edge.to(), 1, Integer::sum));
        Deque<Transaction> free = new ArrayDeque<>();
        dependencies.transactions().stream().filter(t -> !before.containsKey(t)).forEach(free::add);
        int ordered = 0;
        while (!free.isEmpty()) {
            Transaction next = free.remove();
            ordered++;
            for (Edge edge : from.getOrDefault(next, List.of())) {
                if (before.merge(edge.to(), -1, Integer::sum) == 0) {
                    free.add(edge.to());
                }
            }
        }
        return ordered == dependencies.transactions().size();
    }
}
