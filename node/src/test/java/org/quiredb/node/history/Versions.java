package org.quiredb.node.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.history.Anomaly.Kind;
import org.quiredb.node.history.Transaction.Append;
import org.quiredb.node.history.Transaction.Outcome;
import org.quiredb.node.history.Transaction.Read;

/// The order of each key's versions, from the longest read of it, and what is wrong without any
/// look at cycles.
final class Versions {
    record Version(int key, int value) {}

    private final List<Transaction> history;
    private final Map<Version, Transaction> writers = new HashMap<>();
    private final Map<Integer, List<Integer>> orders = new TreeMap<>();
    private final List<Anomaly> anomalies = new ArrayList<>();

    Versions(List<Transaction> history) {
        this.history = history;
        for (Transaction transaction : history) {
            for (Append append : transaction.appends()) {
                Version version = new Version(append.key(), append.value());
                if (writers.put(version, transaction) != null) {
                    throw new IllegalArgumentException(version + " is appended twice");
                }
            }
        }
        for (Transaction transaction : history) {
            if (transaction.outcome() == Outcome.COMMITTED) {
                checkInside(transaction);
                transaction.reads().forEach(read -> checkRead(transaction, read));
            }
        }
    }

    List<Anomaly> anomalies() {
        return anomalies;
    }

    /// Committed ones, and those of unknown outcome that somebody saw.
    List<Transaction> committed() {
        Set<Transaction> seen = new HashSet<>();
        orders.forEach((key, order) ->
                order.forEach(value -> {
                    Transaction writer = writer(key, value);
                    if (writer != null && writer.outcome() == Outcome.UNKNOWN) {
                        seen.add(writer);
                    }
                }));
        return history.stream()
                .filter(t -> t.outcome() == Outcome.COMMITTED || seen.contains(t))
                .toList();
    }

    List<Integer> order(int key) {
        return orders.getOrDefault(key, List.of());
    }

    Set<Integer> keys() {
        return orders.keySet();
    }

    @Nullable Transaction writer(int key, int value) {
        return writers.get(new Version(key, value));
    }

    private void checkInside(Transaction transaction) {
        Map<Integer, List<Integer>> own = new HashMap<>();
        Map<Integer, List<Integer>> known = new HashMap<>();
        for (Transaction.Operation operation : transaction.operations()) {
            switch (operation) {
                case Append(int key, int value) -> {
                    own.computeIfAbsent(key, k -> new ArrayList<>()).add(value);
                    if (known.containsKey(key)) {
                        Objects.requireNonNull(known.get(key)).add(value);
                    }
                }
                case Read(int key, List<Integer> values) -> {
                    List<Integer> expected = known.get(key);
                    List<Integer> written = own.getOrDefault(key, List.of());
                    if (expected == null ? !endsWith(values, written) : !expected.equals(values)) {
                        add(Kind.INTERNAL, "%s, but read %s".formatted(transaction, values));
                    }
                    known.put(key, new ArrayList<>(values));
                }
            }
        }
    }

    private void checkRead(Transaction reader, Read read) {
        List<Integer> values = read.values();
        for (int value : values) {
            Transaction writer = writer(read.key(), value);
            if (writer == null) {
                add(Kind.INVENTED_VALUE, "%d of key %d in %s".formatted(value, read.key(), reader));
            } else if (writer.outcome() == Outcome.ABORTED) {
                add(Kind.ABORTED_READ, "%s read %d of %s".formatted(reader, value, writer));
            }
        }
        if (!values.isEmpty()) {
            checkLast(reader, read.key(), values.getLast());
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

    private void checkLast(Transaction reader, int key, int last) {
        Transaction writer = writer(key, last);
        if (writer != null && writer.id() != reader.id()) {
            List<Append> appends = writer.appends().stream().filter(a -> a.key() == key).toList();
            if (appends.getLast().value() != last) {
                add(Kind.INTERMEDIATE_READ, "%s read half of %s".formatted(reader, writer));
            }
        }
    }

    private void add(Kind kind, String explanation) {
        anomalies.add(new Anomaly(kind, explanation));
    }

    private static boolean startsWith(List<Integer> list, List<Integer> prefix) {
        return list.size() >= prefix.size() && list.subList(0, prefix.size()).equals(prefix);
    }

    private static boolean endsWith(List<Integer> list, List<Integer> suffix) {
        int from = list.size() - suffix.size();
        return from >= 0 && list.subList(from, list.size()).equals(suffix);
    }
}
