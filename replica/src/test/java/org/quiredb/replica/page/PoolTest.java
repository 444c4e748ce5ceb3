package org.quiredb.replica.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.version.PageId;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.common.writeset.PageOperations;
import org.quiredb.replica.file.PageFile;
import org.quiredb.replica.file.PageFileException;
import org.quiredb.replica.file.PageImage;

final class PoolTest {
    private static final int TABLE = 1;
    private static final int PAGES = 400;
    private static final int POOL_PAGES = 100;

    @TempDir Path folder;

    private final AtomicReference<String> failure = new AtomicReference<>("");
    private PageFile file;
    private PageStore store;

    @BeforeEach
    void begin() {
        file = PageFile.in(folder);
        file.onFailure(failure::set);
        store = new PageStore(file, (long) POOL_PAGES * PageOperations.PAGE_BYTES);
        store.checkpoints().begin(1);
    }

    @AfterEach
    void close() {
        file.close();
    }

    @Test
    void aLoadFourTimesThePoolStaysWithinIt() {
        load();
        assertThat(store.figures().pages()).isEqualTo(PAGES);
        assertThat(store.pool().imageBytes()).isLessThanOrEqualTo(store.pool().limitBytes());
        for (int page = 0; page < PAGES; page++) {
            assertThat(numberAt(page, 0)).isEqualTo(page);
            assertThat(store.pool().imageBytes()).isLessThanOrEqualTo(store.pool().limitBytes());
        }
    }

    @Test
    void aPageThatIsReadAgainAndAgainStaysInMemory() {
        load();
        for (int page = 0; page < PAGES; page++) {
            numberAt(page, 0);
            numberAt(7, 0);
        }
        long before = store.pool().loaded();
        numberAt(7, 0);
        assertThat(store.pool().loaded()).isEqualTo(before);
    }

