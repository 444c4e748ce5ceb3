package org.quiredb.master.transaction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.quiredb.common.writeset.CounterChange;

/// By how much a transaction moves its tables' row counts, and how far their AUTO_INCREMENT values.
///
/// Threads: one at a time, its transaction's.
final class CounterChanges {
    private final Map<Integer, Long> nextAutoIncrements = new HashMap<>();
    private final Map<Integer, Long> rowCounts = new HashMap<>();

    void addRows(int tableId, long delta) {
        rowCounts.merge(tableId, delta, Long::sum);
    }

    void raiseAutoIncrement(int tableId, long next) {
        nextAutoIncrements.merge(tableId, next, Math::max);
    }

    Map<Integer, Long> rowCounts() {
        return Map.copyOf(rowCounts);
    }

    /// AUTO_INCREMENT values are not given back.
    void rollBackTo(Map<Integer, Long> rowCountsThen) {
        rowCounts.clear();
        rowCounts.putAll(rowCountsThen);
    }

    List<CounterChange> changes() {
        Set<Integer> tables = new TreeSet<>(rowCounts.keySet());
        tables.addAll(nextAutoIncrements.keySet());
        List<CounterChange> changes = new ArrayList<>(tables.size());
        for (int table : tables) {
            changes.add(
                    new CounterChange(
                            table,
                            rowCounts.getOrDefault(table, 0L),
                            nextAutoIncrements.getOrDefault(table, 0L)));
        }
        return changes;
    }
}
