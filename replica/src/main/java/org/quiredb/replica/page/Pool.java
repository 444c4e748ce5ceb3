package org.quiredb.replica.page;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.version.PageId;
import org.quiredb.common.writeset.PageOperations;
import org.quiredb.replica.file.PageFile;
import org.quiredb.replica.file.PageImage;

/// The page images in memory: counts them, and where there is a file keeps them within a limit.
///
/// Threads: any. Who writes to the file holds `writing`; who loads a page holds one of `loads`.
public final class Pool {
    private static final int LOAD_LOCKS = 64;

    /// Of the limit: by so much one that makes room goes below it, and by so much others may exceed
    /// it before they wait for that one.
    private static final int SLACK_SHARE = 32;

    /// Of the limit: so much may wait for cold pages before they are read and brought forward.
    private static final int WAITING_SHARE = 8;

    private final @Nullable PageFile file;
    private final long limit;
    private final long slack;
    private final Hand hand;
    private final AtomicLong images = new AtomicLong();
    private final AtomicLong waitingBytes = new AtomicLong();
    private final LongAdder loaded = new LongAdder();
    private final LongAdder evicted = new LongAdder();
    private final LongAdder written = new LongAdder();
    private final LongAdder applied = new LongAdder();
    final PageUses uses = new PageUses();
    private final Object[] loads = new Object[LOAD_LOCKS];

    /// Fair: a round of a checkpoint, which takes it again and again, would not let others have it.
    private final ReentrantLock writing = new ReentrantLock(true);

    /// A round found nothing to evict: another one is tried once there are more images than this.
    private volatile long tryAbove;

    /// What the pool has done, and holds.
    ///
    /// @param imageBytes of every version in memory
    /// @param loaded pages read from the file
    /// @param evicted pages that left memory
    /// @param written pages written to the file
    /// @param applied commits that waited for a page and were applied to it
    public record Figures(
            long imageBytes,
            long limitBytes,
            long waitingBytes,
            long loaded,
            long evicted,
            long written,
            long applied,
            long fileBytes) {}

    /// @param file null for none, which goes without a limit
    /// @param limitBytes 0 for no limit
    Pool(@Nullable PageFile file, long limitBytes, Supplier<TablePages[]> tables) {
        this.file = file;
        limit =
                file == null || limitBytes == 0
                        ? Long.MAX_VALUE
                        : Math.max(LOAD_LOCKS, limitBytes / PageOperations.PAGE_BYTES);
        slack = limit / SLACK_SHARE;
        hand = new Hand(tables);
        for (int i = 0; i < LOAD_LOCKS; i++) {
            loads[i] = new Object();
        }
    }

    void images(long more) {
        images.addAndGet(more);
    }

    void waiting(long moreBytes) {
        waitingBytes.addAndGet(moreBytes);
    }

    void applied(long operations) {
        applied.add(operations);
    }

    boolean muchWaits() {
        return limit != Long.MAX_VALUE
                && waitingBytes.get() > limit / WAITING_SHARE * PageOperations.PAGE_BYTES;
    }

    boolean full() {
        return images.get() >= limit;
    }

    Figures figures() {
        return new Figures(
                images.get() * PageOperations.PAGE_BYTES,
                limit == Long.MAX_VALUE ? 0 : limit * PageOperations.PAGE_BYTES,
                waitingBytes.get(),
                loaded.sum(),
                evicted.sum(),
                written.sum(),
                applied.sum(),
                file == null ? 0 : file.sizeBytes());
    }

    /// Brings the bytes back into memory; null when the version is none of the page's any more. Who
    /// has used them then makes room.
    byte @Nullable [] load(PageHandle page, PageVersion version) {
        return read(page, version, true);
    }

    /// As {@link #load}, for one who does not come again.
    byte @Nullable [] peek(PageHandle page, PageVersion version) {
        return read(page, version, false);
    }

    private byte @Nullable [] read(PageHandle page, PageVersion version, boolean keep) {
        synchronized (loads[Long.hashCode(page.pageId()) & (LOAD_LOCKS - 1)]) {
            byte[] bytes = version.bytes;
            if (bytes != null) {
                return bytes;
            }
            PageImage image = file().read(page.pageId());
            if (!page.isOldest(version)) {
                return null;
            }
            // An old version cannot lose its place in the file while it is the oldest.
            if (image == null || image.commitNumber() != version.commitNumber) {
                if (page.isAbandoned()) {
                    throw new VersionReclaimedException(page.pageId(), version.commitNumber);
                }
                throw file().failure(
                                "page "
                                        + PageId.toString(page.pageId())
                                        + " is not there at "
                                        + version.commitNumber);
            }
            loaded.increment();
            if (keep && !page.fill(version, image.bytes())) {
                return null;
            }
            return image.bytes();
        }
    }

    /// As {@link #trim}, whatever was found before.
    void trimAnew() {
        tryAbove = 0;
        trim();
    }

    /// Makes room, when there are more images than the limit allows.
    void trim() {
        long now = images.get();
        if (now <= limit || now <= tryAbove) {
            return;
        }
        if (now > limit + slack) {
            writing.lock();
        } else if (!writing.tryLock()) {
            return;
        }
        try {
            evict();
        } finally {
            writing.unlock();
        }
    }

    private void evict() {
        // Two rounds: the first may find nothing but marks.
        long steps = images.get() > limit ? 2 * hand.round() : 0;
        while (images.get() > limit - slack && steps-- > 0) {
            PageHandle page = hand.next();
            PageVersion cold = page == null ? null : page.cold();
            if (page != null && cold != null && onFile(page, cold) && page.evict(cold)) {
                evicted.increment();
            }
        }
        long left = images.get();
        tryAbove = left > limit ? left + slack : 0;
    }

    private boolean onFile(PageHandle page, PageVersion version) {
        if (!page.isStored(version)) {
            write(page, version);
        }
        return page.isStored(version);
    }

    /// Brings a page forward to the low watermark, and the file with it.
    void store(PageHandle page) {
        writing.lock();
        try {
            PageVersion version = page.unstored();
            if (version != null) {
                write(page, version);
            }
        } finally {
            writing.unlock();
        }
        trim();
    }

    /// Only who writes lets bytes go, so they are there.
    private void write(PageHandle page, PageVersion version) {
        byte[] bytes = version.bytes;
        if (bytes != null) {
            file().write(page.pageId(), new PageImage(version.commitNumber, bytes));
            written.increment();
            page.stored(version);
        }
    }

    /// Uses the file alone.
    void writing(Runnable action) {
        writing.lock();
        try {
            action.run();
        } finally {
            writing.unlock();
        }
    }

    private PageFile file() {
        PageFile there = file;
        if (there == null) {
            throw new IllegalStateException("a page has left memory, but there is no file");
        }
        return there;
    }
}
