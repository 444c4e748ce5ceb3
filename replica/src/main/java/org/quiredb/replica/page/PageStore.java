package org.quiredb.replica.page;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.version.PageId;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.common.writeset.PageOperations;
import org.quiredb.replica.file.PageFile;
import org.quiredb.replica.file.PageImage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// All pages of a replica. A table comes into being with its first use.
///
/// Where there is a file, cold pages leave memory for it, see the package.
///
/// A replica that is being filled by transfer must not read pages, nor set a low watermark, before
/// it is complete.
///
/// Threads: any. Changes of one page are guarded by that page; the list of tables is guarded by
/// this.
public final class PageStore {
    private static final Logger LOG = LoggerFactory.getLogger(PageStore.class);
    private static final long RECENT_NANOS = 1_000_000_000;

    /// How many times as long as a walk over all pages takes there is none, but for no longer than
    /// a minute: what took long may have been the machine, and not the walk.
    private static final int WALKS_PAUSE = 200;

    private static final long LONGEST_PAUSE_NANOS = 60_000_000_000L;

    private record Seen(Figures figures, long untilNanos) {}

    private final Pool pool;
    private volatile Tables tables;
    private volatile @Nullable Seen seen;

    private final Checkpoints checkpoints;

    @GuardedBy("this")
    private VersionVector watermark = VersionVector.EMPTY;

    /// The low watermark went so far although tags below may have been in use.
    @GuardedBy("this")
    private VersionVector givenUp = VersionVector.EMPTY;

    @GuardedBy("this")
    private long timesGivenUp;

    /// What the store holds; `bytes` counts every version in memory, `oldVersions` all but the
    /// newest of each page, `resident` the pages whose newest version is in memory.
    public record Figures(
            long pages, long resident, long bytes, long oldVersions, long pendingOperations) {}

    /// Everything stays in memory.
    public PageStore() {
        this(null, 0);
    }

    /// @param file which the store uses alone and does not close; null keeps everything in memory
    /// @param poolBytes of page images in memory; 0 sets no limit
    public PageStore(@Nullable PageFile file, long poolBytes) {
        pool = new Pool(file, poolBytes, () -> tables.present());
        tables = new Tables(TablePages.dropped(-1, pool));
        checkpoints = new Checkpoints(this, pool, file);
    }

    /// How it began, how it is written down, which history its pages are of.
    public Checkpoints checkpoints() {
        return checkpoints;
    }

    public Pool.Figures pool() {
        return pool.figures();
    }

    /// Sets the table's first pages aside, for the roots of its trees: 0 to `rootPages` - 1.
    public void createTable(int tableId, int rootPages) {
        createTable(tableId, rootPages, 0);
    }

    /// As {@link #createTable}, in a tier that lives.
    ///
    /// @param since the commit that creates it: readers at older tags are not shown an empty table
    public void createTable(int tableId, int rootPages, long since) {
        create(tableId).begin(rootPages, since);
    }

    public synchronized void dropTable(int tableId) {
        TablePages table = tables.get(tableId);
        if (table != null && !table.isDropped()) {
            for (PageHandle handle : table.handles()) {
                handle.abandon();
            }
            tables = tables.without(tableId);
            checkpoints.dropped(tableId);
        }
    }

    /// @throws VersionReclaimedException when that version is below the low watermark and gone
    public byte[] readAt(long pageId, long commitNumber) {
        return read(tables, pageId, commitNumber);
    }

    /// The tables of now, which stay readable for who asks here even when they are dropped
    /// meanwhile.
    Reader reader() {
        Tables now = tables;
        return (pageId, commitNumber) -> {
            TablePages table = now.get(PageId.tableId(pageId));
            return table == null
                    ? read(tables, pageId, commitNumber)
                    : table.readAt(pageId, commitNumber);
        };
    }

    /// Reads pages at versions.
    interface Reader {
        byte[] readAt(long pageId, long commitNumber);
    }

    private static byte[] read(Tables all, long pageId, long commitNumber) {
        TablePages table = all.get(PageId.tableId(pageId));
        return table == null ? PageVersion.ZEROES : table.readAt(pageId, commitNumber);
    }

    /// The page with everything that has arrived.
    public byte[] readNewest(long pageId) {
        return readAt(pageId, Long.MAX_VALUE - 1);
    }

    /// Reads a page for nobody, so that it is in memory with everything that has arrived.
    public void touch(long pageId) {
        try {
            readNewest(pageId);
        } catch (VersionReclaimedException e) {
            LOG.debug("page {} is gone", PageId.toString(pageId), e);
        }
    }

    /// Which pages are read here.
    public PageUses uses() {
        return pool.uses;
    }

    public PageHandle page(long pageId) {
        return table(PageId.tableId(pageId)).handle(PageId.pageNumber(pageId));
    }

    /// A page number of the table that nobody has used.
    public int allocate(int tableId) {
        return table(tableId).allocate();
    }

    /// Takes operations in, to be applied when they are read; numbers at or below what the page has
    /// are skipped.
    ///
    /// They come in commit order; {@link PageOperations#check} has accepted them.
    public void enqueue(PageChange change, long commitNumber) {
        PageHandle page = used(change.pageId());
        if (page.enqueue(change.operations(), commitNumber)) {
            page.fold(true);
        }
    }

    /// A master's new version of a page; the array is the store's from now on.
    public void publish(long pageId, byte[] bytes, long commitNumber) {
        used(pageId).publish(checked(bytes), commitNumber);
    }

    /// A load's page, which may replace one of the same number.
    public void replace(long pageId, byte[] bytes, long commitNumber) {
        used(pageId).replace(checked(bytes), commitNumber);
        pool.trim();
    }

