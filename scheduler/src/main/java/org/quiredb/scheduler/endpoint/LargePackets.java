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

    /// A statement takes several times as much as its text until it has run.
    private static final int PART_OF_HEAP = 16;

    private final long maximumBytes;
    private final AtomicLong bytes = new AtomicLong();

    LargePackets(long maximumBytes) {
        this.maximumBytes = maximumBytes;
    }

    /// @param packetBytes of one, of which there may be two always
    static LargePackets ofThisHeap(int packetBytes) {
        return new LargePackets(
                Math.max(Runtime.getRuntime().maxMemory() / PART_OF_HEAP, 2L * packetBytes));
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
