package org.quiredb.scheduler.endpoint;

import java.util.concurrent.atomic.AtomicLong;

/// What large packets take that a scheduler's clients are sending, or whose statements run.
///
/// Invariant: it is bounded for all of them together; who would take more is refused, and nobody
/// else suffers from it. A packet that goes no further than its beginning counts with all that its
/// client has said it will have.
///
/// Threads: any.
final class LargePackets {
    /// What is no larger counts for nothing: it is bounded by how many clients there may be.
    static final int SMALL_BYTES = 256 << 10;

    /// A statement takes several times as much as its text until it has run, up to ten times where
    /// it has bytes in a string.
    private static final int PART_OF_HEAP = 16;

    private static final long SMALL_PAIR_BYTES = 32 << 20;

    private final long maximumBytes;
    private final AtomicLong bytes = new AtomicLong();

    LargePackets(long maximumBytes) {
        this.maximumBytes = maximumBytes;
    }

    /// @param packetBytes of one, for which there is room always, and for two of no more than 16
    ///   MiB
    static LargePackets ofThisHeap(int packetBytes) {
        return new LargePackets(mostBytes(Runtime.getRuntime().maxMemory(), packetBytes));
    }

    static long mostBytes(long heapBytes, int packetBytes) {
        long least = Math.max(packetBytes, Math.min(2L * packetBytes, SMALL_PAIR_BYTES));
        return Math.max(heapBytes / PART_OF_HEAP, least);
    }

    /// @return false when it would be too much; nothing is taken then
    boolean take(long more) {
        if (bytes.addAndGet(more) <= maximumBytes) {
            return true;
        }
        bytes.addAndGet(-more);
        return false;
    }

    void give(long back) {
        bytes.addAndGet(-back);
    }

    long bytes() {
        return bytes.get();
    }
}
