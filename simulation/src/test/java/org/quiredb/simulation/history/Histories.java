package org.quiredb.simulation.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.quiredb.simulation.history.Anomaly.Kind;
import org.quiredb.simulation.history.Transaction.Add;
import org.quiredb.simulation.history.Transaction.Append;
import org.quiredb.simulation.history.Transaction.Operation;
import org.quiredb.simulation.history.Transaction.Outcome;
import org.quiredb.simulation.history.Transaction.ReadGroup;
import org.quiredb.simulation.history.Transaction.ReadList;
import org.quiredb.simulation.history.Transaction.ReadRegister;
import org.quiredb.simulation.history.Transaction.Remove;
import org.quiredb.simulation.history.Transaction.Replace;

/// A history that a test writes by hand or has made up.
final class Histories {
    private final List<Transaction> history = new ArrayList<>();

    void run(int process, long start, long end, Operation... operations) {
        add(process, start, end, Outcome.COMMITTED, operations);
    }

    void add(int process, long start, long end, Outcome outcome, Operation... operations) {
        history.add(
                new Transaction(
                        history.size(), process, start, end, outcome, Arrays.asList(operations)));
    }

    List<Anomaly> check() {
        return HistoryChecker.check(history);
    }

    List<Kind> kinds() {
        return check().stream().map(Anomaly::kind).toList();
    }

    /// Transactions that each take effect at one moment between their start and end.
    ///
    /// @param keys in use at a time, of each sort
    /// @param life transactions after which other keys are used
    void serial(Random random, int transactions, int keys, int life) {
        Map<Integer, List<Integer>> lists = new HashMap<>();
        Map<Integer, Integer> registers = new HashMap<>();
        Map<Integer, Set<Integer>> groups = new HashMap<>();
        int value = 0;
        for (int moment = 1; moment <= transactions; moment++) {
            List<Operation> operations = new ArrayList<>();
            for (int i = random.nextInt(1, 5); i > 0; i--) {
                int key = 3 * (moment / life * keys + random.nextInt(keys));
                List<Integer> list = lists.computeIfAbsent(key, k -> new ArrayList<>());
                Set<Integer> group = groups.computeIfAbsent(key + 2, k -> new HashSet<>());
                switch (random.nextInt(7)) {
                    case 0, 1 -> operations.add(new ReadList(key, list));
                    case 2 -> {
                        list.add(++value);
                        operations.add(new Append(key, value));
                    }
                    case 3, 4 -> {
                        int before = registers.getOrDefault(key + 1, 0);
                        operations.add(new ReadRegister(key + 1, before));
                        if (random.nextBoolean()) {
                            registers.put(key + 1, ++value);
                            operations.add(new Replace(key + 1, value));
                        }
                    }
                    case 5 -> operations.add(new ReadGroup(key + 2, List.copyOf(group)));
                    default -> {
                        if (group.size() < 4) {
                            group.add(++value);
                            operations.add(new Add(key + 2, value));
                        } else {
                            int gone = group.iterator().next();
                            group.remove(gone);
                            operations.add(new Remove(key + 2, gone));
                        }
                    }
                }
            }
            long at = moment * 100L;
            add(
                    moment % 8,
                    at - random.nextInt(1, 400),
                    at + random.nextInt(1, 400),
                    Outcome.COMMITTED,
                    operations.toArray(Operation[]::new));
        }
    }

    static Operation append(int key, int value) {
        return new Append(key, value);
    }

    static Operation list(int key, Integer... values) {
        return new ReadList(key, Arrays.asList(values));
    }

    static Operation replace(int key, int value) {
        return new Replace(key, value);
    }

    static Operation register(int key, int value) {
        return new ReadRegister(key, value);
    }

    static Operation join(int key, int value) {
        return new Add(key, value);
    }

    static Operation leave(int key, int value) {
        return new Remove(key, value);
    }

    static Operation group(int key, Integer... values) {
        return new ReadGroup(key, Arrays.asList(values));
    }
}