    @Test
    void manyReadersOfOnePageThatIsNotInMemoryLoadItOnce() throws Exception {
        load();
        for (int page = 100; page < PAGES; page++) {
            numberAt(page, 0);
        }
        for (int page = 0; page < 20; page++) {
            long before = store.pool().loaded();
            CountDownLatch go = new CountDownLatch(1);
            int read = page;
            List<Callable<Long>> readers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                readers.add(() -> {
                    go.await();
                    return numberAt(read, 0);
                });
            }
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<Long>> numbers = readers.stream().map(threads::submit).toList();
                go.countDown();
                for (Future<Long> number : numbers) {
                    assertThat(number.get()).isEqualTo(page);
                }
            }
            assertThat(store.pool().loaded() - before).isLessThanOrEqualTo(1);
        }
    }

    /// Commit c writes its number to page c modulo the number of pages: each reader knows what it
    /// must find.
    @Test
    void readersSeeTheirTagsWhilePagesComeAndGo() throws Exception {
        load();
        AtomicLong committed = new AtomicLong();
        AtomicLong lowest = new AtomicLong();
        long commits = 3000;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int reader = 0; reader < 4; reader++) {
                Random random = new Random(reader);
                all.add(
                        threads.submit(() -> {
                            while (committed.get() < commits) {
                                readAtSomeTag(random, lowest, committed);
                            }
                        }));
            }
            all.add(
                    threads.submit(() -> {
                        while (committed.get() < commits) {
                            store.sweep();
                            store.checkpoints().write(table -> committed.get());
                        }
                    }));
            for (long commit = 1; commit <= commits; commit++) {
                store.enqueue(change(commit), commit);
                committed.set(commit);
                if (commit % 100 == 0) {
                    lowest.set(commit - 50);
                    store.lowWatermark(VersionVector.EMPTY.with(TABLE, commit - 50));
                }
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        store.lowWatermark(VersionVector.EMPTY.with(TABLE, commits));
        store.sweep();
        for (int page = 0; page < PAGES; page++) {
            assertThat(numberAt(page, commits)).isEqualTo(expected(page, commits));
        }
        assertThat(store.pool().imageBytes()).isLessThanOrEqualTo(store.pool().limitBytes());
        assertThat(failure.get()).isEmpty();
    }

    /// Its master was lost before the commit.
    @Test
    void whatIsOnTheFileOfATableThatNoCommitHasMadeIsNotAskedFor() {
        load();
        for (int page = 0; page < PAGES; page++) {
            store.replace(PageId.of(TABLE + 1, page), new byte[PageOperations.PAGE_BYTES], 9);
        }
        store.checkpoints().write(table -> table == TABLE ? 0 : -1);
        PageStore next = new PageStore(file, (long) POOL_PAGES * PageOperations.PAGE_BYTES);
        Checkpoints.Restored restored = next.checkpoints().restore();
        assertThat(restored.unsure()).isEmpty();
        assertThat(next.pages(TABLE)).hasSize(PAGES);
        assertThat(next.pages(TABLE + 1)).isEmpty();
        assertThat(file.read(PageId.of(TABLE, 0))).isNotNull();
        assertThat(file.read(PageId.of(TABLE + 1, 0))).isNull();
    }

    /// Who makes room waits for the file meanwhile.
    @Test
    void aDroppedTableLeavesTheFileBitByBit() {
        int pages = 3000;
        for (int page = 0; page < pages; page++) {
            store.replace(PageId.of(TABLE, page), new byte[PageOperations.PAGE_BYTES], 1);
        }
        store.checkpoints().write(table -> 0);
        store.dropTable(TABLE);
        AtomicInteger bits = new AtomicInteger();
        store.checkpoints()
                .write(
                        table -> 0,
                        () -> store.checkpoints().rounds() > 1 && bits.incrementAndGet() > 1);
        assertThat(file.read(PageId.of(TABLE, 0))).isNull();
        assertThat(file.read(PageId.of(TABLE, pages - 1))).isNotNull();
        store.checkpoints().write(table -> 0);
        assertThat(file.read(PageId.of(TABLE, pages - 1))).isNull();
    }

    @Test
    void aPageThatNobodyReadsDoesNotGatherOperations() {
        load();
        long bound = store.pool().limitBytes() / 8;
        for (long commit = 1; commit <= 20_000; commit++) {
            store.enqueue(change(commit), commit);
            if (commit % 2000 == 0) {
                store.lowWatermark(VersionVector.EMPTY.with(TABLE, commit));
                store.sweep();
                assertThat(store.pool().waitingBytes()).isLessThanOrEqualTo(bound);
            }
        }
    }

    @Test
    void aPageThatIsNotWhatWasWrittenEndsTheReplicaAndIsNeverReadAsData() {
        load();
        for (int page = 0; page < PAGES; page++) {
            byte[] other = new byte[PageOperations.PAGE_BYTES];
            file.write(PageId.of(TABLE, page), new PageImage(1, other));
        }
        assertThatThrownBy(
                        () -> {
                            for (int page = 0; page < PAGES; page++) {
                                assertThat(numberAt(page, 0)).isEqualTo(page);
                            }
                        })
                .isInstanceOf(PageFileException.class);
        assertThat(failure.get()).contains("the file of pages", "failed");
    }

    private void readAtSomeTag(Random random, AtomicLong lowest, AtomicLong committed) {
        long least = lowest.get();
        long tag = least + random.nextLong(committed.get() - least + 1);
        int page = random.nextInt(PAGES);
        try {
            assertThat(numberAt(page, tag)).isEqualTo(expected(page, tag));
        } catch (VersionReclaimedException e) {
            assertThat(tag).isLessThan(lowest.get());
        }
    }

    private static long expected(int page, long tag) {
        long last = tag - Math.floorMod(tag - page, (long) PAGES);
        return last <= 0 ? page : last;
    }

    private void load() {
        LoadAccess load = new LoadAccess(store, 0);
        for (int page = 0; page < PAGES; page++) {
            load.write(PageId.of(TABLE, page)).putInt(0, page);
            if (page % 10 == 9) {
                load.settle();
            }
        }
        load.finish();
    }

    private long numberAt(int page, long commitNumber) {
        byte[] bytes = store.readAt(PageId.of(TABLE, page), commitNumber);
        return ByteBuffer.wrap(bytes).getInt();
    }

    private static PageChange change(long commit) {
        ByteWriter operations = new ByteWriter(16);
        PageOperations.put(operations, 0, new ByteWriter(4).i32((int) commit).toByteArray(), 0, 4);
        return new PageChange(PageId.of(TABLE, (int) (commit % PAGES)), operations.toByteArray());
    }
}
