package org.quiredb.replica.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStoreException;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.version.PageId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Pages on disk.
///
/// Threads: `read` by any; everything else by one at a time.
public final class PageFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PageFile.class);
    private static final String NAME = "pages.mv";

    /// For inner nodes above all: pages that are used are in the pool.
    private static final int MOST_CACHE_MEGABYTES = 8;

    /// The cache is so much smaller than the pool of a small replica.
    private static final int CACHE_SHARE = 32;

    /// So many written pages are in memory at most before they go to the file.
    private static final int COMMIT_AFTER = 256;

    /// Told of each page that is on the file; null for one that is damaged.
    @FunctionalInterface
    public interface Visitor {
        void page(long pageId, @Nullable PageImage image);
    }

    private final Path path;
    private final int cacheMegabytes;
    private Volume volume;
    private int uncommitted;
    private volatile String failed = "";
    private volatile boolean closed;
    private volatile Consumer<String> onFailure = reason -> {};

    private PageFile(Path path, int cacheMegabytes) {
        this.path = path;
        this.cacheMegabytes = cacheMegabytes;
        volume = new Volume(path, cacheMegabytes);
    }

    /// Opens the file in this folder or makes it. One that cannot be read is thrown away, with a
    /// line in the log.
    ///
    /// @throws PageFileException when the folder cannot be used, or another process uses it
    public static PageFile in(Path folder) {
        return in(folder, 0);
    }

    /// As {@link #in(Path)}.
    ///
    /// @param poolBytes what the pages in memory are kept to, 0 for no limit: beside them the file
    ///   takes up to 16 MB, or less where they are few
    public static PageFile in(Path folder, long poolBytes) {
        Path path = folder.resolve(NAME);
        int cache = cacheMegabytes(poolBytes);
        try {
            Files.createDirectories(folder);
            return new PageFile(path, cache);
        } catch (IOException e) {
            throw new PageFileException("the data folder " + folder + " cannot be used", e);
        } catch (RuntimeException e) {
            if (e instanceof MVStoreException m
                    && m.getErrorCode() == DataUtils.ERROR_FILE_LOCKED) {
                throw new PageFileException(path + " is in use by another process", e);
            }
            LOG.warn(
                    "{} cannot be read and is thrown away, all pages come from another replica: {}",
                    path,
                    e.getMessage());
            delete(path);
            return new PageFile(path, cache);
        }
    }

    private static int cacheMegabytes(long poolBytes) {
        return poolBytes == 0
                ? MOST_CACHE_MEGABYTES
                : Math.clamp((poolBytes >> 20) / CACHE_SHARE, 1, MOST_CACHE_MEGABYTES);
    }

    /// Who is told, on the thread that noticed, when the file has failed.
    public void onFailure(Consumer<String> told) {
        onFailure = told;
    }

    /// What was written last for the page; null where nothing was.
    ///
    /// @throws PageFileException when it cannot be read, or is not what was written
    public @Nullable PageImage read(long pageId) {
        byte[] stored = attempt("read", () -> volume.page(pageId));
        if (stored == null) {
            return null;
        }
        PageImage image = PageCodec.decode(pageId, stored);
        if (image == null) {
            throw failure("page " + PageId.toString(pageId) + " is damaged");
        }
        return image;
    }

    public void write(long pageId, PageImage image) {
        byte[] stored = PageCodec.encode(pageId, image.commitNumber(), image.bytes());
        run("write", () -> volume.put(pageId, stored));
        if (++uncommitted >= COMMIT_AFTER) {
            commit();
        }
    }

    /// What was written so far outlives the process, all or nothing.
    public void commit() {
        uncommitted = 0;
        run("write", volume::commit);
    }

    /// Records that the pages that were written so far hold this, once they are on disk themselves,
    /// and removes these pages with it; then gives back space.
    public void complete(Checkpoint checkpoint, Collection<Long> without) {
        commit();
        run("write", () -> volume.complete(checkpoint.encode(), without));
    }

    /// Removes some pages of a table that the checkpoint does not name.
    ///
    /// @return whether there may be more
    public boolean removeSome(int tableId) {
        return attempt("write", () -> volume.removeSome(tableId));
    }

    /// Empty where no pages are complete, or where it cannot be read.
    public Optional<Checkpoint> checkpoint() {
        try {
            return Optional.ofNullable(volume.checkpoint()).map(Checkpoint::decode);
        } catch (RuntimeException e) { // of any kind, where the store's own pages are damaged
            LOG.warn(
                    "the checkpoint in {} cannot be used, all pages come from another replica: {}",
                    path,
                    e.getMessage());
            return Optional.empty();
        }
    }

    /// Every page in the order of their ids, each checked. False when the file cannot be read to
    /// its end: then it is not to be used.
    public boolean forEach(Visitor visitor) {
        try {
            volume.forEach(
                    (pageId, stored) -> visitor.page(pageId, PageCodec.decode(pageId, stored)));
            return true;
        } catch (PageFileException e) {
            throw e;
        } catch (RuntimeException e) { // of any kind, where the store's own pages are damaged
            LOG.warn(
                    "{} cannot be read, all pages come from another replica: {}",
                    path,
                    e.getMessage());
            return false;
        }
    }

    /// Nothing is on the file any more. Nobody else uses it meanwhile.
    public void clear() {
        volume.end();
        delete(path);
        uncommitted = 0;
        failed = "";
        run("open", () -> volume = new Volume(path, cacheMegabytes));
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
        volume.end();
        if (!failed.isEmpty()) {
            LOG.warn("{} failed while it was written and is thrown away: {}", path, failed);
            delete(path);
        }
    }

    private void run(String what, Runnable action) {
        attempt(
                what,
                () -> {
                    action.run();
                    return null;
                });
    }

    private <T extends @Nullable Object> T attempt(String what, Supplier<T> action) {
        try {
            return action.get();
        } catch (PageFileException e) {
            throw e;
        } catch (RuntimeException e) { // of any kind, where the store's own pages are damaged
            throw failure("cannot " + what, e);
        }
    }

    /// The file holds something else than was written: this replica ends.
    public PageFileException failure(String message) {
        return failure(message, null);
    }

    private PageFileException failure(String message, @Nullable Throwable cause) {
        String why = cause == null ? "" : ": " + cause;
        String text = "the file of pages " + path + " failed: " + message + why;
        if (!closed) {
            failed = text;
            onFailure.accept(text);
        }
        return new PageFileException(text, cause);
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new PageFileException(path + " cannot be deleted", e);
        }
    }
}
