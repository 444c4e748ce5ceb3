package org.quiredb.replica.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.version.PageId;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.CounterChange;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.common.writeset.PageOperations;
import org.quiredb.replica.file.PageImage;

class PageStoreTest {
    private static final int TABLE = 4;
    private static final long PAGE = PageId.of(TABLE, 7);

    private final PageStore store = new PageStore();

    @Test
    void aPageThatNobodyWroteIsZeroes() {
        assertThat(store.readAt(PAGE, 5)).hasSize(PageOperations.PAGE_BYTES).containsOnly(0);
        assertThat(store.figures()).isEqualTo(new PageStore.Figures(0, 0, 0, 0, 0));
    }

    @Test
    void anOlderTagReadsItsOwnVersionAfterANewerOneWasMade() {
        for (int commit : new int[] {2, 5, 9}) {
            store.enqueue(change(commit), commit);
        }
        assertThat(firstByteAt(9)).isEqualTo(9);
        assertThat(firstByteAt(6)).isEqualTo(5);
        assertThat(firstByteAt(4)).isEqualTo(2);
        assertThat(firstByteAt(1)).isZero();
        assertThat(firstByteAt(8)).isEqualTo(5);
        assertThat(firstByteAt(100)).isEqualTo(9);
    }

    @Test
    void theOperationsThatAFirstVersionKeepsGoWithTheOlderTags() {
        for (int commit : new int[] {2, 5, 9}) {
            store.enqueue(change(commit), commit);
        }
        assertThat(firstByteAt(9)).isEqualTo(9);
        assertThat(store.heldBytes()).isPositive();
        store.lowWatermark(watermark(9));
        long _ = store.sweep();
        assertThat(store.heldBytes()).isZero();
    }

    @Test
    void figuresAreNotOldForLongBecauseTheMachineStoodStillOnce() {
        assertThat(PageStore.pauseNanos(TimeUnit.MILLISECONDS.toNanos(1)))
                .isEqualTo(TimeUnit.SECONDS.toNanos(1));
        assertThat(PageStore.pauseNanos(TimeUnit.MILLISECONDS.toNanos(50)))
                .isEqualTo(TimeUnit.SECONDS.toNanos(10));
        assertThat(PageStore.pauseNanos(TimeUnit.SECONDS.toNanos(5)))
                .isEqualTo(TimeUnit.MINUTES.toNanos(1));
    }

    @Test
    void versionsBelowTheLowWatermarkAreGone() {
        for (int commit : new int[] {2, 5, 9}) {
            store.publish(PAGE, page(commit), commit);
        }
        store.lowWatermark(watermark(6));
        assertThat(store.sweep()).isEqualTo(2);
        assertThat(firstByteAt(6)).isEqualTo(5);
        assertThatThrownBy(() -> store.readAt(PAGE, 4))
                .isInstanceOf(VersionReclaimedException.class)
                .hasMessageContaining("4:7");
        store.publish(PAGE, page(12), 12);
        store.lowWatermark(watermark(12));
        store.publish(PAGE, page(13), 13);
        assertThat(store.figures().oldVersions()).isEqualTo(1);
        assertThat(firstByteAt(12)).isEqualTo(12);
    }

