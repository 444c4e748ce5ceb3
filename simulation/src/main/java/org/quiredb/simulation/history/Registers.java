package org.quiredb.simulation.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.quiredb.simulation.history.Anomaly.Kind;
import org.quiredb.simulation.history.Transaction.Operation;
import org.quiredb.simulation.history.Transaction.ReadRegister;
import org.quiredb.simulation.history.Transaction.Replace;

/// A register shows its last value only, but who replaces it has read it before: what each write
/// replaced puts the values in order.
final class Registers {
    private record Version(int key, int value) {}

    private final Outcomes outcomes;
    private final Graph graph;
    private final Collection<Anomaly> anomalies;
    private final Map<Version, Version> next = new HashMap<>();
    private final Set<Integer> keys = new HashSet<>();
    private final Map<Version, Integer> places = new HashMap<>();
    private final Map<Integer, VersionOrder> orders = new HashMap<>();

    private Registers(Outcomes outcomes, Graph graph, Collection<Anomaly> anomalies) {
        this.outcomes = outcomes;
        this.graph = graph;
        this.anomalies = anomalies;
    }

    static void check(Outcomes outcomes, Graph graph, Collection<Anomaly> anomalies) {
        new Registers(outcomes, graph, anomalies).check();
    }

    private void check() {
        outcomes.counted().forEach(this::learn);
        keys.forEach(this::order);
        for (Transaction transaction : outcomes.counted()) {
            for (Operation operation : transaction.operations()) {
                if (operation instanceof ReadRegister read) {
                    read(transaction, read);
                }
            }
        }
    }

    private void learn(Transaction transaction) {
        Map<Integer, Integer> known = new HashMap<>();
        for (Operation operation : transaction.operations()) {
            switch (operation) {
                case ReadRegister(int key, int value) -> {
                    keys.add(key);
                    Integer before = known.put(key, value);
                    if (before != null && before != value) {
                        add(Kind.INTERNAL, "%s, but read %d".formatted(transaction, value));
                    }
                }
                case Replace(int key, int value) -> {
                    Integer replaced = known.put(key, value);
                    if (replaced == null) {
                        throw new IllegalArgumentException("a write without a read: " + operation);
                    }
                    replace(new Version(key, replaced), new Version(key, value));
                }
                default -> {}
            }
        }
    }

    private void replace(Version replaced, Version written) {
        Version other = next.putIfAbsent(replaced, written);
        if (other != null) {
            add(
                    Kind.LOST_UPDATE,
                    "%s and %s both replaced %s in register %d"
                            .formatted(name(other), name(written), replaced.value(), other.key()));
        }
    }

    private String name(Version version) {
        Transaction writer = outcomes.writer(version.key(), version.value());
        return "%d of T%d".formatted(version.value(), Objects.requireNonNull(writer).id());
    }

    private void order(int key) {
        List<Integer> values = new ArrayList<>();
        Version last = next.get(new Version(key, 0));
        while (last != null && places.putIfAbsent(last, values.size() + 1) == null) {
            values.add(last.value());
            last = next.get(last);
        }
        VersionOrder order = new VersionOrder(key, values, outcomes, graph);
        orders.put(key, order);
        order.writes();
    }

    private void read(Transaction reader, ReadRegister read) {
        Version version = new Version(read.key(), read.value());
        Integer place = read.value() == 0 ? Integer.valueOf(0) : places.get(version);
        if (place != null) {
            Objects.requireNonNull(orders.get(read.key())).read(reader, place);
        }
        Transaction writer = outcomes.writer(read.key(), read.value());
        if (writer != null
                && !writer.equals(reader)
                && writer.lastWritten(read.key()) != read.value()) {
            add(Kind.INTERMEDIATE_READ, "%s read half of %s".formatted(reader, writer));
        }
    }

    private void add(Kind kind, String explanation) {
        anomalies.add(new Anomaly(kind, explanation));
    }
}
