package org.quiredb.simulation.history;

import com.google.errorprone.annotations.FormatMethod;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.simulation.history.Anomaly.Kind;
import org.quiredb.simulation.history.Transaction.Observation;
import org.quiredb.simulation.history.Transaction.Operation;
import org.quiredb.simulation.history.Transaction.Outcome;
import org.quiredb.simulation.history.Transaction.Write;

/// Which transactions took effect, who wrote each value, and whether what was read could be read.
///
/// A transaction of unknown outcome took effect when one that did saw a value of it.
final class Outcomes {
    private record Version(int key, int value) {}

    private final Map<Version, Transaction> writers = new HashMap<>();
    private final Set<Transaction> counted = new LinkedHashSet<>();
    private final Collection<Anomaly> anomalies;

    Outcomes(List<Transaction> history, Collection<Anomaly> anomalies) {
        this.anomalies = anomalies;
        for (Transaction transaction : history) {
            for (Operation operation : transaction.operations()) {
                if (operation instanceof Write write
                        && writers.put(new Version(write.key(), write.value()), transaction)
                                != null) {
                    throw new IllegalArgumentException(write + " is there twice");
                }
            }
        }
        Deque<Transaction> open = new ArrayDeque<>();
        history.stream().filter(t -> t.outcome() == Outcome.COMMITTED).forEach(open::add);
        while (!open.isEmpty()) {
            Transaction transaction = open.remove();
            counted.add(transaction);
            for (Operation operation : transaction.operations()) {
                if (operation instanceof Observation observation) {
                    observe(transaction, observation, open);
                }
            }
        }
    }

    /// Those that took effect.
    Collection<Transaction> counted() {
        return counted;
    }

    boolean counts(Transaction transaction) {
        return counted.contains(transaction);
    }

    /// Null where nobody wrote it.
    @Nullable Transaction writer(int key, int value) {
        return writers.get(new Version(key, value));
    }

    private void observe(Transaction reader, Observation observation, Deque<Transaction> open) {
        int key = observation.key();
        Set<Integer> seen = new HashSet<>();
        for (int value : observation.values()) {
            Transaction writer = writer(key, value);
            if (!seen.add(value)) {
                add(Kind.DUPLICATE_VALUE, "%d of key %d in %s", value, key, reader);
            } else if (writer == null) {
                add(Kind.INVENTED_VALUE, "%d of key %d in %s", value, key, reader);
            } else if (writer.outcome() == Outcome.ABORTED) {
                add(Kind.ABORTED_READ, "%s read %d of key %d of %s", reader, value, key, writer);
            } else if (writer.outcome() == Outcome.UNKNOWN && counted.add(writer)) {
                open.add(writer);
            }
        }
    }

    @FormatMethod
    private void add(Kind kind, String explanation, Object... arguments) {
        anomalies.add(new Anomaly(kind, explanation.formatted(arguments)));
    }
}
