package org.quiredb.replica.page;

import java.util.concurrent.atomic.AtomicLong;
import org.quiredb.common.writeset.CounterChange;

/// A table's row count and next AUTO_INCREMENT value: newest values, not versioned.
///
/// Threads: any.
public final class TableCounters {
    private final AtomicLong rowCount = new AtomicLong();
    private final AtomicLong nextAutoIncrement = new AtomicLong(1);

    public long rowCount() {
        return rowCount.get();
    }

    public long nextAutoIncrement() {
        return nextAutoIncrement.get();
    }

    public void apply(CounterChange change) {
        add(change.rowCountDelta());
        raiseAutoIncrement(change.nextAutoIncrement());
    }

    public void add(long rowCountDelta) {
        rowCount.addAndGet(rowCountDelta);
    }

    public void raiseAutoIncrement(long next) {
        nextAutoIncrement.accumulateAndGet(next, Math::max);
    }

    /// Gives away so many values and returns the first of them.
    public long takeAutoIncrement(int count) {
        return nextAutoIncrement.getAndAdd(count);
    }

    /// Takes values back that were given away last: none of them is used.
    ///
    /// @param end as {@link #nextAutoIncrement} was then; where others have taken some since, these
    ///   stay a gap
    public void giveBackAutoIncrement(long first, long end) {
        nextAutoIncrement.compareAndSet(end, first);
    }

    public void set(long rows, long next) {
        rowCount.set(rows);
        nextAutoIncrement.set(Math.max(next, 1));
    }
}
