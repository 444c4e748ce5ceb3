package org.quiredb.replica.page;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.version.PageId;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.file.Checkpoint;
import org.quiredb.replica.file.PageFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes a store down while it is used, and begins with what a former life has written.
///
/// Catalogue and counters are not on the file: they are few, and come with every transfer.
///
/// Threads: `begin` and `restore` before the store is used; `write` by one at a time.
public final class Checkpoints {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);

    /// With more of them asking for each alone is no better than asking for all.
    private static final int MOST_UNSURE = 100_000;

    /// What a store begins with.
    ///
    /// @param history 0 when there is none
    /// @param missing for each table the least commit number that its pages may lack, 0 for all
    /// @param unsure pages to be asked for, whatever their number: what the file has of them is
    ///   damaged, or of commits that may have been lost
    public record Restored(long history, VersionVector missing, List<Long> unsure) {
        static final Restored NOTHING = emptyOf(0);

        /// Of this history, without a page.
        public static Restored emptyOf(long history) {
            return new Restored(history, VersionVector.EMPTY, List.of());
        }
    }

    /// @param restoredPages that the file had
    /// @param joinedPages that came from another replica
    /// @param joinedBytes of the messages in which those came
    public record Origin(long restoredPages, long joinedPages, long joinedBytes) {}

    private final PageStore store;
    private final Pool pool;
    private final @Nullable PageFile file;
    private final Set<Integer> dropped = ConcurrentHashMap.newKeySet();
    private final LongAdder rounds = new LongAdder();
    private volatile long history;
    private volatile Origin origin = new Origin(0, 0, 0);

    /// They stay on the file until a round has written them or knows that there are no such pages.
    private volatile List<Long> doubtful = List.of();

    Checkpoints(PageStore store, Pool pool, @Nullable PageFile file) {
        this.store = store;
        this.pool = pool;
        this.file = file;
    }

    /// Which filling of the tier the pages descend from; 0 before there is one. Stores of one
    /// history have the same bytes in the same page at the same commit number; the tier that was
    /// loaded anew from its backend has others.
    public long history() {
        return history;
    }

    /// Where the store's content came from.
    public Origin origin() {
        return origin;
    }

    /// So many pages came by transfer.
    public void joined(long pages, long bytes) {
        origin = new Origin(origin.restoredPages(), pages, bytes);
    }

    /// The store begins with pages that nobody else has at their commit numbers.
    public void beginNew() {
        begin(new SecureRandom().nextLong() | 1);
    }

    /// The store begins empty, whatever is on the file.
    public void begin(long newHistory) {
        for (TablePages table : store.tables().present()) {
            store.dropTable(table.tableId());
        }
        dropped.clear();
        doubtful = List.of();
        origin = new Origin(0, 0, 0);
        if (file != null) {
            pool.writing(file::clear);
        }
        history = newHistory;
    }

    /// The store begins with what the file holds. Fills the pool.
    public Restored restore() {
        Optional<Checkpoint> found =
                file == null ? Optional.empty() : file.checkpoint().filter(c -> c.history() != 0);
        if (file == null || found.isEmpty()) {
            begin(0);
            return Restored.NOTHING;
        }
        List<Long> unsure = new ArrayList<>();
        Set<Integer> unknown = new TreeSet<>();
        long damaged = read(file, found.get().missing(), unsure, unknown);
        // Of a damaged page the number may be what is damaged: then another page is missing, and
        // nothing says which.
        if (damaged != 0 || unsure.size() > MOST_UNSURE) {
            LOG.warn(
                    "the pages on disk are thrown away, {} of them are not to be trusted: all come from another replica",
                    unsure.size());
            begin(0);
            return Restored.NOTHING;
        }
        unknown.forEach(tableId -> removeAll(file, tableId, () -> false));
        doubtful = List.copyOf(unsure);
        origin = new Origin(store.figures().pages(), 0, 0);
        history = found.get().history();
        LOG.info(
                "{} pages are restored from disk, {} more are of commits that may not have been stable",
                origin.restoredPages(),
                unsure.size());
        return new Restored(history, found.get().missing(), doubtful);
    }

    /// How many are damaged; -1 when the file cannot be read to its end.
    ///
    /// @param unknown takes tables that the checkpoint does not know: perhaps there never were such
    ///   tables, and all that there is of them comes in any case
    private long read(
            PageFile from, VersionVector missing, List<Long> unsure, Set<Integer> unknown) {
        LongAdder damaged = new LongAdder();
        boolean all =
                from.forEach((pageId, image) -> {
                    if (image == null) {
                        damaged.increment();
                    }
                    int tableId = PageId.tableId(pageId);
                    long lacks = missing.get(tableId);
                    if (image != null && lacks == 0) {
                        unknown.add(tableId);
                    } else if (image == null || image.commitNumber() >= lacks) {
                        unsure.add(pageId);
                    } else {
                        store.restore(pageId, image);
                    }
                });
        return all ? damaged.sum() : -1;
    }

    /// Forgets what was restored of tables that are no more.
    public void retain(Set<Integer> tableIds) {
        for (TablePages table : store.tables().present()) {
            if (!tableIds.contains(table.tableId())) {
                store.dropTable(table.tableId());
            }
        }
    }

    void dropped(int tableId) {
        dropped.add(tableId);
    }

    /// One round: afterwards the file holds each page as of the low watermark, or of what was
    /// received where that is less, when the round began.
    ///
    /// Until the record of the round is on the file, that of the round before holds. Tables that
    /// are dropped are taken off the file after it, which does not name them: bit by bit, for who
    /// makes room in memory waits for the file meanwhile.
    ///
    /// @param received the commit number of a table's class up to which everything is in the store;
    ///   -1 for none of it
    public void write(IntToLongFunction received) {
        write(received, () -> false);
    }

    /// As {@link #write(IntToLongFunction)}.
    ///
    /// @param leavesOff whether the round is to end early; then the one before it holds
    public void write(IntToLongFunction received, BooleanSupplier leavesOff) {
        if (file == null || history == 0) {
            return;
        }
        Set<Integer> gone = Set.copyOf(dropped);
        VersionVector watermark = store.lowWatermark();
        VersionVector missing = VersionVector.EMPTY;
        TablePages[] tables = store.tables().present();
        for (TablePages table : tables) {
            int tableId = table.tableId();
            long complete = Math.min(watermark.get(tableId), received.applyAsLong(tableId));
            missing = missing.with(tableId, complete + 1);
            for (PageHandle page : table.handles()) {
                if (leavesOff.getAsBoolean()) {
                    return;
                }
                pool.store(page);
            }
        }
        for (TablePages table : tables) {
            if (table != store.tables().get(table.tableId())) {
                missing = missing.with(table.tableId(), 0); // dropped meanwhile
            }
        }
        Checkpoint checkpoint = new Checkpoint(history, missing);
        pool.writing(() -> file.complete(checkpoint, neverWritten()));
        doubtful = List.of();
        rounds.increment();
        for (int tableId : gone) {
            if (removeAll(file, tableId, leavesOff)) {
                dropped.remove(tableId);
            }
        }
    }

    /// While nobody else writes to the file: who uses one of them from now on writes it after this.
    private List<Long> neverWritten() {
        return doubtful.stream().filter(id -> !store.page(id).written()).toList();
    }

    /// @return whether it has come to its end
    private boolean removeAll(PageFile from, int tableId, BooleanSupplier leavesOff) {
        AtomicBoolean more = new AtomicBoolean(true);
        while (more.get() && !leavesOff.getAsBoolean()) {
            pool.writing(() -> more.set(from.removeSome(tableId)));
        }
        return !more.get();
    }

    /// How many rounds have been written.
    public long rounds() {
        return rounds.sum();
    }
}
