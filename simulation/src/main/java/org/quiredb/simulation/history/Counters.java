package org.quiredb.simulation.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.quiredb.simulation.history.Anomaly.Kind;
import org.quiredb.simulation.history.Transaction.Increment;
import org.quiredb.simulation.history.Transaction.Operation;
import org.quiredb.simulation.history.Transaction.Outcome;
import org.quiredb.simulation.history.Transaction.ReadCounter;

/// A counter tells how many increments a read saw, not which: no fewer than were acknowledged
/// before it began, no more than had begun before it ended, and no fewer than a read that had ended
/// before.
final class Counters {
    /// @param own increments of its transaction before it
    private record Read(Transaction by, int value, int own) {}

    private final Collection<Anomaly> anomalies;

    /// How often each transaction increments the counter.
    private final Map<Transaction, Integer> increments = new HashMap<>();

    private final List<Read> reads = new ArrayList<>();

    private Counters(Collection<Anomaly> anomalies) {
        this.anomalies = anomalies;
    }

    static void check(List<Transaction> history, Collection<Anomaly> anomalies) {
        Map<Integer, Counters> counters = new HashMap<>();
        for (Transaction transaction : history) {
            if (transaction.outcome() != Outcome.ABORTED) {
                for (Operation operation : transaction.operations()) {
                    if (operation instanceof Increment || operation instanceof ReadCounter) {
                        counters.computeIfAbsent(operation.key(), _ -> new Counters(anomalies))
                                .learn(transaction, operation);
                    }
                }
            }
        }
        counters.values().forEach(Counters::check);
    }

    private void learn(Transaction transaction, Operation operation) {
        if (operation instanceof ReadCounter(int key, int value)) {
            if (transaction.outcome() == Outcome.COMMITTED) {
                int own = increments.getOrDefault(transaction, 0);
                reads.add(new Read(transaction, value, own));
            }
        } else {
            increments.merge(transaction, 1, Integer::sum);
        }
    }

    private void check() {
        for (Read read : reads) {
            int least = read.own;
            int most = read.own;
            for (Map.Entry<Transaction, Integer> entry : increments.entrySet()) {
                Transaction other = entry.getKey();
                if (!other.equals(read.by)) {
                    boolean before =
                            other.outcome() == Outcome.COMMITTED && other.end() < read.by.start();
                    least += before ? entry.getValue() : 0;
                    most += other.start() < read.by.end() ? entry.getValue() : 0;
                }
            }
            if (read.value < least) {
                add(Kind.STALE_READ, read, "at least %d were acknowledged".formatted(least));
            } else if (read.value > most) {
                add(Kind.FUTURE_READ, read, "at most %d had begun".formatted(most));
            }
            reads.stream()
                    .filter(earlier -> earlier.by.end() < read.by.start())
                    .filter(earlier -> earlier.value > read.value)
                    .findFirst()
                    .ifPresent(earlier ->
                            add(
                                    earlier.by.process() == read.by.process()
                                            ? Kind.NON_MONOTONIC_READ
                                            : Kind.STALE_READ,
                                    read,
                                    "T%d had read %d".formatted(earlier.by.id(), earlier.value)));
        }
    }

    private void add(Kind kind, Read read, String why) {
        anomalies.add(new Anomaly(kind, "%s read %d, but %s".formatted(read.by, read.value, why)));
    }
}
