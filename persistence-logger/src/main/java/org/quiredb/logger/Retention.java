package org.quiredb.logger;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.quiredb.common.message.LoggerRequest;

/// Which commits of a class were applied so long ago that nobody asks any more whether they are.
///
/// A logger that begins knows of none. Bound: one mark in a second of that time. Threads: any;
/// guarded by this.
final class Retention {
    private static final long KEPT_NANOS =
            TimeUnit.MILLISECONDS.toNanos(LoggerRequest.FindTransaction.ASKED_WITHIN_MILLIS);
    private static final long BETWEEN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private record Mark(long nanos, long applied) {}

    @GuardedBy("this")
    private final Deque<Mark> marks = new ArrayDeque<>();

    @GuardedBy("this")
    private long over;

    /// @param applied up to which commit the class is applied everywhere
    /// @return up to which commit it was so when the time began that is kept
    synchronized long over(long applied, long nowNanos) {
        while (!marks.isEmpty() && nowNanos - marks.getFirst().nanos >= KEPT_NANOS) {
            over = Math.max(over, marks.removeFirst().applied);
        }
        if (marks.isEmpty() || nowNanos - marks.getLast().nanos >= BETWEEN_NANOS) {
            marks.addLast(new Mark(nowNanos, applied));
        }
        return over;
    }
}
