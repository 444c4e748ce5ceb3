package org.quiredb.replica.page;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.writeset.PageOperations;
import org.quiredb.replica.file.PageImage;

/// One page: its versions, newest first, and the operations that wait to be applied.
///
/// In one piece, for versions and waiting operations change together under one lock: who reads, who
/// writes, what reclaims and what stores each rely on what the others leave.
///
/// Threads: any. What changes is guarded by this; readers that find their version made, and in
/// memory, take no lock.
public final class PageHandle {
    private static final long NOTHING_WAITS = Long.MAX_VALUE;
    private static final long NOT_STORED = -1;

    /// So many waiting commits are applied without a reader, as far as the low watermark allows.
    private static final int MANY_WAITING = 64;

    /// And so many when that means to read the page from the file.
    private static final int MANY_WAITING_COLD = 256;

    private final long pageId;
    private final TablePages table;

    /// Invariant: readers read this before `newest`, writers set it after.
    private volatile long firstWaiting = NOTHING_WAITS;

    private volatile PageVersion newest = PageVersion.ZERO;

    /// Since the clock's hand came by last. Not guarded: a mark that is lost does no harm.
    private boolean read;

    /// The last round of uses in which it was noted. Not guarded: noted twice does no harm.
    private int usedIn;

    @GuardedBy("this")
    private @Nullable WaitingOperations head;

    @GuardedBy("this")
    private @Nullable WaitingOperations tail;

    @GuardedBy("this")
    private int waiting;

    /// The commit number of the oldest version, once the file holds that.
    @GuardedBy("this")
    private long stored = NOT_STORED;

    @GuardedBy("this")
    private boolean abandoned;

    PageHandle(long pageId, TablePages table) {
        this.pageId = pageId;
        this.table = table;
    }

    public long pageId() {
        return pageId;
    }

    /// The page with everything that has arrived; one that is on the file only is left there.
    public PageImage newest() {
        while (true) {
            if (firstWaiting != NOTHING_WAITS) {
                apply(Long.MAX_VALUE - 1);
            }
            PageVersion version = newest;
            byte[] bytes = version.bytes;
            if (bytes == null) {
                bytes = table.pool.peek(this, version);
            }
            if (bytes != null) {
                return new PageImage(version.commitNumber, bytes);
            }
        }
    }

    byte[] at(long commitNumber) {
        while (true) {
            PageVersion version = visible(commitNumber);
            if (version == null) {
                throw new VersionReclaimedException(pageId, commitNumber);
            }
            byte[] bytes = version.bytes;
            if (bytes == null) {
                bytes = table.pool.load(this, version);
                table.pool.trim();
            }
            if (bytes != null) {
                if (!read) {
                    read = true;
                }
                noteUse();
                return bytes;
            }
        }
    }

    private void noteUse() {
        PageUses uses = table.pool.uses;
        int round = uses.round();
        if (usedIn != round && round != 0) {
            usedIn = round;
            uses.note(pageId);
        }
    }

    /// Null where it is reclaimed.
    private @Nullable PageVersion visible(long commitNumber) {
        if (firstWaiting <= commitNumber) {
            apply(commitNumber);
        }
        PageVersion version = newest;
        while (version != null && version.commitNumber > commitNumber) {
            WaitingOperations steps = version.steps;
            if (steps != null && steps.commitNumber <= commitNumber) {
                return between(commitNumber);
            }
            version = version.older;
        }
        return version;
    }

    private void apply(long commitNumber) {
        PageVersion missing = applied(commitNumber);
        if (missing != null) {
            while (missing != null) {
                table.pool.load(this, missing);
                missing = applied(commitNumber);
            }
            table.pool.trim();
        }
    }

    /// Returns the version whose bytes must be loaded first, null when it is done.
    private synchronized @Nullable PageVersion applied(long commitNumber) {
        WaitingOperations first = head;
        if (first == null || first.commitNumber > commitNumber) {
            return null;
        }
        PageVersion base = newest;
        byte[] bytes = base.bytes;
        if (bytes == null) {
            return base;
        }
        PageVersion made = step(base, bytes, first, commitNumber);
        newest = made;
        int before = waiting;
        held(base.pageBytes() + made.stepBytes() - dropWaiting(made.commitNumber));
        table.pool.applied(before - waiting);
        reclaim();
        return null;
    }

