package org.quiredb.replica.page;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.writeset.PageOperations;

/// One page: its versions, newest first, and the operations that wait to be applied.
///
/// Threads: any. What changes is guarded by this; readers that find their version made take no
/// lock.
public final class PageHandle {
    private static final long NOTHING_WAITS = Long.MAX_VALUE;

    /// So many waiting commits are applied without a reader, as far as the low watermark allows.
    private static final int MANY_WAITING = 64;

    private final long pageId;
    private final TablePages table;

    /// Invariant: readers read this before `newest`, writers set it after.
    private volatile long firstWaiting = NOTHING_WAITS;

    private volatile PageVersion newest = PageVersion.ZERO;

    @GuardedBy("this")
    private @Nullable WaitingOperations head;

    @GuardedBy("this")
    private @Nullable WaitingOperations tail;

    @GuardedBy("this")
    private int waiting;

    PageHandle(long pageId, TablePages table) {
        this.pageId = pageId;
        this.table = table;
    }

    public long pageId() {
        return pageId;
    }

    /// The page with everything that has arrived.
    public PageVersion newest() {
        if (firstWaiting != NOTHING_WAITS) {
            apply(Long.MAX_VALUE - 1);
        }
        return newest;
    }

    byte[] at(long commitNumber) {
        if (firstWaiting <= commitNumber) {
            apply(commitNumber);
        }
        PageVersion version = newest;
        while (version.commitNumber() > commitNumber) {
            WaitingOperations steps = version.steps;
            if (steps != null && steps.commitNumber <= commitNumber) {
                return between(commitNumber);
            }
            version = olderThan(version, commitNumber);
        }
        return version.bytes();
    }

    private PageVersion olderThan(PageVersion version, long commitNumber) {
        PageVersion older = version.older;
        if (older == null) {
            throw new VersionReclaimedException(pageId, commitNumber);
        }
        return older;
    }

    private synchronized void apply(long commitNumber) {
        WaitingOperations first = head;
        if (first == null || first.commitNumber > commitNumber) {
            return;
        }
        PageVersion before = newest;
        PageVersion made = step(before, first, commitNumber);
        newest = made;
        held(before.pageBytes() + made.stepBytes() - dropWaiting(made.commitNumber()));
        reclaim();
    }

    /// The version that a reader between two versions needs, put into the chain.
    private synchronized byte[] between(long commitNumber) {
        PageVersion newer = newest;
        PageVersion older = newer;
        while (older.commitNumber() > commitNumber) {
            newer = older;
            older = olderThan(older, commitNumber);
        }
        WaitingOperations first = newer.steps;
        if (first == null || first.commitNumber > commitNumber || newer == older) {
            return older.bytes();
        }
        long keptBefore = newer.stepBytes();
        PageVersion made = step(older, first, commitNumber);
        WaitingOperations rest = first;
        while (rest != null && rest.commitNumber <= made.commitNumber()) {
            rest = rest.next;
        }
        newer.older = made;
        newer.steps = rest != null && rest.commitNumber < newer.commitNumber() ? rest : null;
        held(made.heldBytes() + newer.stepBytes() - keptBefore);
        return made.bytes();
    }

    private static PageVersion step(PageVersion from, WaitingOperations first, long commitNumber) {
        byte[] bytes = from.bytes().clone();
        long reached = from.commitNumber();
        for (WaitingOperations next = first;
                next != null && next.commitNumber <= commitNumber;
                next = next.next) {
            PageOperations.apply(next.operations, bytes);
            reached = next.commitNumber;
        }
        return new PageVersion(reached, bytes, from, first);
    }

    private void held(long bytes) {
        if (bytes != 0) {
            table.heldBytes.add(bytes);
        }
    }

    /// Returns the bytes of what went.
    @GuardedBy("this")
    private long dropWaiting(long upTo) {
        long dropped = 0;
        WaitingOperations next = head;
        while (next != null && next.commitNumber <= upTo) {
            dropped += next.bytes();
            next = next.next;
            waiting--;
        }
        head = next;
        if (next == null) {
            tail = null;
        }
        firstWaiting = next == null ? NOTHING_WAITS : next.commitNumber;
        return dropped;
    }

    synchronized void enqueue(byte[] operations, long commitNumber) {
        if (commitNumber <= newestNumber()) {
            return;
        }
        WaitingOperations added = new WaitingOperations(commitNumber, operations);
        if (tail == null) {
            head = added;
            firstWaiting = commitNumber;
        } else {
            tail.next = added;
        }
        tail = added;
        held(added.bytes());
        if (++waiting >= MANY_WAITING && firstWaiting <= table.watermark()) {
            apply(table.watermark());
        }
    }

    synchronized void publish(byte[] bytes, long commitNumber) {
        if (commitNumber <= newestNumber() || head != null) {
            throw new IllegalStateException(
                    "page version "
                            + commitNumber
                            + " published on top of "
                            + newestNumber()
                            + ", waiting "
                            + waiting);
        }
        PageVersion before = newest;
        newest = new PageVersion(commitNumber, bytes, before, null);
        held(before.pageBytes());
        reclaim();
    }

    synchronized void replace(byte[] bytes, long commitNumber) {
        if (commitNumber < newestNumber() || head != null) {
            throw new IllegalStateException(
                    "load at "
                            + commitNumber
                            + " into a page of "
                            + newestNumber()
                            + ", waiting "
                            + waiting);
        }
        PageVersion below = newest;
        boolean same = below.commitNumber() == commitNumber;
        newest = new PageVersion(commitNumber, bytes, same ? below.older : below, null);
        held(same ? -below.stepBytes() : below.pageBytes());
        reclaim();
    }

    synchronized void install(long commitNumber, byte[] bytes) {
        if (newest != PageVersion.ZERO && newest.commitNumber() >= commitNumber) {
            return;
        }
        PageVersion before = newest;
        newest = new PageVersion(commitNumber, bytes, null, null);
        held(-before.stepBytes() - bytesBelow(before) - dropWaiting(commitNumber));
    }

    /// The commit number that the page has with everything that waits.
    synchronized long newestNumber() {
        return tail == null ? newest.commitNumber() : tail.commitNumber;
    }

    boolean written() {
        return newest != PageVersion.ZERO || firstWaiting != NOTHING_WAITS;
    }

    /// Drops the versions that no tag at or above the low watermark sees; returns how many.
    synchronized int reclaim() {
        long watermark = table.watermark();
        PageVersion version = newest;
        while (version.commitNumber() > watermark) {
            PageVersion older = version.older;
            if (older == null) {
                return 0;
            }
            version = older;
        }
        if (version.older == null) {
            return 0;
        }
        int dropped = chainBelow(version);
        held(-version.stepBytes() - bytesBelow(version));
        version.older = null;
        version.steps = null;
        return dropped;
    }

    /// Applies what waits as far as the low watermark allows, so that it is held once, not twice.
    synchronized int fold() {
        if (firstWaiting <= table.watermark()) {
            apply(table.watermark());
        }
        return reclaim();
    }

    int oldVersions() {
        return chainBelow(newest);
    }

    synchronized int waiting() {
        return waiting;
    }

    private static long bytesBelow(PageVersion version) {
        long sum = 0;
        for (PageVersion below = version.older; below != null; below = below.older) {
            sum += below.heldBytes();
        }
        return sum;
    }

    private static int chainBelow(PageVersion version) {
        int count = 0;
        for (PageVersion below = version.older; below != null; below = below.older) {
            count++;
        }
        return count;
    }
}
