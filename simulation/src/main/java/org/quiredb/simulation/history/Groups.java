package org.quiredb.simulation.history;

import com.google.errorprone.annotations.FormatMethod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.quiredb.simulation.history.Anomaly.Kind;
import org.quiredb.simulation.history.Graph.Why;
import org.quiredb.simulation.history.Transaction.Add;
import org.quiredb.simulation.history.Transaction.Operation;
import org.quiredb.simulation.history.Transaction.Outcome;
import org.quiredb.simulation.history.Transaction.ReadGroup;
import org.quiredb.simulation.history.Transaction.Remove;

/// What a predicate finds: each value joins its group once and leaves it once.
///
/// A value that a read did not find had not joined yet or had left. Without anybody who may have
/// removed it, it is the first; else only time tells, and where it does not, nothing follows. A
/// read costs as much as its group ever had values: workloads keep groups small.
final class Groups {
    /// @param removers of whom all but one must have found nothing
    private record Life(Transaction adder, Add add, List<Transaction> removers) {}

    private final Outcomes outcomes;
    private final Graph graph;
    private final Collection<Anomaly> anomalies;
    private final Map<Integer, Map<Integer, Life>> groups = new HashMap<>();

    private Groups(Outcomes outcomes, Graph graph, Collection<Anomaly> anomalies) {
        this.outcomes = outcomes;
        this.graph = graph;
        this.anomalies = anomalies;
    }

    static void check(
            List<Transaction> history,
            Outcomes outcomes,
            Graph graph,
            Collection<Anomaly> anomalies) {
        Groups groups = new Groups(outcomes, graph, anomalies);
        history.forEach(groups::joins);
        history.forEach(groups::leaves);
        outcomes.counted().forEach(groups::reads);
    }

    private void joins(Transaction transaction) {
        for (Operation operation : transaction.operations()) {
            if (operation instanceof Add add) {
                groups.computeIfAbsent(add.key(), k -> new HashMap<>())
                        .put(add.value(), new Life(transaction, add, new ArrayList<>()));
            }
        }
    }

    private void leaves(Transaction transaction) {
        for (Operation operation : transaction.operations()) {
            if (operation instanceof Remove(int key, int value)
                    && transaction.outcome() != Outcome.ABORTED) {
                Life life = groups.getOrDefault(key, Map.of()).get(value);
                if (life == null) {
                    add(Kind.INVENTED_VALUE, "%d of %d in %s", value, key, transaction);
                } else {
                    leaves(transaction, life);
                }
            }
        }
    }

    private void leaves(Transaction transaction, Life life) {
        for (Transaction other : life.removers()) {
            if (outcomes.counts(other) && outcomes.counts(transaction)) {
                add(Kind.LOST_UPDATE, "%s removed what %s removed", transaction, other);
            }
        }
        life.removers().add(transaction);
        if (life.adder().outcome() == Outcome.ABORTED && outcomes.counts(transaction)) {
            add(Kind.ABORTED_READ, "%s removed what %s added", transaction, life.adder());
        }
        edge(life.adder(), transaction, Why.WRITE_WRITE, life);
    }

    private void reads(Transaction reader) {
        Map<Integer, Set<Integer>> known = new HashMap<>();
        Map<Integer, Set<Integer>> own = new HashMap<>();
        Map<Integer, Set<Integer>> gone = new HashMap<>();
        for (Operation operation : reader.operations()) {
            switch (operation) {
                case Add(int key, int value) -> {
                    of(own, key).add(value);
                    known.computeIfPresent(key, (k, values) -> with(values, value));
                }
                case Remove(int key, int value) -> {
                    of(own, key).remove(value);
                    of(gone, key).add(value);
                    known.computeIfPresent(key, (k, values) -> without(values, value));
                }
                case ReadGroup(int key, List<Integer> list) -> {
                    Set<Integer> values = new HashSet<>(list);
                    Set<Integer> before = known.put(key, values);
                    if (before == null
                            ? !values.containsAll(of(own, key))
                                    || values.stream().anyMatch(of(gone, key)::contains)
                                    || tooEarly(reader, key, values, of(own, key))
                            : !before.equals(values)) {
                        add(Kind.INTERNAL, "%s, but read %s of %d", reader, values, key);
                    }
                    read(reader, key, values);
                }
                default -> {}
            }
        }
    }

    private boolean tooEarly(Transaction reader, int key, Set<Integer> values, Set<Integer> own) {
        return values.stream()
                .anyMatch(value ->
                        !own.contains(value) && reader.equals(outcomes.writer(key, value)));
    }

    private void read(Transaction reader, int key, Set<Integer> values) {
        groups.getOrDefault(key, Map.of())
                .forEach((value, life) -> {
                    if (values.contains(value)) {
                        found(reader, life);
                    } else {
                        missed(reader, life);
                    }
                });
    }

    private void found(Transaction reader, Life life) {
        edge(life.adder(), reader, Why.WRITE_READ, life);
        for (Transaction remover : life.removers()) {
            edge(reader, remover, Why.READ_WRITE, life);
            if (remover.equals(life.adder()) && !remover.equals(reader)) {
                add(Kind.INTERMEDIATE_READ, "%s read half of %s", reader, remover);
            }
        }
    }

    private void missed(Transaction reader, Life life) {
        Transaction adder = life.adder();
        if (adder.equals(reader) || life.removers().contains(reader)) {
            return;
        }
        if (life.removers().isEmpty() || life.removers().stream().allMatch(r -> ended(reader, r))) {
            edge(reader, adder, Why.PREDICATE_READ_WRITE, life);
        } else if (life.removers().size() == 1 && ended(adder, reader)) {
            edge(life.removers().getFirst(), reader, Why.WRITE_READ, life);
        }
    }

    /// Whether it took effect before the other began.
    private static boolean ended(Transaction transaction, Transaction other) {
        return transaction.outcome() == Outcome.COMMITTED && transaction.end() < other.start();
    }

    private void edge(Transaction from, Transaction to, Why why, Life life) {
        graph.add(from, to, why, life.add().key(), life.add().value());
    }

    @FormatMethod
    private void add(Kind kind, String explanation, Object... arguments) {
        anomalies.add(new Anomaly(kind, explanation.formatted(arguments)));
    }

    private static Set<Integer> of(Map<Integer, Set<Integer>> map, int key) {
        return map.computeIfAbsent(key, k -> new HashSet<>());
    }

    private static Set<Integer> with(Set<Integer> values, int value) {
        Set<Integer> more = new HashSet<>(values);
        more.add(value);
        return more;
    }

    private static Set<Integer> without(Set<Integer> values, int value) {
        Set<Integer> fewer = new HashSet<>(values);
        fewer.remove(value);
        return fewer;
    }
}
