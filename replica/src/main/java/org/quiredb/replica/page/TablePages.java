package org.quiredb.replica.page;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.quiredb.common.version.PageId;

/// The pages of one table: an array of handles by page number that grows by half and is read
/// without a lock.
///
/// Threads: any.
final class TablePages {
    /// 64 GB.
    private static final int MAXIMUM_PAGES = 1 << 23;

    final TableCounters counters = new TableCounters();
    final FreeSpaceMap freeSpace = new FreeSpaceMap();
    final Pool pool;

    /// Bytes of old versions and of operations, those that wait and those that versions keep.
    final LongAdder heldBytes = new LongAdder();

    /// Whether a page has come to hold an old version since the last sweep, or held one after it:
    /// zero is one, and costs nothing.
    volatile boolean touched;

    private final int tableId;
    private final AtomicInteger nextPageNumber = new AtomicInteger();
    private volatile PageHandle[] handles = {};
    private volatile long watermark;
    private volatile long since;

    TablePages(int tableId, long watermark, Pool pool) {
        this.tableId = tableId;
        this.pool = pool;
        this.watermark = watermark;
    }

    int tableId() {
        return tableId;
    }

    /// In the place of a table that is gone: none of its versions is to be had.
    static TablePages dropped(int tableId, Pool pool) {
        TablePages gone = new TablePages(tableId, 0, pool);
        gone.since = Long.MAX_VALUE;
        return gone;
    }

    PageHandle[] handles() {
        return handles;
    }

    boolean isDropped() {
        return since == Long.MAX_VALUE;
    }

    void begin(int rootPages, long sinceCommit) {
        since = sinceCommit;
        setAside(rootPages);
    }

    byte[] readAt(long pageId, long commitNumber) {
        if (commitNumber < since || isDropped()) {
            throw new TableChangedException(pageId, commitNumber);
        }
        int pageNumber = PageId.pageNumber(pageId);
        PageHandle[] all = handles;
        return pageNumber < all.length ? all[pageNumber].at(commitNumber) : PageVersion.ZEROES;
    }

    PageHandle handle(int pageNumber) {
        PageHandle[] all = handles;
        return pageNumber >= 0 && pageNumber < all.length ? all[pageNumber] : grow(pageNumber);
    }

    /// As {@link #handle}, for a page that is about to be written.
    PageHandle used(int pageNumber) {
        PageHandle handle = handle(pageNumber);
        setAside(pageNumber + 1);
        return handle;
    }

    private synchronized PageHandle grow(int pageNumber) {
        if (pageNumber < 0 || pageNumber >= MAXIMUM_PAGES) {
            throw new IllegalArgumentException(
                    "page number " + pageNumber + " of table " + tableId);
        }
        int had = handles.length;
        if (pageNumber >= had) {
            PageHandle[] grown =
                    Arrays.copyOf(handles, Math.max(pageNumber + 1, had + had / 2 + 8));
            for (int i = had; i < grown.length; i++) {
                grown[i] = new PageHandle(PageId.of(tableId, i), this);
            }
            handles = grown;
        }
        return handles[pageNumber];
    }

    void setAside(int pages) {
        if (nextPageNumber.get() < pages) {
            nextPageNumber.accumulateAndGet(pages, Math::max);
        }
    }

    int allocate() {
        return nextPageNumber.getAndIncrement();
    }

    long watermark() {
        return watermark;
    }

    /// Threads: the store, under its lock.
    void raiseWatermark(long commitNumber) {
        if (commitNumber > watermark) {
            watermark = commitNumber;
        }
    }

    boolean toBeSwept() {
        return touched || heldBytes.sum() != 0;
    }
}
