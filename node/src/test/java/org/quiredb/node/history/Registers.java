package org.quiredb.node.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.quiredb.node.history.Anomaly.Kind;
import org.quiredb.node.history.Transaction.Append;
import org.quiredb.node.history.Transaction.Operation;
import org.quiredb.node.history.Transaction.Outcome;
import org.quiredb.node.history.Transaction.Read;
import org.quiredb.node.history.Versions.Version;

/// Histories of registers: an append overwrites the register, and its transaction has read it just
/// before; a read has one value, or none before the first write.
///
/// What each write replaced puts a register's values in order, so a register is a list of which
/// only the last element is shown.
final class Registers {
    private final Map<Version, Version> next = new HashMap<>();
    private final Map<Version, Version> before = new HashMap<>();
    private final List<Anomaly> anomalies = new ArrayList<>();

    private Registers() {}

    static List<Anomaly> check(List<Transaction> history) {
        Registers registers = new Registers();
        history.forEach(registers::learn);
        List<Transaction> lists = history.stream().map(registers::asLists).toList();
        registers.anomalies.addAll(HistoryChecker.check(lists));
        return registers.anomalies;
    }

    private void learn(Transaction transaction) {
        Map<Integer, Version> last = new HashMap<>();
        for (Operation operation : transaction.operations()) {
            switch (operation) {
                case Read(int key, List<Integer> values) -> last.put(key, version(key, values));
                case Append(int key, int value) -> {
                    Version replaced = last.get(key);
                    if (replaced == null) {
                        throw new IllegalArgumentException("a write without a read: " + operation);
                    }
                    Version written = new Version(key, value);
                    before.put(written, replaced);
                    if (transaction.outcome() == Outcome.COMMITTED) {
                        Version other = next.put(replaced, written);
                        if (other != null) {
                            anomalies.add(
                                    new Anomaly(
                                            Kind.LOST_UPDATE,
                                            "%s and %s replaced %s"
                                                    .formatted(other, written, replaced)));
                        }
                    }
                    last.put(key, written);
                }
            }
        }
    }

    private Transaction asLists(Transaction transaction) {
        List<Operation> operations = new ArrayList<>();
        for (Operation operation : transaction.operations()) {
            operations.add(
                    operation instanceof Read(int key, List<Integer> values)
                            ? new Read(key, list(version(key, values)))
                            : operation);
        }
        return new Transaction(
                transaction.id(),
                transaction.process(),
                transaction.start(),
                transaction.end(),
                transaction.outcome(),
                operations);
    }

    private List<Integer> list(Version last) {
        List<Integer> values = new ArrayList<>();
        for (Version version = last;
                version != null && version.value() != 0 && values.size() <= before.size();
                version = before.get(version)) {
            values.addFirst(version.value());
        }
        return values;
    }

    private static Version version(int key, List<Integer> values) {
        return new Version(key, values.isEmpty() ? 0 : values.getLast());
    }
}