    /// The version that a reader between two versions needs, put into the chain.
    private @Nullable PageVersion between(long commitNumber) {
        while (true) {
            PageVersion base;
            synchronized (this) {
                PageVersion newer = newest;
                base = newer;
                while (base != null && base.commitNumber > commitNumber) {
                    newer = base;
                    base = base.older;
                }
                WaitingOperations first = newer.steps;
                if (base == null
                        || base == newer
                        || first == null
                        || first.commitNumber > commitNumber) {
                    return base;
                }
                byte[] bytes = base.bytes;
                if (bytes != null) {
                    return insert(newer, step(base, bytes, first, commitNumber), first);
                }
            }
            table.pool.load(this, base);
        }
    }

    @GuardedBy("this")
    private PageVersion insert(PageVersion newer, PageVersion made, WaitingOperations first) {
        long keptBefore = newer.stepBytes();
        WaitingOperations rest = first;
        while (rest != null && rest.commitNumber <= made.commitNumber) {
            rest = rest.next;
        }
        newer.older = made;
        newer.steps = rest != null && rest.commitNumber < newer.commitNumber ? rest : null;
        held(made.heldBytes() + newer.stepBytes() - keptBefore);
        return made;
    }

    @GuardedBy("this")
    private PageVersion step(
            PageVersion from, byte[] base, WaitingOperations first, long commitNumber) {
        byte[] bytes = base.clone();
        long reached = from.commitNumber;
        for (WaitingOperations next = first;
                next != null && next.commitNumber <= commitNumber;
                next = next.next) {
            PageOperations.apply(next.operations, bytes);
            reached = next.commitNumber;
        }
        images(1);
        return new PageVersion(reached, bytes, from, first);
    }

    private void held(long bytes) {
        if (!table.touched) {
            table.touched = true;
        }
        if (bytes != 0) {
            table.heldBytes.add(bytes);
        }
    }

    /// Returns the bytes of what went.
    @GuardedBy("this")
    private long dropWaiting(long upTo) {
        long bytes = 0;
        WaitingOperations next = head;
        while (next != null && next.commitNumber <= upTo) {
            bytes += next.bytes();
            next = next.next;
            waiting--;
        }
        waitingBytes(-bytes);
        head = next;
        if (next == null) {
            tail = null;
        }
        firstWaiting = next == null ? NOTHING_WAITS : next.commitNumber;
        return bytes;
    }

    /// Returns whether so much waits by now that the page should be folded.
    synchronized boolean enqueue(byte[] operations, long commitNumber) {
        if (commitNumber <= newestNumber()) {
            return false;
        }
        WaitingOperations added = new WaitingOperations(commitNumber, operations);
        waitingBytes(added.bytes());
        if (tail == null) {
            head = added;
            firstWaiting = commitNumber;
        } else {
            tail.next = added;
        }
        tail = added;
        held(added.bytes());
        return ++waiting >= (newest.bytes == null ? MANY_WAITING_COLD : MANY_WAITING)
                && firstWaiting <= table.watermark();
    }

