package org.quiredb.master.transaction;

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
    private Map<Integer, Long> rowCounts = new HashMap<>();
    private Map<Integer, Long> rowCountsBefore = Map.of();

    void addRows(int tableId, long delta) {
        rowCounts.merge(tableId, delta, Long::sum);
    }

    void raiseAutoIncrement(int tableId, long next) {
        nextAutoIncrements.merge(tableId, next, Math::max);
    }

    void mark() {
        rowCountsBefore = new HashMap<>(rowCounts);
    }

    /// AUTO_INCREMENT values are not given back.
    void rollBackToMark() {
        rowCounts = new HashMap<>(rowCountsBefore);
    }

    List<CounterChange> changes() {
        Set<Integer> tables = new TreeSet<>(rowCounts.keySet());
        tables.addAll(nextAutoIncrements.keySet());
        return tables.stream()
                .map(table ->
                        new CounterChange(
                                table,
                                rowCounts.getOrDefault(table, 0L),
                                nextAutoIncrements.getOrDefault(table, 0L)))
                .toList();
    }
}