    @Test
    void whatOldVersionsAndOperationsCostIsCounted() {
        long operation = change(1).operations().length + 40L;
        for (int commit : new int[] {2, 5, 9}) {
            store.enqueue(change(commit), commit);
        }
        assertThat(store.heldBytes()).isEqualTo(3 * operation);
        firstByteAt(9);
        assertThat(store.heldBytes())
                .as("version 9 keeps what leads to it, and page zero costs nothing")
                .isEqualTo(3 * operation);
        firstByteAt(6);
        assertThat(store.heldBytes())
                .as("version 5 keeps two, version 9 is one commit away")
                .isEqualTo(PageOperations.PAGE_BYTES + 2 * operation);
        store.enqueue(change(11), 11);
        store.lowWatermark(watermark(6));
        store.sweep();
        assertThat(store.heldBytes()).isEqualTo(PageOperations.PAGE_BYTES + operation);
        store.lowWatermark(watermark(11));
        store.fold();
        assertThat(store.heldBytes()).isZero();
        assertThat(firstByteAt(11)).isEqualTo(11);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whateverWasDoneNothingIsHeldOnceTheLowWatermarkHasPassed(long seed) {
        Random random = new Random(seed);
        int last = 0;
        int lowest = 0;
        for (int step = 0; step < 2000; step++) {
            switch (random.nextInt(6)) {
                case 0, 1 -> store.enqueue(change(++last), last);
                case 2, 3 -> firstByteAt(lowest + random.nextInt(last - lowest + 1));
                case 4 -> {
                    lowest += random.nextInt(Math.min(8, last - lowest + 1));
                    store.lowWatermark(watermark(lowest));
                    store.sweep();
                }
                default -> {
                    if (random.nextInt(20) == 0) {
                        store.install(PAGE, ++last, page(last));
                        lowest = last;
                    } else if (store.page(PAGE).waiting() == 0) {
                        store.publish(PAGE, page(++last), last);
                    }
                }
            }
            PageStore.Figures figures = store.figures();
            assertThat(store.heldBytes())
                    .isGreaterThanOrEqualTo((figures.oldVersions() - 1) * PageOperations.PAGE_BYTES)
                    .isLessThanOrEqualTo(
                            figures.oldVersions() * PageOperations.PAGE_BYTES + 2000L * 60);
        }
        store.lowWatermark(watermark(last));
        store.fold();
        assertThat(store.heldBytes()).isZero();
    }

    @Test
    void operationsThatThePageHasAreSkipped() {
        store.publish(PAGE, page(5), 5);
        store.enqueue(change(3), 3);
        store.enqueue(change(5), 5);
        assertThat(store.figures().pendingOperations()).isZero();
        store.enqueue(change(6), 6);
        store.enqueue(change(6), 6);
        assertThat(store.figures().pendingOperations()).isEqualTo(1);
        assertThat(store.page(PAGE).newest().bytes()[0]).isEqualTo((byte) 6);
    }

    @Test
    void aTransferredPageTakesTheOperationsThatCameBeforeIt() {
        for (int commit : new int[] {5, 6, 7}) {
            store.enqueue(change(commit), commit);
        }
        store.install(PAGE, 6, page(66));
        assertThat(store.figures().pendingOperations()).isEqualTo(1);
        assertThat(firstByteAt(6)).isEqualTo(66);
        assertThat(firstByteAt(7)).isEqualTo(7);
        store.install(PAGE, 4, page(44));
        assertThat(firstByteAt(7)).isEqualTo(7);
    }

    @Test
    void aLoadedPageOfVersionZeroIsTransferredToo() {
        LoadAccess load = new LoadAccess(store, 0);
        load.write(PAGE).put(0, new byte[] {3});
        load.finish();
        List<PageHandle> found = new ArrayList<>();
        store.forEachPage(TABLE, 0, found::add);
        assertThat(found).hasSize(1);
        PageStore joiner = new PageStore();
        PageImage version = found.getFirst().newest();
        joiner.install(found.getFirst().pageId(), version.commitNumber(), version.bytes());
        assertThat(joiner.readAt(PAGE, 0)[0]).isEqualTo((byte) 3);
        assertThat(joiner.allocate(TABLE)).isEqualTo(8);
    }

    @Test
    void onlyPagesWrittenSinceACommitAreTransferred() {
        store.publish(PageId.of(TABLE, 1), page(3), 3);
        store.publish(PageId.of(TABLE, 2), page(8), 8);
        store.publish(PageId.of(TABLE, 3), page(1), 1);
        store.enqueue(new PageChange(PageId.of(TABLE, 3), change(9).operations()), 9);
        List<Long> found = new ArrayList<>();
        store.forEachPage(TABLE, 8, page -> found.add(page.pageId()));
        assertThat(found).containsExactly(PageId.of(TABLE, 2), PageId.of(TABLE, 3));
    }

    @Test
    void aPageThatNobodyReadsIsBroughtForwardOnceManyOperationsWait() {
        store.lowWatermark(watermark(1000));
        for (int commit = 1; commit <= 1000; commit++) {
            store.enqueue(change(commit), commit);
        }
        assertThat(store.figures().pendingOperations()).isLessThan(64);
        assertThat(firstByteAt(1000)).isEqualTo(1000 & 0xFF);
    }

    @Test
    void rootsAreSetAsideAndPageNumbersGoOn() {
        store.createTable(TABLE, 3);
        assertThat(store.allocate(TABLE)).isEqualTo(3);
        store.enqueue(change(1), 1);
        assertThat(store.allocate(TABLE)).isEqualTo(8);
        store.dropTable(TABLE);
        assertThatThrownBy(() -> store.readAt(PAGE, 1)).isInstanceOf(TableChangedException.class);
        assertThatThrownBy(() -> store.readAt(PAGE, VersionVector.DROPPED))
                .isInstanceOf(TableChangedException.class);
    }

    @Test
    void anOlderVersionIsNotPublishedOnTopOfANewerOne() {
        store.publish(PAGE, page(5), 5);
        assertThatThrownBy(() -> store.publish(PAGE, page(5), 5))
                .isInstanceOf(IllegalStateException.class);
        store.enqueue(change(6), 6);
        assertThatThrownBy(() -> store.publish(PAGE, page(7), 7))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aSnapshotRefusesToWrite() {
        SnapshotAccess snapshot = new SnapshotAccess(store, VersionVector.EMPTY);
        assertThatThrownBy(() -> snapshot.write(PAGE)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> snapshot.allocate(TABLE))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void countersAddAndRaise() {
        TableCounters counters = store.counters(TABLE);
        counters.apply(new CounterChange(TABLE, 5, 10));
        counters.apply(new CounterChange(TABLE, -2, 4));
        assertThat(counters.rowCount()).isEqualTo(3);
        assertThat(counters.takeAutoIncrement(3)).isEqualTo(10);
        assertThat(counters.nextAutoIncrement()).isEqualTo(13);
    }

    private int firstByteAt(long commitNumber) {
        return store.readAt(PAGE, commitNumber)[0] & 0xFF;
    }

    private static VersionVector watermark(long commitNumber) {
        return VersionVector.EMPTY.with(TABLE, commitNumber);
    }

    private static byte[] page(int firstByte) {
        byte[] page = new byte[PageOperations.PAGE_BYTES];
        page[0] = (byte) firstByte;
        return page;
    }

    private static PageChange change(int firstByte) {
        PageWriter writer = new PageWriter(PAGE, page(0));
        writer.putByte(0, firstByte);
        return new PageChange(PAGE, writer.operations());
    }
}
