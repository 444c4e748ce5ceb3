package org.quiredb.replica.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.version.PageId;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.common.writeset.PageOperations;
import org.quiredb.replica.tree.BTree;
import org.quiredb.replica.tree.RowPages;

/// A page has the same bytes at the same version on every replica, in whatever order its readers
/// come.
@Tag("slow")
class ReplayTest {
    private static final int TABLE = 1;
    private static final int COMMITS = 60;

    private final PageStore master = new PageStore();
    private final PageStore slave = new PageStore();
    private final BTree tree = new BTree(TABLE, 0);
    private final RowPages rows = new RowPages(TABLE);
    private final Map<Long, byte[]> images = new HashMap<>();
    private final Map<Integer, Long> locators = new HashMap<>();
    private final List<Long> pages = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void recordedOperationsGiveTheSamePagesAtEveryVersion(long seed) {
        Random random = new Random(seed);
        master.createTable(TABLE, 1);
        for (int commit = 1; commit <= COMMITS; commit++) {
            for (PageChange change : transaction(random, commit)) {
                slave.enqueue(change, commit);
                slave.enqueue(change, commit);
                if (!pages.contains(change.pageId())) {
                    pages.add(change.pageId());
                }
            }
            remember(commit);
            for (int i = 0; i < 3; i++) {
                compare(pages.get(random.nextInt(pages.size())), random.nextInt(commit + 1));
            }
        }
        for (int i = 0; i < 3000; i++) {
            compare(pages.get(random.nextInt(pages.size())), random.nextInt(COMMITS + 1));
        }
        for (long pageId : pages) {
            assertThat(slave.readNewest(pageId)).isEqualTo(master.readNewest(pageId));
            assertThat(slave.page(pageId).newest().commitNumber())
                    .isEqualTo(master.page(pageId).newest().commitNumber());
        }
        assertThat(slave.figures().pendingOperations()).isZero();
        reclaim(slave, random);
    }

    /// Readers at and above the low watermark still find everything, and one version of a page is
    /// left in the end.
    private void reclaim(PageStore store, Random random) {
        int watermark = 1 + random.nextInt(COMMITS - 1);
        store.lowWatermark(VersionVector.EMPTY.with(TABLE, watermark));
        store.sweep();
        for (int i = 0; i < 1000; i++) {
            compare(
                    pages.get(random.nextInt(pages.size())),
                    watermark + random.nextInt(COMMITS + 1 - watermark));
        }
        store.lowWatermark(VersionVector.EMPTY.with(TABLE, COMMITS));
        assertThat(store.sweep()).isPositive();
        assertThat(store.figures().oldVersions()).isZero();
        assertThat(store.sweep()).isZero();
    }

    private List<PageChange> transaction(Random random, int commit) {
        RecordingAccess access = new RecordingAccess(master);
        for (int i = 0; i < 30; i++) {
            int number = random.nextInt(2000);
            byte[] key =
                    String.format("%06d-%s\0", number, "x".repeat(number % 200))
                            .getBytes(StandardCharsets.UTF_8);
            byte[] row = new byte[random.nextInt(400)];
            random.nextBytes(row);
            Long locator = locators.get(number);
            if (locator == null) {
                long added = rows.insert(access, row);
                assertThat(tree.insertUnique(access, key, added)).isTrue();
                locators.put(number, added);
            } else if (random.nextInt(3) == 0) {
                rows.delete(access, locator);
                assertThat(tree.remove(access, key, locator)).isTrue();
                locators.remove(number);
            } else {
                rows.update(access, locator, row);
            }
        }
        return access.commit(commit);
    }

    private void remember(int commit) {
        for (long pageId : pages) {
            images.put(pageId << 10 ^ commit, master.readNewest(pageId));
        }
    }

    private void compare(long pageId, int commit) {
        byte[] expected =
                images.getOrDefault(pageId << 10 ^ commit, new byte[PageOperations.PAGE_BYTES]);
        assertThat(
                        Arrays.equals(slave.readAt(pageId, commit), expected)
                                && Arrays.equals(master.readAt(pageId, commit), expected))
                .as("page %s at %d", PageId.toString(pageId), commit)
                .isTrue();
    }
}
