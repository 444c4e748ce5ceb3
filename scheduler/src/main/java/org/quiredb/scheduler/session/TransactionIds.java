package org.quiredb.scheduler.session;

import java.util.concurrent.atomic.AtomicLong;

/// Transaction ids that are unique over the tier's life: the time the scheduler began, a count, and
/// in the low ten bits a mark of the scheduler's name.
///
/// Invariant: ids of a scheduler's next life are higher, as long as it begins fewer than 2,048
/// transactions a millisecond.
public final class TransactionIds {
    private static final int MARK_BITS = 10;
    private static final int MILLIS_SHIFT = 21;
    private final AtomicLong next;

    public TransactionIds(String scheduler, long startMillis) {
        int mark = scheduler.hashCode() & (1 << MARK_BITS) - 1;
        next = new AtomicLong(startMillis << MILLIS_SHIFT | mark);
    }

    long next() {
        return next.getAndAdd(1 << MARK_BITS);
    }
}
