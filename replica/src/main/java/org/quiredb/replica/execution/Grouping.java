package org.quiredb.replica.execution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.quiredb.common.wire.ByteWriter;

/// Computes aggregates over rows that are alike, and gives each such group in the order of their
/// values, standing on the first of its rows.
///
/// Threads: its execution's.
final class Grouping implements Stage {
    private static final int SCRATCH_BYTES = 64;

    private static final int TALLY_BYTES = 80;

    private final SortPart[] parts;
    private final Aggregation[] aggregations;
    private final Weighing weighing;
    private final Stage next;
    private final ByteWriter scratch = new ByteWriter(SCRATCH_BYTES);
    private final Map<KeyedRows.Key, KeyedRows> groups = new HashMap<>();
    private final Tally whole;

    /// @param parts none for one group of all rows, which there is also without rows
    Grouping(SortPart[] parts, Aggregation[] aggregations, Weighing weighing, Stage next) {
        this.parts = parts;
        this.aggregations = aggregations;
        this.weighing = weighing;
        this.next = next;
        this.whole = new Tally(aggregations.length);
    }

    @Override
    public boolean take(RowContext at) {
        if (parts.length == 0) {
            whole.add(aggregations, at);
            return true;
        }
        byte[] bytes = SortPart.key(parts, scratch, at);
        KeyedRows.Key key = new KeyedRows.Key(bytes);
        KeyedRows group = groups.get(key);
        if (group == null) {
            group =
                    new KeyedRows(
                            bytes, groups.size(), at.locators(), new Tally(aggregations.length));
            groups.put(key, group);
            weighing.add(group.bytes() + TALLY_BYTES);
        }
        group.tally().add(aggregations, at);
        return true;
    }

    @Override
    public void end(RowContext at) {
        if (parts.length == 0) {
            at.tally(whole);
            next.take(at);
        } else {
            List<KeyedRows> sorted = new ArrayList<>(groups.values());
            sorted.sort((a, b) -> Arrays.compareUnsigned(a.key(), b.key()));
            for (KeyedRows group : sorted) {
                group.restore(at);
                if (!next.take(at)) {
                    break;
                }
            }
        }
        next.end(at);
    }
}
