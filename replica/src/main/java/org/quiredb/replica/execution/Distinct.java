package org.quiredb.replica.execution;

import java.util.Arrays;
import java.util.TreeMap;
import org.quiredb.common.wire.ByteWriter;

/// Lets the first of those rows through that are alike, in the order of their values.
///
/// Threads: its execution's.
final class Distinct implements Stage {
    private static final int SCRATCH_BYTES = 64;
    private final SortPart[] parts;
    private final Weighing weighing;
    private final Stage next;
    private final ByteWriter scratch = new ByteWriter(SCRATCH_BYTES);
    private final TreeMap<byte[], KeyedRows> rows = new TreeMap<>(Arrays::compareUnsigned);

    Distinct(SortPart[] parts, Weighing weighing, Stage next) {
        this.parts = parts;
        this.weighing = weighing;
        this.next = next;
    }

    @Override
    public boolean take(RowContext at) {
        byte[] key = SortPart.key(parts, scratch, at);
        if (!rows.containsKey(key)) {
            KeyedRows row = KeyedRows.of(key, rows.size(), at);
            rows.put(key, row);
            weighing.add(row.bytes());
        }
        return true;
    }

    @Override
    public void end(RowContext at) {
        for (KeyedRows row : rows.values()) {
            row.restore(at);
            if (!next.take(at)) {
                break;
            }
        }
        next.end(at);
    }
}
