package org.quiredb.scheduler.fallback;

/// What the rows of a change take that a backend has evaluated, before and after it, while they are
/// compared: a scheduler has each value as such and as a literal, and then on its way to a master.
///
/// Threads: one.
final class ImageBytes {
    private static final int PART_OF_HEAP = 12;
    private static final long LEAST_BYTES = 4 << 20;

    private final long mostBytes;
    private long bytes;

    ImageBytes(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    static ImageBytes ofThisHeap() {
        return new ImageBytes(
                Math.max(LEAST_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
    }

    /// @throws NotLaidException when these are too many
    void add(long more) throws NotLaidException {
        bytes += more;
        if (bytes > mostBytes) {
            throw new NotLaidException(
                    false,
                    "its rows take more than the %d MiB that the scheduler's heap leaves them: change fewer at a time, or give the scheduler a larger heap (QUIRE_HEAP)"
                            .formatted(mostBytes >> 20));
        }
    }
}
