package org.quiredb.scheduler.session.state;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// Transaction ids that are unique over the tier's life: the epoch in which the scheduler came in,
/// which no other one shares, and a count.
///
/// Invariant: a scheduler begins fewer than 2^40 transactions in its life.
///
/// Threads: any.
public final class TransactionIds {
    private static final int COUNT_BITS = 40;
    private final LongSupplier life;
    private final AtomicLong count = new AtomicLong();

    /// @param life the epoch in which the scheduler came in
    public TransactionIds(LongSupplier life) {
        this.life = life;
    }

    public long next() {
        return (life.getAsLong() << COUNT_BITS) + count.incrementAndGet();
    }
}
