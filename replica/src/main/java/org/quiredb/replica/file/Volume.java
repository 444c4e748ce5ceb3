package org.quiredb.replica.file;

import java.nio.file.Path;
import java.util.Collection;
import java.util.function.BiConsumer;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.ByteArrayDataType;
import org.h2.mvstore.type.LongDataType;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.version.PageId;

/// The MVStore under the file of pages: bytes by page id, and the bytes of one checkpoint.
///
/// In memory it holds its cache of inner nodes and of what was used last, of a given size, what is
/// written and not committed, and a buffer for writing that. The cache remembers weakly what it has
/// let go, so that a page may come from memory until the next collection of garbage.
///
/// Threads: `page` by any; everything else by one at a time.
final class Volume {
    private static final int RETENTION_MILLIS = 10_000;
    private static final int LEAST_FILL_PERCENT = 60;
    private static final int MOVED_BYTES = 16 << 20;
    private static final int REMOVED_AT_ONCE = 1024;
    private static final long CHECKPOINT = 0;

    private final MVStore store;
    private final MVMap<Long, byte[]> pages;
    private final MVMap<Long, byte[]> header;

    /// An interrupted thread would close a plain file channel under all others; `async:` does not.
    Volume(Path path, int cacheMegabytes) {
        store =
                new MVStore.Builder()
                        .fileName("async:" + path.toAbsolutePath())
                        .cacheSize(cacheMegabytes)
                        .autoCommitDisabled()
                        .autoCommitBufferSize(0)
                        .open();
        store.setVersionsToKeep(0);
        store.setRetentionTime(RETENTION_MILLIS);
        pages = map("pages");
        header = map("checkpoint");
    }

    private MVMap<Long, byte[]> map(String name) {
        return store.openMap(
                name,
                new MVMap.Builder<Long, byte[]>()
                        .keyType(LongDataType.INSTANCE)
                        .valueType(ByteArrayDataType.INSTANCE));
    }

    /// While it reads, the space of an older state is not used again.
    byte @Nullable [] page(long pageId) {
        MVStore.TxCounter usage = store.registerVersionUsage();
        try {
            return pages.get(pageId);
        } finally {
            store.deregisterVersionUsage(usage);
        }
    }

    void put(long pageId, byte[] stored) {
        pages.put(pageId, stored);
    }

    void commit() {
        store.commit();
    }

    /// Once all that is committed is on disk: these pages go and the checkpoint comes, all or
    /// nothing. Then some space is given back.
    void complete(byte[] checkpoint, Collection<Long> without) {
        store.sync();
        without.forEach(pages::remove);
        header.put(CHECKPOINT, checkpoint);
        store.commit();
        store.sync();
        store.compact(LEAST_FILL_PERCENT, MOVED_BYTES);
    }

    /// Removes some of a table's pages, if there are any: each is read for that.
    ///
    /// @return whether there may be more
    boolean removeSome(int tableId) {
        long end = PageId.of(tableId + 1, 0);
        Long pageId = pages.ceilingKey(PageId.of(tableId, 0));
        int removed = 0;
        while (pageId != null && pageId < end && removed < REMOVED_AT_ONCE) {
            pages.remove(pageId);
            removed++;
            pageId = pages.higherKey(pageId);
        }
        store.commit();
        return removed == REMOVED_AT_ONCE;
    }

    byte @Nullable [] checkpoint() {
        return header.get(CHECKPOINT);
    }

    /// In the order of the ids.
    void forEach(BiConsumer<Long, byte[]> visitor) {
        var cursor = pages.cursor(null);
        while (cursor.hasNext()) {
            Long pageId = cursor.next();
            visitor.accept(pageId, cursor.getValue());
        }
    }

    /// As a crash would.
    void end() {
        store.closeImmediately();
    }
}
