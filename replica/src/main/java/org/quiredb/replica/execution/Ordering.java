package org.quiredb.replica.execution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.quiredb.common.wire.ByteWriter;

/// Sorts; rows that are alike stay in the order in which they came. Where only the first are
/// wanted, no more of them are kept, and a row that comes after the last of these is refused as
/// soon as its first columns tell.
///
/// Threads: its execution's.
final class Ordering implements Stage {
    private static final int SCRATCH_BYTES = 64;
    private static final Comparator<KeyedRows> BY_KEY =
            (a, b) -> Arrays.compareUnsigned(a.key(), b.key());
    private static final Comparator<KeyedRows> LAST_FIRST =
            BY_KEY.thenComparingLong(KeyedRows::order).reversed();

    /// Of more it is no gain.
    private static final long MOST_WANTED = 10_000;

    private final SortPart[] parts;
    private final long wanted;
    private final Weighing weighing;
    private final Stage next;
    private final ByteWriter scratch = new ByteWriter(SCRATCH_BYTES);
    private final PriorityQueue<KeyedRows> first = new PriorityQueue<>(LAST_FIRST);
    private final List<KeyedRows> all = new ArrayList<>();
    private final int lastLevel;
    private long came;

    Ordering(SortPart[] parts, long wanted, Weighing weighing, Stage next) {
        this.parts = parts;
        this.wanted = wanted <= MOST_WANTED ? wanted : Long.MAX_VALUE;
        this.weighing = weighing;
        this.next = next;
        int last = 0;
        for (SortPart part : parts) {
            last = Math.max(last, part.lastLevel());
        }
        this.lastLevel = last;
    }

    @Override
    public boolean take(RowContext at) {
        if (wanted == 0) {
            return false;
        }
        if (wanted == Long.MAX_VALUE) {
            keep(all, at);
        } else if (first.size() < wanted) {
            keep(first, at);
        } else if (!comesTooLate(at)) {
            weighing.add(-first.remove().bytes());
            keep(first, at);
        }
        return true;
    }

    private void keep(java.util.Collection<KeyedRows> kept, RowContext at) {
        KeyedRows row = KeyedRows.of(SortPart.key(parts, scratch, at), came++, at);
        kept.add(row);
        weighing.add(row.bytes());
    }

    @Override
    public boolean refuses(RowContext at, int level) {
        return level == lastLevel && first.size() == wanted && comesTooLate(at);
    }

    /// Behind every row that is kept, or beside the last of them.
    private boolean comesTooLate(RowContext at) {
        byte[] last = first.element().key();
        scratch.cut(0);
        int from = 0;
        for (SortPart part : parts) {
            part.append(scratch, at);
            int to = scratch.size();
            int order =
                    Arrays.compareUnsigned(
                            scratch.array(), from, to, last, from, Math.min(to, last.length));
            if (order != 0) {
                return order > 0;
            }
            from = to;
        }
        return true;
    }

    @Override
    public void end(RowContext at) {
        List<KeyedRows> sorted = all;
        if (wanted == Long.MAX_VALUE) {
            sorted.sort(BY_KEY);
        } else {
            sorted = new ArrayList<>(first);
            sorted.sort(LAST_FIRST.reversed());
        }
        for (KeyedRows row : sorted) {
            row.restore(at);
            if (!next.take(at)) {
                break;
            }
        }
        next.end(at);
    }
}
