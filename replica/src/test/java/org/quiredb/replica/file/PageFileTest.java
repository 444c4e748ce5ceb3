package org.quiredb.replica.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.version.PageId;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.PageOperations;

final class PageFileTest {
    private static final Checkpoint CHECKPOINT =
            new Checkpoint(5, VersionVector.EMPTY.with(1, 8).with(2, 3));

    /// 64 MB, many times what may stay in memory.
    private static final int MANY = 8192;

    private static final int FEW = 512;
    private static final long MEMORY_BYTES = 20 << 20;

    @TempDir Path folder;

    @Test
    void whatIsCommittedIsThereAfterTheEnd() {
        try (PageFile file = PageFile.in(folder)) {
            file.write(PageId.of(1, 3), page(7));
            file.write(PageId.of(2, 0), page(2));
            file.complete(CHECKPOINT, List.of());
            file.write(PageId.of(1, 3), page(8));
        }
        try (PageFile file = PageFile.in(folder)) {
            assertThat(file.checkpoint()).contains(CHECKPOINT);
            assertThat(Objects.requireNonNull(file.read(PageId.of(1, 3))).commitNumber())
                    .isEqualTo(7);
            assertThat(file.read(PageId.of(1, 4))).isNull();
            List<Long> found = new ArrayList<>();
            file.forEach((pageId, image) -> found.add(pageId));
            assertThat(found).containsExactly(PageId.of(1, 3), PageId.of(2, 0));
        }
    }

    @Test
    void pagesGoWithTheCheckpointAndTablesAfterIt() {
        try (PageFile file = PageFile.in(folder)) {
            for (int table = 1; table <= 3; table++) {
                file.write(PageId.of(table, 0), page(1));
                file.write(PageId.of(table, 9), page(1));
            }
            file.complete(CHECKPOINT, List.of(PageId.of(3, 9)));
            assertThat(file.removeSome(2)).isFalse();
            List<Long> found = new ArrayList<>();
            file.forEach((pageId, image) -> found.add(pageId));
            assertThat(found).containsExactly(PageId.of(1, 0), PageId.of(1, 9), PageId.of(3, 0));
        }
    }

    @Test
    void aPageOfAnotherIdOrWithAChangedBitIsDamaged() {
        PageImage image = page(7);
        byte[] stored = PageCodec.encode(PageId.of(1, 1), image.commitNumber(), image.bytes());
        assertThat(PageCodec.decode(PageId.of(1, 1), stored)).isNotNull();
        assertThat(PageCodec.decode(PageId.of(1, 2), stored)).isNull();
        for (int bit = 0; bit < stored.length * 8; bit += 61) {
            stored[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(PageCodec.decode(PageId.of(1, 1), stored)).isNull();
            stored[bit / 8] ^= (byte) (1 << bit % 8);
        }
        assertThat(PageCodec.decode(PageId.of(1, 1), Arrays.copyOf(stored, 100))).isNull();
    }

    @Test
    void aFileInUseIsNotOpenedTwice() {
        try (PageFile file = PageFile.in(folder)) {
            assertThatThrownBy(() -> PageFile.in(folder))
                    .isInstanceOf(PageFileException.class)
                    .hasMessageContaining("in use");
            assertThat(file.sizeBytes()).isPositive();
        }
    }

    @Test
    void pagesOfAnotherFormatAreNotUsed() {
        byte[] other = CHECKPOINT.encode();
        other[3]++;
        assertThatThrownBy(() -> Checkpoint.decode(other)).hasMessageContaining("version of Quire");
        assertThat(Checkpoint.decode(CHECKPOINT.encode())).isEqualTo(CHECKPOINT);
    }

    @Test
    void whatIsNoFileOfPagesIsThrownAway() throws Exception {
        Files.write(folder.resolve("pages.mv"), new byte[100_000]);
        try (PageFile file = PageFile.in(folder)) {
            assertThat(file.checkpoint()).isEmpty();
            file.write(1, page(1));
            file.commit();
        }
        try (PageFile file = PageFile.in(folder)) {
            assertThat(file.read(1)).isNotNull();
        }
    }

    @Test
    void whatItHoldsInMemoryDoesNotGrowWithThePages() {
        try (PageFile file = PageFile.in(folder)) {
            long before = usedBytes();
            Random random = new Random(1);
            for (int i = 0; i < MANY; i++) {
                file.write(PageId.of(1, i), random(random));
            }
            file.complete(CHECKPOINT, List.of());
            for (int i = 0; i < MANY; i++) {
                file.read(PageId.of(1, random.nextInt(MANY)));
            }
            assertThat(usedBytes() - before).isLessThan(MEMORY_BYTES);
        }
    }

    /// Bytes change under the open file; the store's cache has no room for them all.
    @Test
    void aPageThatIsDamagedWhileTheFileIsOpenIsNeverGivenOut() throws Exception {
        AtomicReference<String> failure = new AtomicReference<>("");
        try (PageFile file = PageFile.in(folder, 1 << 20)) {
            file.onFailure(failure::set);
            for (int i = 0; i < FEW; i++) {
                file.write(PageId.of(1, i), page(7));
            }
            file.complete(CHECKPOINT, List.of());
            damage(folder.resolve("pages.mv"));
            assertThatThrownBy(
                            () -> {
                                usedBytes(); // what the cache has let go, leaves memory
                                for (int i = 0; i < FEW; i++) {
                                    assertThat(
                                                    Objects.requireNonNull(
                                                                    file.read(PageId.of(1, i)))
                                                            .bytes())
                                            .containsOnly(7);
                                }
                            })
                    .isInstanceOf(PageFileException.class);
        }
        assertThat(failure.get()).contains("pages.mv failed");
        assertThat(folder.resolve("pages.mv")).doesNotExist();
    }

    /// Changes a byte in every 4 KB after the header.
    private static void damage(Path path) throws Exception {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            for (long at = 3 * 4096L - 100; at < file.length(); at += 4096) {
                file.seek(at);
                int found = file.read();
                file.seek(at);
                file.write(found ^ 1);
            }
        }
    }

    private static PageImage random(Random random) {
        byte[] bytes = new byte[PageOperations.PAGE_BYTES];
        random.nextBytes(bytes);
        return new PageImage(1, bytes);
    }

    private static long usedBytes() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        for (int i = 0; i < 3; i++) {
            memory.gc();
        }
        return memory.getHeapMemoryUsage().getUsed();
    }

    private static PageImage page(int commitNumber) {
        byte[] bytes = new byte[PageOperations.PAGE_BYTES];
        Arrays.fill(bytes, (byte) commitNumber);
        return new PageImage(commitNumber, bytes);
    }
}
