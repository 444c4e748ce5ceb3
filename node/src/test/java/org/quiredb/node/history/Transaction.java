package org.quiredb.node.history;

import java.util.List;

/// One transaction as its client saw it.
///
/// @param process the client, which runs one transaction after the other
/// @param start when its first statement was sent
/// @param end when its end was answered
record Transaction(
        int id, int process, long start, long end, Outcome outcome, List<Operation> operations) {
    enum Outcome {
        COMMITTED,
        ABORTED,
        /// The end was not answered; it counts as committed when somebody saw its values.
        UNKNOWN
    }

    /// Every value is appended to its key once in a whole history.
    sealed interface Operation {
        int key();
    }

    record Append(int key, int value) implements Operation {}

    record Read(int key, List<Integer> values) implements Operation {
        Read {
            values = List.copyOf(values);
        }
    }

    Transaction {
        operations = List.copyOf(operations);
    }

    /// A history has each number once.
    @Override
    public boolean equals(Object other) {
        return other instanceof Transaction transaction && transaction.id == id;
    }

    @Override
    public int hashCode() {
        return id;
    }

    List<Append> appends() {
        return operations.stream()
                .filter(Append.class::isInstance)
                .map(Append.class::cast)
                .toList();
    }

    List<Read> reads() {
        return operations.stream().filter(Read.class::isInstance).map(Read.class::cast).toList();
    }
}
