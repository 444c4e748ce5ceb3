package org.quiredb.scheduler.cluster;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/// Calls whose callers do the work of a replica of this process themselves: none of them looks at
/// the clock meanwhile, so somebody else does.
///
/// Threads: any.
final class OwnWork {
    private final Map<AwaitedCall, Long> deadlines = new ConcurrentHashMap<>();

    /// Returns the end of the answer. What takes longer than that is given up once {@link #expire}
    /// has seen it.
    byte[] answer(Wire wire, byte[] request, AwaitedCall caller, long timeoutMillis) {
        long nowNanos = System.nanoTime();
        deadlines.put(caller, nowNanos + TimeUnit.MILLISECONDS.toNanos(timeoutMillis));
        try {
            wire.callHere(request, caller, caller::began);
        } finally {
            deadlines.remove(caller);
        }
        return caller.await(timeoutMillis);
    }

    /// Gives up what has taken too long: it may wait for a client that takes nothing, with the
    /// locks of its transaction held.
    void expire(long nowNanos) {
        deadlines.forEach((caller, deadlineNanos) -> {
            if (nowNanos - deadlineNanos > 0) {
                caller.giveUp();
            }
        });
    }
}
