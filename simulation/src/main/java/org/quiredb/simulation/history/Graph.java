package org.quiredb.simulation.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.quiredb.simulation.history.Transaction.Outcome;

/// Which transaction must come before which, and why.
final class Graph {
    enum Why {
        /// The other overwrote its version.
        WRITE_WRITE,
        /// The other read its version.
        WRITE_READ,
        /// The other overwrote the version that it read.
        READ_WRITE,
        /// The other added what its predicate did not find.
        PREDICATE_READ_WRITE,
        /// The other came later in the same client.
        PROCESS,
        /// It had ended before the other began.
        TIME
    }

    /// @param key with the value, 0 where the reason is not a value
    record Edge(Transaction from, Transaction to, Why why, int key, int value) {
        String text() {
            String what = "%d of key %d".formatted(value, key);
            return switch (why) {
                case WRITE_WRITE -> "then T%d wrote %s over it".formatted(to.id(), what);
                case WRITE_READ -> "then T%d saw its %s".formatted(to.id(), what);
                case READ_WRITE ->
                        "did not see what T%d did then, with %s".formatted(to.id(), what);
                case PREDICATE_READ_WRITE ->
                        "did not find what T%d added, %s".formatted(to.id(), what);
                case PROCESS -> "then T%d ran in the same client".formatted(to.id());
                case TIME -> "had ended when T%d began".formatted(to.id());
            };
        }
    }

    private static final int NONE = -1;

    private final List<Transaction> transactions;
    private final int[] numbers;
    private final List<Edge> edges = new ArrayList<>();

    /// Of transactions that took effect.
    Graph(Collection<Transaction> counted) {
        this.transactions = List.copyOf(counted);
        numbers = new int[transactions.stream().mapToInt(Transaction::id).max().orElse(0) + 1];
        Arrays.fill(numbers, NONE);
        for (int i = 0; i < transactions.size(); i++) {
            numbers[transactions.get(i).id()] = i;
        }
        processes();
        time();
    }

    int size() {
        return transactions.size();
    }

    List<Edge> edges() {
        return edges;
    }

    int number(Transaction transaction) {
        int id = transaction.id();
        return id < numbers.length ? numbers[id] : NONE;
    }

    /// Nothing when one of them did not take effect, or both are the same.
    void add(@Nullable Transaction from, @Nullable Transaction to, Why why, int key, int value) {
        if (from != null
                && to != null
                && !from.equals(to)
                && number(from) != NONE
                && number(to) != NONE) {
            edges.add(new Edge(from, to, why, key, value));
        }
    }

    /// One of unknown outcome may take effect after the next of its client.
    private void processes() {
        Map<Integer, Transaction> last = new HashMap<>();
        transactions.stream()
                .filter(transaction -> transaction.outcome() == Outcome.COMMITTED)
                .sorted(Comparator.comparingLong(Transaction::start))
                .forEach(transaction -> {
                    Transaction before = last.put(transaction.process(), transaction);
                    if (before != null && before.end() < transaction.start()) {
                        add(before, transaction, Why.PROCESS, 0, 0);
                    }
                });
    }

    /// An edge to each transaction from those that ended last before it began; the others follow.
    private void time() {
        record Moment(long at, boolean ends, Transaction transaction) {}
        List<Moment> moments = new ArrayList<>();
        for (Transaction transaction : transactions) {
            moments.add(new Moment(transaction.start(), false, transaction));
            if (transaction.outcome() == Outcome.COMMITTED) {
                moments.add(new Moment(transaction.end(), true, transaction));
            }
        }
        moments.sort(Comparator.comparingLong(Moment::at).thenComparing(Moment::ends));
        List<Transaction> ended = new ArrayList<>();
        for (Moment moment : moments) {
            if (moment.ends()) {
                ended.removeIf(earlier -> earlier.end() < moment.transaction().start());
                ended.add(moment.transaction());
            } else {
                ended.forEach(earlier -> add(earlier, moment.transaction(), Why.TIME, 0, 0));
            }
        }
    }
}
