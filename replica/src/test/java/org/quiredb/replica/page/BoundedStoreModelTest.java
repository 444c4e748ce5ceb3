package org.quiredb.replica.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.version.PageId;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.common.writeset.PageOperations;
import org.quiredb.replica.file.PageFile;

/// A store with four times as many pages as its pool has room for, against a model that holds every
/// version: random commits, reads, sweeps and checkpoints, and now and then a crash, after which
/// the store begins with the file and is given what it says that it lacks.
///
/// A crash may lose the commits that no tag has seen, and tear or damage the file.
@Tag("slow")
final class BoundedStoreModelTest {
    private static final int TABLES = 3;
    private static final int PAGES = 100;
    private static final int POOL_PAGES = 64;
    private static final int USED_BYTES = 64;
    private static final long HISTORY = 77;

    @TempDir Path folder;

    /// By page, what its first bytes were after each commit that changed it.
    private final Map<Long, TreeMap<Long, byte[]>> model = new TreeMap<>();

    private PageFile file;
    private PageStore store;
    private long commitNumber;
    private long watermark;

    /// What is given to a store is given at its newest version: no tag is older.
    private long joinedAt;

    private int life;
    private long restored;
    private long asked;

    @BeforeEach
    void begin() {
        begin(folder.resolve("life-0"));
        store.checkpoints().begin(HISTORY);
    }

    @AfterEach
    void close() {
        file.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void readsWhatWasCommittedWhateverLeavesMemoryAndHoweverItEnds(long seed) throws Exception {
        Random random = new Random(seed);
        for (int step = 0; step < 800; step++) {
            switch (random.nextInt(40)) {
                case 0 -> store.sweep();
                case 1 -> raiseWatermark(random);
                case 2 -> store.checkpoints().write(table -> commitNumber);
                case 3 -> crash(random, random.nextInt(20) == 0 ? 1 + random.nextInt(3) : 0);
                default -> {
                    commit(random);
                    for (int i = 0; i < 4; i++) {
                        compare(anyPage(random), between(Math.max(watermark, joinedAt), random));
                    }
                }
            }
            assertThat(store.pool().imageBytes())
                    .isLessThanOrEqualTo(
                            store.pool().limitBytes()
                                    + (store.figures().oldVersions() * 2 + POOL_PAGES / 16)
                                            * PageOperations.PAGE_BYTES);
        }
        crash(random, 0);
        assertThat(restored).isPositive();
        assertThat(asked).isPositive();
        assertThat(store.pool().evicted()).isPositive();
        assertThat(store.pool().loaded()).isPositive();
    }

    private void begin(Path data) {
        file = PageFile.in(data);
        store = new PageStore(file, (long) POOL_PAGES * PageOperations.PAGE_BYTES);
    }

    private void commit(Random random) {
        commitNumber++;
        for (int i = 0; i < 1 + random.nextInt(4); i++) {
            long pageId = anyPage(random);
            byte[] before = expected(pageId, commitNumber);
            if (model.containsKey(pageId) && model.get(pageId).containsKey(commitNumber)) {
                continue;
            }
            byte[] after = before.clone();
            byte[] put = new byte[1 + random.nextInt(8)];
            random.nextBytes(put);
            int offset = random.nextInt(USED_BYTES - put.length);
            System.arraycopy(put, 0, after, offset, put.length);
            model.computeIfAbsent(pageId, id -> new TreeMap<>()).put(commitNumber, after);
            ByteWriter operations = new ByteWriter(16);
            PageOperations.put(operations, offset, put, 0, put.length);
            store.enqueue(new PageChange(pageId, operations.toByteArray()), commitNumber);
        }
    }

    private void raiseWatermark(Random random) {
        watermark = between(watermark, random);
        tellWatermark();
    }

    private void tellWatermark() {
        VersionVector lowest = VersionVector.EMPTY;
        for (int table = 0; table < TABLES; table++) {
            lowest = lowest.with(table, watermark);
        }
        store.lowWatermark(lowest);
    }

    /// @param harm 0 for none, 1 to cut the file off, else to change some of its bytes
    private void crash(Random random, int harm) throws IOException {
        Path former = folder.resolve("life-" + life);
        Path next = folder.resolve("life-" + ++life);
        Files.createDirectories(next);
        Path copy = Files.copy(former.resolve("pages.mv"), next.resolve("pages.mv"));
        file.close();
        Files.deleteIfExists(former.resolve("pages.mv"));
        if (harm != 0) {
            harm(copy, harm, random);
        }
        // What no tag has seen may be lost, and others take its numbers.
        commitNumber = between(watermark, random);
        joinedAt = commitNumber;
        model.values().forEach(versions -> versions.tailMap(commitNumber, false).clear());
        model.values().removeIf(TreeMap::isEmpty);
        begin(next);
        receive(store.checkpoints().restore());
        tellWatermark();
        for (long pageId : model.keySet()) {
            compare(pageId, commitNumber);
        }
    }

    private static void harm(Path path, int harm, Random random) throws IOException {
        byte[] bytes = Files.readAllBytes(path);
        if (harm == 1) {
            bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
        } else {
            for (int i = 0; i < 20; i++) {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
            }
        }
        Files.write(path, bytes, StandardOpenOption.TRUNCATE_EXISTING);
    }

    /// As a support would send it.
    private void receive(Checkpoints.Restored found) {
        if (found.history() != HISTORY) {
            store.checkpoints().begin(HISTORY);
            for (int table = 0; table < TABLES; table++) {
                store.createTable(table, 0);
            }
        } else {
            restored += store.figures().pages();
            asked += found.unsure().size();
        }
        model.forEach((pageId, versions) -> {
            long number = versions.lastKey();
            long missing = found.missing().get(PageId.tableId(pageId));
            if (number >= missing || found.unsure().contains(pageId)) {
                byte[] page = new byte[PageOperations.PAGE_BYTES];
                System.arraycopy(versions.lastEntry().getValue(), 0, page, 0, USED_BYTES);
                store.install(pageId, number, page);
            }
        });
    }

    private void compare(long pageId, long at) {
        byte[] read = store.readAt(pageId, at);
        assertThat(Arrays.copyOf(read, USED_BYTES))
                .as("page %s at %d of %d", PageId.toString(pageId), at, commitNumber)
                .isEqualTo(expected(pageId, at));
    }

    private byte[] expected(long pageId, long at) {
        TreeMap<Long, byte[]> versions = model.getOrDefault(pageId, new TreeMap<>());
        Map.Entry<Long, byte[]> version = versions.floorEntry(at);
        return version == null ? new byte[USED_BYTES] : version.getValue();
    }

    private long between(long least, Random random) {
        return least + random.nextLong(commitNumber - least + 1);
    }

    private static long anyPage(Random random) {
        return PageId.of(random.nextInt(TABLES), random.nextInt(PAGES));
    }
}