    /// Applies what waits up to the low watermark.
    ///
    /// @param evenCold also when the page is on the file only
    void fold(boolean evenCold) {
        long watermark = table.watermark();
        if (firstWaiting <= watermark && (evenCold || newest.bytes != null)) {
            apply(watermark);
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
        images(1);
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
        PageVersion before = newest;
        @Nullable PageVersion below = before;
        if (before == PageVersion.ZERO) {
            below = null; // nobody reads what was before the load
        } else if (before.commitNumber == commitNumber) {
            below = before.older;
            stored = below == null ? NOT_STORED : stored;
            images((below == null ? 0 : below.images()) - before.images());
        }
        held(below == before ? before.pageBytes() : -before.stepBytes());
        newest = new PageVersion(commitNumber, bytes, below, null);
        images(1);
        reclaim();
    }

    synchronized void install(PageImage image) {
        if (newest == PageVersion.ZERO || newest.commitNumber < image.commitNumber()) {
            images(1 - newest.images());
            PageVersion before = newest;
            newest = new PageVersion(image.commitNumber(), image.bytes(), null, null);
            stored = NOT_STORED;
            held(-before.stepBytes() - bytesBelow(before) - dropWaiting(image.commitNumber()));
        }
    }

    /// Begins with what the file holds of the page.
    synchronized void restore(PageImage image, boolean keep) {
        newest = new PageVersion(image.commitNumber(), keep ? image.bytes() : null, null, null);
        stored = image.commitNumber();
        images(keep ? 1 : 0);
    }

    /// The page's table is dropped: the page counts no more. Who reads it still finds what is in
    /// memory, and on the file until that is removed.
    synchronized void abandon() {
        images(-newest.images());
        for (WaitingOperations next = head; next != null; next = next.next) {
            waitingBytes(-next.bytes());
        }
        abandoned = true;
    }

    synchronized boolean isAbandoned() {
        return abandoned;
    }

    @GuardedBy("this")
    private void images(long more) {
        if (!abandoned) {
            table.pool.images(more);
        }
    }

    @GuardedBy("this")
    private void waitingBytes(long more) {
        if (!abandoned) {
            table.pool.waiting(more);
        }
    }

    /// The commit number that the page has with everything that waits.
    public synchronized long newestNumber() {
        return tail == null ? newest.commitNumber : tail.commitNumber;
    }

    boolean resident() {
        return newest.bytes != null;
    }

    boolean written() {
        return newest != PageVersion.ZERO || firstWaiting != NOTHING_WAITS;
    }

    /// Drops the versions that no tag at or above the low watermark sees; returns how many.
    synchronized int reclaim() {
        long watermark = table.watermark();
        PageVersion version = newest;
        while (version.commitNumber > watermark) {
            PageVersion older = version.older;
            if (older == null) {
                return 0;
            }
            version = older;
        }
        PageVersion below = version.older;
        int dropped = chainBelow(version);
        if (below == null) {
            return 0;
        }
        images(-below.images());
        held(-version.stepBytes() - bytesBelow(version));
        version.older = null;
        version.steps = null;
        return dropped;
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

    /// The clock's hand comes by: the page's only version, when it is in memory and was not read
    /// since the hand came by last.
    @Nullable PageVersion cold() {
        if (read) {
            read = false;
            return null;
        }
        if (newest.older != null) {
            reclaim();
        }
        PageVersion only = newest;
        return only.older == null && only.bytes != null && only != PageVersion.ZERO ? only : null;
    }

    /// Brings the page forward to the low watermark; returns the version that the file lacks then.
    @Nullable PageVersion unstored() {
        if (isAbandoned()) {
            return null;
        }
        fold(true);
        if (newest.older != null) {
            visible(table.watermark());
            reclaim();
        }
        synchronized (this) {
            PageVersion oldest = newest.oldest();
            return oldest == PageVersion.ZERO || stored == oldest.commitNumber ? null : oldest;
        }
    }

    synchronized boolean isStored(PageVersion version) {
        return isOldest(version) && stored == version.commitNumber;
    }

    synchronized boolean isOldest(PageVersion version) {
        return newest.oldest() == version;
    }

    /// The file holds this version.
    synchronized void stored(PageVersion version) {
        if (isOldest(version)) {
            stored = version.commitNumber;
        }
    }

    /// Lets the bytes of a page's only version go.
    synchronized boolean evict(PageVersion version) {
        if (newest != version || !isStored(version) || version.bytes == null) {
            return false;
        }
        version.bytes = null;
        images(-1);
        return true;
    }

    /// The bytes are back; returns whether the version is still one of the page's.
    synchronized boolean fill(PageVersion version, byte[] bytes) {
        if (!isOldest(version)) {
            return false;
        }
        if (version.bytes == null) {
            version.bytes = bytes;
            images(1);
        }
        return true;
    }
}