    /// A page that comes by transfer; ignored where the page here is as new, or its table dropped.
    /// Operations that wait and are newer stay.
    public void install(long pageId, long commitNumber, byte[] bytes) {
        if (table(PageId.tableId(pageId)).isDropped()) {
            return;
        }
        used(pageId).install(new PageImage(commitNumber, checked(bytes)));
        pool.trim();
    }

    /// What the file holds of a page that the store does not have yet.
    void restore(long pageId, PageImage image) {
        used(pageId).restore(image, !pool.full());
    }

    /// Every written page of the table whose commit number, with all that waits, is at or above the
    /// given one.
    public void forEachPage(int tableId, long atOrAbove, Consumer<PageHandle> action) {
        for (PageHandle handle : pages(tableId)) {
            if (handle.newestNumber() >= atOrAbove) {
                action.accept(handle);
            }
        }
    }

    /// Every written page of the table.
    public List<PageHandle> pages(int tableId) {
        return Arrays.stream(table(tableId).handles()).filter(PageHandle::written).toList();
    }

    /// No reader comes with a tag below this any more. Never goes back.
    public synchronized void lowWatermark(VersionVector lowest) {
        watermark = watermark.merge(lowest);
        for (TablePages table : tables.present()) {
            table.raiseWatermark(watermark.get(table.tableId()));
        }
    }

    /// Applies what waits up to the low watermark and drops what is below it, page by page; returns
    /// how many versions went. For pages that are on the file only it waits until there is much.
    public long sweep() {
        long dropped = 0;
        boolean evenCold = pool.muchWaits();
        for (TablePages table : tables.present()) {
            dropped += sweep(table, evenCold);
        }
        pool.trimAnew();
        return dropped;
    }

    /// As {@link #sweep}, and what waits is applied as far as the low watermark allows: a page then
    /// costs itself, whatever was done to it.
    public long fold() {
        long dropped = 0;
        for (TablePages table : tables.present()) {
            dropped += sweep(table, true);
        }
        return dropped;
    }

    private static long sweep(TablePages table, boolean evenCold) {
        if (!table.toBeSwept()) {
            return 0;
        }
        table.touched = false;
        long dropped = 0;
        for (PageHandle handle : table.handles()) {
            handle.fold(evenCold);
            if (handle.oldVersions() > 0) {
                dropped += handle.reclaim();
                if (handle.oldVersions() > 0) {
                    table.touched = true;
                }
            }
        }
        return dropped;
    }

    /// The bytes of old versions and of operations, those that wait and those that old versions
    /// keep: what the low watermark, as it rises, gives back.
    public long heldBytes() {
        long sum = 0;
        for (TablePages table : tables.present()) {
            sum += table.heldBytes.sum();
        }
        return sum;
    }

    public synchronized VersionVector lowWatermark() {
        return watermark;
    }

    /// Raises the low watermark past tags that may be in use: what is held takes too much memory.
    public synchronized void giveUp(VersionVector tagsBelow) {
        givenUp = givenUp.merge(tagsBelow);
        timesGivenUp++;
        lowWatermark(tagsBelow);
    }

    public synchronized long timesGivenUp() {
        return timesGivenUp;
    }

    /// Whether versions of the tag were given up, rather than reclaimed as nobody's.
    public synchronized boolean givenUp(VersionVector tag) {
        return !tag.covers(givenUp);
    }

    public TableCounters counters(int tableId) {
        return table(tableId).counters;
    }

    public FreeSpaceMap freeSpace(int tableId) {
        return table(tableId).freeSpace;
    }

    /// Walks all pages.
    public Figures figures() {
        long pages = 0;
        long resident = 0;
        long oldVersions = 0;
        long waiting = 0;
        for (TablePages table : tables.present()) {
            for (PageHandle handle : table.handles()) {
                if (handle.written()) {
                    pages++;
                    resident += handle.resident() ? 1 : 0;
                    oldVersions += handle.oldVersions();
                    waiting += handle.waiting();
                }
            }
        }
        return new Figures(pages, resident, pool.figures().imageBytes(), oldVersions, waiting);
    }

    /// The figures as they were a second ago at most, longer where there are so many pages that
    /// walking them each second would take a notable part of a core: heartbeats ask often.
    public Figures recentFigures() {
        Seen last = seen;
        long beganNanos = System.nanoTime();
        if (last == null || beganNanos - last.untilNanos() > 0) {
            Figures now = figures();
            long endedNanos = System.nanoTime();
            last = new Seen(now, endedNanos + pauseNanos(endedNanos - beganNanos));
            seen = last;
        }
        return last.figures();
    }

    static long pauseNanos(long walkNanos) {
        return Math.clamp(WALKS_PAUSE * walkNanos, RECENT_NANOS, LONGEST_PAUSE_NANOS);
    }

    private PageHandle used(long pageId) {
        return table(PageId.tableId(pageId)).used(PageId.pageNumber(pageId));
    }

    Tables tables() {
        return tables;
    }

    private static byte[] checked(byte[] bytes) {
        if (bytes.length != PageOperations.PAGE_BYTES) {
            throw new IllegalArgumentException("page of " + bytes.length + " bytes");
        }
        return bytes;
    }

    /// Of a dropped one what is kept by nobody else.
    private TablePages table(int tableId) {
        TablePages table = tables.get(tableId);
        if (table == null) {
            return create(tableId);
        }
        return table.isDropped() ? TablePages.dropped(tableId, pool) : table;
    }

    private synchronized TablePages create(int tableId) {
        if (tableId < 0) {
            throw new IllegalArgumentException("table id " + tableId);
        }
        TablePages table = tables.get(tableId);
        if (table == null || table.isDropped()) {
            table = new TablePages(tableId, watermark.get(tableId), pool);
            tables = tables.with(table);
        }
        return table;
    }
}
