package org.quiredb.master.commit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;

/// Transactions whose outcome somebody has asked for: one that has no commit number then gets none
/// any more.
///
/// Bound: the newest of them; a COMMIT that is older than so many questions does not arrive any
/// more. Threads: any; guarded by this.
final class Outcomes {
    private static final int REMEMBERED = 4096;

    @GuardedBy("this")
    private final Set<Long> entering = new HashSet<>();

    @GuardedBy("this")
    private final LinkedHashSet<Long> closed = new LinkedHashSet<>();

    /// A transaction is about to take its commit number.
    ///
    /// @throws QuireException when somebody has been told that it is rolled back
    synchronized void enter(long transactionId) {
        if (closed.contains(transactionId)) {
            throw new QuireException(
                    ErrorCode.DEADLOCK,
                    "the transaction was rolled back when its connection was lost; try restarting transaction");
        }
        entering.add(transactionId);
    }

    /// It has its number, or gets none.
    synchronized void entered(long transactionId) {
        entering.remove(transactionId);
        notifyAll();
    }

    /// From now on the transaction has its number, or never gets one.
    synchronized void close(long transactionId, long waitMillis) {
        closed.add(transactionId);
        if (closed.size() > REMEMBERED) {
            closed.removeFirst();
        }
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
        try {
            while (entering.contains(transactionId)) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
                if (left <= 0) {
                    throw new QuireException(
                            ErrorCode.TIER_UNAVAILABLE,
                            "transaction " + transactionId + " waits to take its commit number");
                }
                wait(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuireException(ErrorCode.QUERY_INTERRUPTED, "interrupted", e);
        }
    }
}
