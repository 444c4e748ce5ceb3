package org.quiredb.simulation.history;

import java.util.List;

/// One transaction as its client saw it.
///
/// @param id each number once in a history, from 0 on without large gaps
/// @param process the client, which runs one transaction after the other
/// @param start when its first statement was sent
/// @param end when its end was answered, or given up
public record Transaction(
        int id, int process, long start, long end, Outcome outcome, List<Operation> operations) {
    public enum Outcome {
        COMMITTED,
        ABORTED,
        /// The end was not answered: it counts as committed when somebody saw what it wrote, and
        /// may have taken effect at any time after its start, even after its `end`.
        UNKNOWN
    }

    /// A key is one list, one register, one group or one counter.
    public sealed interface Operation {
        int key();
    }

    /// Brings a value into being: each value of a key once in a whole history.
    public sealed interface Write extends Operation {
        int value();
    }

    /// What was there, all of it: a value that is not named was not there.
    public sealed interface Observation extends Operation {
        List<Integer> values();
    }

    /// At the end of a list.
    public record Append(int key, int value) implements Write {}

    /// Of a register, which the transaction has read before.
    public record Replace(int key, int value) implements Write {}

    /// Into a group.
    public record Add(int key, int value) implements Write {}

    /// Out of a group, where it was found; for ever.
    public record Remove(int key, int value) implements Operation {}

    /// A counter grows by one; nobody is told to how much.
    public record Increment(int key) implements Operation {}

    public record ReadCounter(int key, int value) implements Operation {}

    public record ReadList(int key, List<Integer> values) implements Observation {
        public ReadList {
            values = List.copyOf(values);
        }
    }

    /// @param value 0 before the first write
    public record ReadRegister(int key, int value) implements Observation {
        @Override
        public List<Integer> values() {
            return value == 0 ? List.of() : List.of(value);
        }
    }

    /// The members of a group, found by a predicate, in any order.
    public record ReadGroup(int key, List<Integer> values) implements Observation {
        public ReadGroup {
            values = List.copyOf(values);
        }
    }

    public Transaction {
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

    @Override
    public String toString() {
        return "T%d of client %d (%s, %d..%d) %s"
                .formatted(id, process, outcome, start, end, operations);
    }

    /// The last of its values of a key; 0 for none.
    int lastWritten(int key) {
        int last = 0;
        for (Operation operation : operations) {
            if (operation.key() == key && operation instanceof Write write) {
                last = write.value();
            } else if (operation instanceof Remove remove && remove.key() == key) {
                last = remove.value() == last ? 0 : last;
            }
        }
        return last;
    }
}
