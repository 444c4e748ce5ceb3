package org.quiredb.scheduler.route;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.IdentityHashMap;
import org.quiredb.common.version.VersionVector;

/// The version vector that this scheduler knows, and the tags of it that are in use.
///
/// Invariant: the low watermark covers no more than any tag in use or given out later, so replicas
/// may forget everything below it. It only grows: a new tag is the current vector, which covers
/// every earlier one.
///
/// Threads: any; guarded by this.
public final class Tags {
    @GuardedBy("this")
    private VersionVector current = VersionVector.EMPTY;

    @GuardedBy("this")
    private final IdentityHashMap<VersionVector, Integer> uses = new IdentityHashMap<>();

    @GuardedBy("this")
    private boolean known;

    private volatile VersionVector lowWatermark = VersionVector.EMPTY;

    /// Learns of stable commits.
    public synchronized void merge(VersionVector stable) {
        current = current.merge(stable);
    }

    /// The master has told its vector: from now on tags are fresh.
    public synchronized void mergeFirst(VersionVector stable) {
        current = current.merge(stable);
        known = true;
        notifyAll();
    }

    /// Whether the vector became known in time.
    public synchronized boolean awaitKnown(long timeoutMillis) throws InterruptedException {
        long deadline = System.nanoTime() + timeoutMillis * 1_000_000;
        while (!known) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }

    public synchronized VersionVector current() {
        return current;
    }

    /// Takes the current vector as a tag and keeps its versions alive until the use is closed.
    public synchronized Use use() {
        uses.merge(current, 1, Integer::sum);
        return new Use(current);
    }

    /// Takes an older vector as a tag.
    ///
    /// @param vector one that covers a tag in use, so that its versions are there
    public synchronized Use use(VersionVector vector) {
        uses.merge(vector, 1, Integer::sum);
        return new Use(vector);
    }

    /// As last computed; every request carries it.
    public VersionVector lowWatermark() {
        return lowWatermark;
    }

    public synchronized VersionVector computeLowWatermark() {
        VersionVector lowest = current;
        for (VersionVector tag : uses.keySet()) {
            lowest = lowest.floor(tag);
        }
        lowWatermark = lowest;
        return lowest;
    }

    public synchronized int inUse() {
        return uses.values().stream().mapToInt(Integer::intValue).sum();
    }

    private synchronized void release(VersionVector tag) {
        uses.computeIfPresent(tag, (same, count) -> count == 1 ? null : count - 1);
    }

    /// A tag in use. Threads: one.
    public final class Use implements AutoCloseable {
        private final VersionVector tag;
        private boolean closed;

        private Use(VersionVector tag) {
            this.tag = tag;
        }

        public VersionVector tag() {
            return tag;
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                release(tag);
            }
        }
    }
}
