package org.quiredb.replica.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.type.ByteArrayDataType;
import org.h2.mvstore.type.LongDataType;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.version.PageId;
import org.quiredb.common.wire.MangledMessageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Pages on disk.
///
/// Threads: `read` by any; everything else by one at a time.
public final class PageFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PageFile.class);
    private static final String NAME = "pages.mv";

    /// Inner nodes and what was read last: pages that are used are in the pool.
    private static final int CACHE_MEGABYTES = 8;

    /// So many written pages are in memory at most before they go to the file.
    private static final int COMMIT_AFTER = 256;

    private static final int RETENTION_MILLIS = 10_000;
    private static final int LEAST_FILL_PERCENT = 60;
    private static final int MOVED_BYTES = 16 << 20;
    private static final long CHECKPOINT = 0;

    /// Told of each page that is on the file; null for one that is damaged.
    @FunctionalInterface
    public interface Visitor {
        void page(long pageId, @Nullable PageImage image);
    }

    private final Path path;
    private MVStore store;
    private MVMap<Long, byte[]> pages;
    private MVMap<Long, byte[]> header;
    private int uncommitted;
    private volatile boolean failed;
    private volatile boolean closed;
    private volatile Consumer<String> onFailure = reason -> {};

    private PageFile(Path path) {
        this.path = path;
        store = open(path);
        pages = map("pages");
        header = map("checkpoint");
    }

    /// Opens the file in this folder or makes it. One that cannot be read is thrown away, with a
    /// line in the log.
    ///
    /// @throws PageFileException when the folder cannot be used, or another process uses it
    public static PageFile in(Path folder) {
        Path path = folder.resolve(NAME);
        try {
            Files.createDirectories(folder);
            return new PageFile(path);
        } catch (IOException e) {
            throw new PageFileException("the data folder " + folder + " cannot be used", e);
        } catch (MVStoreException | IllegalStateException e) {
            if (e instanceof MVStoreException m
                    && m.getErrorCode() == DataUtils.ERROR_FILE_LOCKED) {
                throw new PageFileException(path + " is in use by another process", e);
            }
            LOG.warn("{} cannot be read and is thrown away: {}", path, e.getMessage());
            delete(path);
            return new PageFile(path);
        }
    }

    /// Who is told, on the thread that noticed, when the file has failed.
    public void onFailure(Consumer<String> told) {
        onFailure = told;
    }

    /// What was written last for the page; null where nothing was.
    ///
    /// @throws PageFileException when it cannot be read, or is not what was written
    public @Nullable PageImage read(long pageId) {
        byte[] stored = attempt("read", () -> pinned(pageId));
        if (stored == null) {
            return null;
        }
        PageImage image = PageCodec.decode(pageId, stored);
        if (image == null) {
            throw failure("page " + PageId.toString(pageId) + " is damaged");
        }
        return image;
    }

    /// While it reads, the space of an older state is not used again.
    private byte @Nullable [] pinned(long pageId) {
        MVStore.TxCounter usage = store.registerVersionUsage();
        try {
            return pages.get(pageId);
        } finally {
            store.deregisterVersionUsage(usage);
        }
    }

    public void write(long pageId, PageImage image) {
        byte[] stored = PageCodec.encode(pageId, image.commitNumber(), image.bytes());
        attempt("write", () -> pages.put(pageId, stored));
        if (++uncommitted >= COMMIT_AFTER) {
            commit();
        }
    }

    /// What was written so far outlives the process, all or nothing.
    public void commit() {
        uncommitted = 0;
        attempt("write", store::commit);
    }

    /// Records that the pages that were written so far hold this, once they are on disk themselves,
    /// and removes these tables and pages with it; then gives back space.
    public void complete(
            Checkpoint checkpoint, Collection<Integer> tables, Collection<Long> others) {
        commit();
        attempt(
                "write",
                () -> {
                    store.sync();
                    tables.forEach(this::removeTable);
                    others.forEach(pages::remove);
                    header.put(CHECKPOINT, checkpoint.encode());
                    store.commit();
                    store.sync();
                    return store.compact(LEAST_FILL_PERCENT, MOVED_BYTES);
                });
    }

    private void removeTable(int tableId) {
        long end = PageId.of(tableId + 1, 0);
        Long pageId = pages.ceilingKey(PageId.of(tableId, 0));
        while (pageId != null && pageId < end) {
            pages.remove(pageId);
            pageId = pages.higherKey(pageId);
        }
    }

    /// Empty where no pages are complete, or where it cannot be read.
    public Optional<Checkpoint> checkpoint() {
        byte[] bytes = attempt("read", () -> header.get(CHECKPOINT));
        try {
            return Optional.ofNullable(bytes).map(Checkpoint::decode);
        } catch (MangledMessageException | IllegalArgumentException e) {
            LOG.warn("the checkpoint in {} is damaged: {}", path, e.getMessage());
            return Optional.empty();
        }
    }

    /// Every page in the order of their ids, each checked.
    public void forEach(Visitor visitor) {
        attempt(
                "read",
                () -> {
                    var cursor = pages.cursor(null);
                    while (cursor.hasNext()) {
                        long pageId = cursor.next();
                        visitor.page(pageId, PageCodec.decode(pageId, cursor.getValue()));
                    }
                    return null;
                });
    }

    /// Nothing is on the file any more. Nobody else uses it meanwhile.
    public void clear() {
        store.closeImmediately();
        delete(path);
        uncommitted = 0;
        failed = false;
        attempt(
                "open",
                () -> {
                    store = open(path);
                    pages = map("pages");
                    header = map("checkpoint");
                    return null;
                });
    }

    public long sizeBytes() {
        try {
            return Files.size(path);
        } catch (IOException e) {
            return 0; // a figure only
        }
    }

    /// Ends as a crash would, after which the file is as of its last commit; one that has failed is
    /// thrown away.
    @Override
    public void close() {
        closed = true;
        store.closeImmediately();
        if (failed) {
            LOG.warn("{} has failed and is thrown away", path);
            delete(path);
        }
    }

    private <T extends @Nullable Object> T attempt(String what, Supplier<T> action) {
        try {
            return action.get();
        } catch (MVStoreException | IllegalStateException e) {
            throw failure("cannot " + what, e);
        }
    }

    /// The file holds something else than was written: this replica ends.
    public PageFileException failure(String message) {
        return failure(message, null);
    }

    private PageFileException failure(String message, @Nullable Throwable cause) {
        String why = cause == null ? "" : ": " + cause.getMessage();
        String text = "the file of pages " + path + " failed: " + message + why;
        if (!closed) {
            failed = true;
            onFailure.accept(text);
        }
        return new PageFileException(text, cause);
    }

    /// An interrupted thread would close a plain file channel under all others; `async:` does not.
    private static MVStore open(Path path) {
        MVStore opened =
                new MVStore.Builder()
                        .fileName("async:" + path.toAbsolutePath())
                        .cacheSize(CACHE_MEGABYTES)
                        .autoCommitDisabled()
                        .autoCommitBufferSize(0)
                        .open();
        opened.setVersionsToKeep(0);
        opened.setRetentionTime(RETENTION_MILLIS);
        return opened;
    }

    private MVMap<Long, byte[]> map(String name) {
        return store.openMap(
                name,
                new MVMap.Builder<Long, byte[]>()
                        .keyType(LongDataType.INSTANCE)
                        .valueType(ByteArrayDataType.INSTANCE));
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new PageFileException(path + " cannot be deleted", e);
        }
    }
}
