package org.quiredb.master.commit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// The bytes of a class's commits that are under way, since each is in the memory of every replica
/// several times until it is settled: bounded, and a commit that is larger than the bound is under
/// way alone. Who comes first is let in first, so that a large one is not kept out by small ones.
///
/// Threads: any, to enter; numbered and settled are guarded by their owner.
final class BytesUnderWay {
    private static final int UNIT_BYTES = 1024;

    private record Numbered(long commitNumber, int units) {}

    private final int units;
    private final Semaphore free;
    private final Deque<Numbered> numbered = new ArrayDeque<>();

    BytesUnderWay(long maximumBytes) {
        units = Math.clamp(maximumBytes / UNIT_BYTES, 1, Integer.MAX_VALUE);
        free = new Semaphore(units, true);
    }

    private int unitsOf(long bytes) {
        return (int) Math.min(units, bytes / UNIT_BYTES);
    }

    /// Waits until there is room; then {@link #numbered} or {@link #left}.
    ///
    /// @return whether it came in time
    boolean enter(long bytes, long waitMillis) throws InterruptedException {
        int mine = unitsOf(bytes);
        return mine == 0 || free.tryAcquire(mine, waitMillis, TimeUnit.MILLISECONDS);
    }

    /// It will have no number.
    void left(long bytes) {
        free.release(unitsOf(bytes));
    }

    /// It has this number now, and room until that is settled.
    void numbered(long commitNumber, long bytes) {
        int mine = unitsOf(bytes);
        if (mine > 0) {
            numbered.addLast(new Numbered(commitNumber, mine));
        }
    }

    void settled(long commitNumber) {
        while (!numbered.isEmpty() && numbered.getFirst().commitNumber() <= commitNumber) {
            free.release(numbered.removeFirst().units());
        }
    }
}
