package org.quiredb.scheduler.fallback.connection;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;

/// Who may use a connection to the backend: so many at once, of whom none keeps others out for
/// long.
///
/// Most statements there take milliseconds. Who has kept a seat for more than a second while others
/// wait goes over to one of the long seats; when those are taken too, who has kept one longest is
/// ended. So a thousand sleepers delay a short statement by about a second, and no more.
///
/// Threads: any; each seat's place is guarded by the seat.
public final class Seats {
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long LOOK_MILLIS = 200;

    private final Semaphore quick;
    private final Semaphore slow;
    private final int all;
    private final Set<Seat> taken = ConcurrentHashMap.newKeySet();

    public Seats(int quick, int slow) {
        this.quick = new Semaphore(quick, true);
        this.slow = new Semaphore(slow);
        all = quick + slow;
    }

    /// @throws QuireException TIER_UNAVAILABLE when there is none for too long; QUERY_INTERRUPTED
    public Seat take() {
        long deadlineNanos = System.nanoTime() + WAIT_NANOS;
        while (!free()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new QuireException(
                        ErrorCode.TIER_UNAVAILABLE,
                        "all %d backend connections of this scheduler are busy".formatted(all));
            }
            makeRoom();
        }
        Seat seat = new Seat();
        taken.add(seat);
        return seat;
    }

    private boolean free() {
        try {
            return StopSignal.current()
                    .whileWaiting(() -> quick.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            Thread.currentThread().interrupt();
            throw new QuireException(ErrorCode.SERVER_SHUTDOWN, "the scheduler stops", e);
        }
    }

    private void makeRoom() {
        long nowNanos = System.nanoTime();
        List<Seat> longest =
                taken.stream()
                        .filter(seat -> nowNanos - seat.sinceNanos > LONG_NANOS)
                        .sorted(Comparator.comparingLong(seat -> seat.sinceNanos - nowNanos))
                        .toList();
        for (Seat seat : longest) {
            if (seat.makesRoom()) {
                return;
            }
        }
    }

    /// The error of who was ended.
    public static QuireException evictedFor(RuntimeException cause) {
        return new QuireException(
                ErrorCode.TIER_UNAVAILABLE,
                "ended after more than a second on the backend, as others wait for its connection and"
                        + " all long ones are taken (scheduler.limits.longBackendConnections)",
                cause);
    }

    /// A place among those who use a connection.
    public final class Seat implements AutoCloseable {
        private final long sinceNanos = System.nanoTime();
        private Runnable end = () -> {};
        private boolean isLong;
        private boolean evicted;
        private boolean closed;

        /// How to end what it is kept for; must not block.
        public synchronized void keptFor(Runnable ending) {
            end = ending;
        }

        public synchronized boolean evicted() {
            return evicted;
        }

        /// @return whether a quick seat is free by it, now or soon
        private boolean makesRoom() {
            Runnable ending;
            synchronized (this) {
                if (isLong || closed || evicted) {
                    return false;
                }
                if (slow.tryAcquire()) {
                    isLong = true;
                    quick.release();
                    return true;
                }
                evicted = true;
                ending = end;
            }
            ending.run();
            return true;
        }

        @Override
        public void close() {
            synchronized (this) {
                if (closed) {
                    return;
                }
                closed = true;
            }
            taken.remove(this);
            (isLong ? slow : quick).release();
        }
    }
}
