package org.quiredb.scheduler.session.state;

import java.util.concurrent.atomic.AtomicLong;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;

/// How much a session keeps of what its client has sent, from one statement to the next: variables
/// that it has set, prepared statements and their long data.
///
/// Invariant: it is bounded for each session, and for all of a scheduler's together by a quarter of
/// the heap; what is more is refused, and nobody else's session suffers from it.
///
/// Threads: the session's; what all keep by any.
public final class Kept implements AutoCloseable {
    /// What one thing takes beside its text.
    private static final long OVERHEAD_BYTES = 128;

    private final All all;
    private final long maximumBytes;
    private long bytes;

    /// Of all sessions of a scheduler.
    public static final class All {
        private final long maximumBytes;
        private final AtomicLong bytes = new AtomicLong();

        public All(long maximumBytes) {
            this.maximumBytes = maximumBytes;
        }

        public static All ofThisHeap() {
            return new All(Runtime.getRuntime().maxMemory() / 4);
        }

        long bytes() {
            return bytes.get();
        }
    }

    public Kept(All all, long maximumBytes) {
        this.all = all;
        this.maximumBytes = maximumBytes;
    }

    /// What one thing of this text counts for.
    public static long of(String text) {
        return OVERHEAD_BYTES + text.length();
    }

    /// @param more fewer when negative, which always goes
    /// @throws QuireException when it would be too much; nothing is kept then
    public void add(long more) {
        boolean too = more > 0 && bytes + more > maximumBytes;
        long together = too ? 0 : all.bytes.addAndGet(more);
        if (!too && more > 0 && together > all.maximumBytes) {
            all.bytes.addAndGet(-more);
            too = true;
        }
        if (too) {
            throw new QuireException(
                    ErrorCode.OUT_OF_RESOURCES,
                    "Out of memory; what this session has set and prepared takes too much");
        }
        bytes += more;
    }

    @Override
    public void close() {
        all.bytes.addAndGet(-bytes);
        bytes = 0;
    }
}
