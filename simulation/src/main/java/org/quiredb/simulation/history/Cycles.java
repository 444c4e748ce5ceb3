package org.quiredb.simulation.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.quiredb.simulation.history.Anomaly.Kind;
import org.quiredb.simulation.history.Graph.Edge;
import org.quiredb.simulation.history.Graph.Why;

/// Finds short cycles, those of the worst kinds first.
///
/// A kind of cycle is an edge that closes it and the edges that the rest of it may have. Cycles lie
/// in strongly connected components, which take linear time; in each, one cycle of a kind is named
/// and a transaction in one anomaly only: what else it is part of mostly follows.
final class Cycles {
    /// Searches in one component, each linear, before it is left to a weaker kind.
    private static final int SEARCHES = 200;

    private static final int SHORTEST_OF = 20;

    private record Pattern(Why closing, Set<Why> others) {
        Pattern(Why closing, Why first, Why last) {
            this(closing, EnumSet.range(first, last));
        }

        Set<Why> all() {
            EnumSet<Why> all = EnumSet.of(closing);
            all.addAll(others);
            return all;
        }
    }

    private static final List<Pattern> PATTERNS =
            List.of(
                    new Pattern(Why.WRITE_WRITE, Why.WRITE_WRITE, Why.WRITE_WRITE),
                    new Pattern(Why.WRITE_READ, Why.WRITE_WRITE, Why.WRITE_READ),
                    new Pattern(Why.READ_WRITE, Why.WRITE_WRITE, Why.WRITE_READ),
                    new Pattern(Why.READ_WRITE, Why.WRITE_WRITE, Why.READ_WRITE),
                    new Pattern(Why.PREDICATE_READ_WRITE, Why.WRITE_WRITE, Why.WRITE_READ),
                    new Pattern(
                            Why.PREDICATE_READ_WRITE, Why.WRITE_WRITE, Why.PREDICATE_READ_WRITE),
                    new Pattern(Why.PROCESS, Why.WRITE_WRITE, Why.PROCESS),
                    new Pattern(Why.TIME, Why.WRITE_WRITE, Why.TIME));

    private final Walk walk;
    private final Set<Transaction> named = new HashSet<>();
    private final List<Anomaly> found = new ArrayList<>();

    private Cycles(Graph graph) {
        this.walk = new Walk(graph);
    }

    static List<Anomaly> find(Graph graph) {
        Cycles cycles = new Cycles(graph);
        int[] all = Components.of(cycles.walk, EnumSet.allOf(Why.class));
        if (IntStream.range(0, cycles.walk.edges()).anyMatch(edge -> cycles.inside(edge, all))) {
            PATTERNS.forEach(cycles::search);
        }
        return cycles.found;
    }

    private boolean inside(int edge, int[] components) {
        return components[walk.from(edge)] == components[walk.to(edge)];
    }

    private void search(Pattern pattern) {
        int[] components = Components.of(walk, pattern.all());
        Map<Integer, List<Integer>> closing = new HashMap<>();
        for (int edge = 0; edge < walk.edges(); edge++) {
            if (walk.why(edge) == pattern.closing() && inside(edge, components)) {
                closing.computeIfAbsent(components[walk.from(edge)], c -> new ArrayList<>())
                        .add(edge);
            }
        }
        closing.values().forEach(edges -> search(edges, pattern, components));
    }

    private void search(List<Integer> closings, Pattern pattern, int[] components) {
        List<List<Edge>> cycles = new ArrayList<>();
        for (int closing : closings.subList(0, Math.min(SEARCHES, closings.size()))) {
            if (cycles.size() < SHORTEST_OF) {
                path(closing, pattern.others(), components).ifPresent(cycles::add);
            }
        }
        cycles.stream()
                .map(Cycles::joined)
                .sorted(Comparator.comparingInt(List::size))
                .forEach(this::name);
    }

    private void name(List<Edge> cycle) {
        if (cycle.stream().noneMatch(edge -> named.contains(edge.from()))) {
            cycle.forEach(edge -> named.add(edge.from()));
            found.add(new Anomaly(kind(cycle), text(cycle)));
        }
    }

    private static String text(List<Edge> cycle) {
        Set<Transaction> transactions = new TreeSet<>(Comparator.comparingInt(Transaction::id));
        cycle.forEach(edge -> transactions.add(edge.from()));
        return cycle.stream()
                        .map(edge -> "%n  T%d %s".formatted(edge.from().id(), edge.text()))
                        .collect(Collectors.joining(","))
                + transactions.stream()
                        .map("%n  where %s"::formatted)
                        .collect(Collectors.joining());
    }

    private static Kind kind(List<Edge> cycle) {
        Set<Why> reasons =
                cycle.stream()
                        .map(Edge::why)
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Why.class)));
        boolean predicate = reasons.contains(Why.PREDICATE_READ_WRITE);
        long outdated = cycle.stream().filter(edge -> edge.why() == Why.READ_WRITE).count();
        if (reasons.contains(Why.TIME)) {
            return outdated > 0 || predicate ? Kind.STALE_READ : Kind.FUTURE_READ;
        }
        if (reasons.contains(Why.PROCESS)) {
            return outdated > 0 || predicate ? Kind.NON_MONOTONIC_READ : Kind.FUTURE_READ;
        }
        if (predicate) {
            return Kind.PHANTOM;
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

    /// The shortest one around the closing edge.
    private Optional<List<Edge>> path(int closing, Set<Why> allowed, int[] components) {
        int start = walk.to(closing);
        int goal = walk.from(closing);
        Map<Integer, Integer> reachedBy = new HashMap<>();
        Deque<Integer> open = new ArrayDeque<>(List.of(start));
        while (!open.isEmpty() && !reachedBy.containsKey(goal)) {
            int at = open.remove();
            for (int i = walk.first(at); i < walk.first(at + 1); i++) {
                int edge = walk.at(i);
                if (allowed.contains(walk.why(edge))
                        && inside(edge, components)
                        && reachedBy.putIfAbsent(walk.to(edge), edge) == null) {
                    open.add(walk.to(edge));
                }
            }
        }
        if (!reachedBy.containsKey(goal)) {
            return Optional.empty();
        }
        List<Edge> path = new ArrayList<>();
        for (int at = goal; at != start; ) {
            int edge = Objects.requireNonNull(reachedBy.get(at));
            path.addFirst(walk.edge(edge));
            at = walk.from(edge);
        }
        path.addFirst(walk.edge(closing));
        return Optional.of(path);
    }

    /// With one edge for each walk through time or through a client, and beginning after it.
    private static List<Edge> joined(List<Edge> cycle) {
        List<Edge> shorter = new ArrayList<>();
        for (Edge edge : cycle) {
            Edge before = shorter.isEmpty() ? null : shorter.getLast();
            if (before != null
                    && before.why() == edge.why()
                    && (edge.why() == Why.TIME || edge.why() == Why.PROCESS)) {
                shorter.set(
                        shorter.size() - 1, new Edge(before.from(), edge.to(), edge.why(), 0, 0));
            } else {
                shorter.add(edge);
            }
        }
        return shorter;
    }
}
