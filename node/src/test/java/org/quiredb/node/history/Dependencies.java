package org.quiredb.node.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.history.Transaction.Append;
import org.quiredb.node.history.Transaction.Outcome;
import org.quiredb.node.history.Transaction.Read;

/// Which committed transaction must come before which, and why.
record Dependencies(List<Transaction> transactions, List<Edge> edges) {
    enum Why {
        /// The other overwrote its version.
        WRITE_WRITE,
        /// The other read its version.
        WRITE_READ,
        /// The other overwrote the version that it read.
        READ_WRITE,
        /// The other came later in the same client.
        PROCESS,
        /// It had ended before the other began.
        TIME
    }

    /// @param key 0 where the reason is not a key
    record Edge(Transaction from, Transaction to, Why why, int key) {}

    static Dependencies of(Versions versions) {
        List<Transaction> transactions = versions.committed();
        List<Edge> edges = new ArrayList<>();
        Map<Integer, List<Transaction>> unseen = new HashMap<>();
        for (Transaction transaction : transactions) {
            for (Append append : transaction.appends()) {
                if (!versions.order(append.key()).contains(append.value())) {
                    unseen.computeIfAbsent(append.key(), k -> new ArrayList<>()).add(transaction);
                }
            }
        }
        writes(versions, edges);
        for (Transaction transaction : transactions) {
            for (Read read : transaction.reads()) {
                read(versions, unseen, transaction, read, edges);
            }
        }
        processes(transactions, edges);
        time(transactions, edges);
        return new Dependencies(transactions, List.copyOf(edges));
    }

    private static void writes(Versions versions, List<Edge> edges) {
        for (int key : versions.keys()) {
            Transaction before = null;
            for (int value : versions.order(key)) {
                Transaction writer = versions.writer(key, value);
                if (writer != null && before != null) {
                    add(edges, before, writer, Why.WRITE_WRITE, key);
                }
                before = writer == null ? before : writer;
            }
        }
    }

    private static void read(
            Versions versions,
            Map<Integer, List<Transaction>> unseen,
            Transaction reader,
            Read read,
            List<Edge> edges) {
        int key = read.key();
        List<Integer> order = versions.order(key);
        int size = read.values().size();
        if (size > 0) {
            add(edges, versions.writer(key, read.values().getLast()), reader, Why.WRITE_READ, key);
        }
        if (size < order.size()) {
            add(edges, reader, versions.writer(key, order.get(size)), Why.READ_WRITE, key);
        } else {
            unseen.getOrDefault(key, List.of())
                    .forEach(writer -> add(edges, reader, writer, Why.READ_WRITE, key));
        }
    }

    private static void processes(List<Transaction> transactions, List<Edge> edges) {
        Map<Integer, Transaction> last = new HashMap<>();
        transactions.stream()
                .sorted(Comparator.comparingLong(Transaction::start))
                .forEach(transaction -> {
                    Transaction before = last.put(transaction.process(), transaction);
                    if (before != null && before.end() < transaction.start()) {
                        add(edges, before, transaction, Why.PROCESS, 0);
                    }
                });
    }

    /// An edge to each transaction from those that ended last before it began; the others follow.
    private static void time(List<Transaction> transactions, List<Edge> edges) {
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
                ended.forEach(earlier -> add(edges, earlier, moment.transaction(), Why.TIME, 0));
            }
        }
    }

    private static void add(
            List<Edge> edges,
            @Nullable Transaction from,
            @Nullable Transaction to,
            Why why,
            int key) {
        if (from != null && to != null && !from.equals(to) && counts(from) && counts(to)) {
            edges.add(new Edge(from, to, why, key));
        }
    }

    private static boolean counts(Transaction transaction) {
        return transaction.outcome() != Outcome.ABORTED;
    }
}
