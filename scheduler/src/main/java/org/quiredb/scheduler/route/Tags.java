package org.quiredb.scheduler.route;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import org.quiredb.common.version.VersionVector;

/// The version vector that this scheduler may show, and the tags of it that are in use.
///
/// A tag that is in use for too long lapses: it may still be read where its versions happen to be,
/// but nobody keeps them for it any more.
///
/// Invariant: the low watermark covers no more than any tag in use that has not lapsed, or is given
/// out later, so replicas may forget everything below it. It only grows: a new tag is the current
/// vector, which covers every earlier one, or one that covers a tag in use.
///
/// Threads: any; guarded by this.
public final class Tags {
    private final long maximumNanos;
    private final LongSupplier nanoTime;

    @GuardedBy("this")
    private VersionVector current = VersionVector.EMPTY;

    /// In the order in which they were taken.
    @GuardedBy("this")
    private final Set<Use> uses = new LinkedHashSet<>();

    @GuardedBy("this")
    private long lapsed;

    private volatile VersionVector lowWatermark = VersionVector.EMPTY;

    /// @param maximum how long versions are kept for a tag
    public Tags(Duration maximum, LongSupplier nanoTime) {
        this.maximumNanos = maximum.toNanos();
        this.nanoTime = nanoTime;
    }

    /// Learns of stable commits.
    public synchronized void merge(VersionVector stable) {
        if (!current.covers(stable)) {
            current = current.merge(stable);
            notifyAll();
        }
    }

    /// Waits until a new tag would be newer than this one, but no longer than that.
    public synchronized void awaitNewer(VersionVector tag, long timeoutMillis)
            throws InterruptedException {
        long deadline = nanoTime.getAsLong() + timeoutMillis * 1_000_000;
        long left = timeoutMillis;
        while (tag.covers(current) && left > 0) {
            wait(left);
            left = (deadline - nanoTime.getAsLong()) / 1_000_000;
        }
    }

    public synchronized VersionVector current() {
        return current;
    }

    /// Takes the current vector as a tag and keeps its versions alive until the use is closed or
    /// lapses.
    ///
    /// @param life of the scheduler among the others
    public synchronized Use use(long life) {
        return use(current, life);
    }

    /// Takes an older vector as a tag.
    ///
    /// @param vector one that covers a tag in use, so that its versions are there
    public synchronized Use use(VersionVector vector, long life) {
        Use use = new Use(vector, life, nanoTime.getAsLong());
        uses.add(use);
        return use;
    }

    /// As last computed; every request carries it.
    public VersionVector lowWatermark() {
        return lowWatermark;
    }

    public synchronized VersionVector computeLowWatermark() {
        long now = nanoTime.getAsLong();
        VersionVector lowest = current;
        for (Iterator<Use> oldestFirst = uses.iterator(); oldestFirst.hasNext(); ) {
            Use use = oldestFirst.next();
            if (now - use.sinceNanos <= maximumNanos) {
                lowest = lowest.floor(use.tag);
            } else {
                oldestFirst.remove();
                use.lapsed = true;
                lapsed++;
            }
        }
        lowWatermark = lowest;
        return lowest;
    }

    /// Those that have not lapsed.
    public synchronized int inUse() {
        return uses.size();
    }

    /// How many tags have been in use for too long.
    public synchronized long lapsed() {
        return lapsed;
    }

    /// For how long the oldest of those in use has been.
    public synchronized double oldestSeconds() {
        return uses.isEmpty()
                ? 0
                : (nanoTime.getAsLong() - uses.iterator().next().sinceNanos) / 1e9;
    }

    private synchronized void release(Use use) {
        uses.remove(use);
    }

    /// A tag in use. Threads: one.
    public final class Use implements AutoCloseable {
        private final VersionVector tag;
        private final long life;
        private final long sinceNanos;
        private volatile boolean lapsed;

        private Use(VersionVector tag, long life, long sinceNanos) {
            this.tag = tag;
            this.life = life;
            this.sinceNanos = sinceNanos;
        }

        public VersionVector tag() {
            return tag;
        }

        /// Of the scheduler, when the tag was taken.
        public long life() {
            return life;
        }

        /// Whether it has been in use for too long.
        public boolean lapsed() {
            return lapsed;
        }

        /// Lets go of the versions; more than once does no harm.
        @Override
        public void close() {
            release(this);
        }
    }
}
