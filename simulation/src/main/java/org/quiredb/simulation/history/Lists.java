package org.quiredb.simulation.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.quiredb.simulation.history.Anomaly.Kind;
import org.quiredb.simulation.history.Graph.Why;
import org.quiredb.simulation.history.Transaction.Append;
import org.quiredb.simulation.history.Transaction.Operation;
import org.quiredb.simulation.history.Transaction.ReadList;

/// Lists tell by themselves in which order they were written: the longest read of one is its order,
/// and every other read must be a beginning of it.
final class Lists {
    private final Outcomes outcomes;
    private final Graph graph;
    private final Collection<Anomaly> anomalies;
    private final Map<Integer, List<Integer>> orders = new HashMap<>();
    private final Map<Integer, List<Append>> unseen = new HashMap<>();

    private Lists(Outcomes outcomes, Graph graph, Collection<Anomaly> anomalies) {
        this.outcomes = outcomes;
        this.graph = graph;
        this.anomalies = anomalies;
    }

    static void check(Outcomes outcomes, Graph graph, Collection<Anomaly> anomalies) {
        new Lists(outcomes, graph, anomalies).check();
    }

    private void check() {
        for (Transaction transaction : outcomes.counted()) {
            inside(transaction);
            for (Operation operation : transaction.operations()) {
                if (operation instanceof ReadList read) {
                    order(transaction, read);
                }
            }
        }
        orders.forEach((key, order) -> version(key).writes());
        neverSeen();
        for (Transaction transaction : outcomes.counted()) {
            for (Operation operation : transaction.operations()) {
                if (operation instanceof ReadList read) {
                    read(transaction, read);
                }
            }
        }
    }

    private VersionOrder version(int key) {
        return new VersionOrder(key, order(key), outcomes, graph);
    }

    private List<Integer> order(int key) {
        return orders.getOrDefault(key, List.of());
    }

    private void order(Transaction reader, ReadList read) {
        List<Integer> values = read.values();
        if (!values.isEmpty()) {
            Transaction writer = outcomes.writer(read.key(), values.getLast());
            if (writer != null
                    && !writer.equals(reader)
                    && writer.lastWritten(read.key()) != values.getLast()) {
                add(Kind.INTERMEDIATE_READ, "%s read half of %s".formatted(reader, writer));
            }
        }
        List<Integer> order = order(read.key());
        if (values.size() > order.size() && startsWith(values, order)) {
            orders.put(read.key(), values);
        } else if (!startsWith(order, values)) {
            add(
                    Kind.INCOMPATIBLE_ORDER,
                    "key %d is %s and, in %s, %s".formatted(read.key(), order, reader, values));
        }
    }

    /// What nobody has seen comes after all that was seen.
    private void neverSeen() {
        Map<Integer, Set<Integer>> seen = new HashMap<>();
        orders.forEach((key, order) -> seen.put(key, new HashSet<>(order)));
        for (Transaction transaction : outcomes.counted()) {
            for (Operation operation : transaction.operations()) {
                if (operation instanceof Append append
                        && !seen.getOrDefault(append.key(), Set.of()).contains(append.value())) {
                    unseen.computeIfAbsent(append.key(), key -> new ArrayList<>()).add(append);
                }
            }
        }
    }

    private void read(Transaction reader, ReadList read) {
        int size = Math.min(read.values().size(), order(read.key()).size());
        version(read.key()).read(reader, size);
        if (size == order(read.key()).size()) {
            for (Append append : unseen.getOrDefault(read.key(), List.of())) {
                Transaction writer = outcomes.writer(append.key(), append.value());
                graph.add(reader, writer, Why.READ_WRITE, append.key(), append.value());
            }
        }
    }

    private void inside(Transaction transaction) {
        Map<Integer, List<Integer>> own = new HashMap<>();
        Map<Integer, List<Integer>> known = new HashMap<>();
        for (Operation operation : transaction.operations()) {
            switch (operation) {
                case Append(int key, int value) -> {
                    own.computeIfAbsent(key, k -> new ArrayList<>()).add(value);
                    known.computeIfPresent(key, (k, before) -> with(before, value));
                }
                case ReadList(int key, List<Integer> values) -> {
                    List<Integer> written = own.getOrDefault(key, List.of());
                    boolean right =
                            known.containsKey(key)
                                    ? values.equals(known.get(key))
                                    : endsWith(values, written)
                                            && noneTooEarly(transaction, key, values, written);
                    if (!right) {
                        add(Kind.INTERNAL, "%s, but read %s".formatted(transaction, values));
                    }
                    known.put(key, values);
                }
                default -> {}
            }
        }
    }

    private boolean noneTooEarly(
            Transaction transaction, int key, List<Integer> values, List<Integer> written) {
        return values.subList(0, values.size() - written.size()).stream()
                .noneMatch(value -> transaction.equals(outcomes.writer(key, value)));
    }

    private void add(Kind kind, String explanation) {
        anomalies.add(new Anomaly(kind, explanation));
    }

    private static List<Integer> with(List<Integer> list, int value) {
        List<Integer> longer = new ArrayList<>(list);
        longer.add(value);
        return longer;
    }

    private static boolean startsWith(List<Integer> list, List<Integer> prefix) {
        return list.size() >= prefix.size() && list.subList(0, prefix.size()).equals(prefix);
    }

    private static boolean endsWith(List<Integer> list, List<Integer> suffix) {
        int from = list.size() - suffix.size();
        return from >= 0 && list.subList(from, list.size()).equals(suffix);
    }
}
