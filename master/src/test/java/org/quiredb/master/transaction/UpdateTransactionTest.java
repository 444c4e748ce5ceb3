package org.quiredb.master.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.version.PageId;
import org.quiredb.common.writeset.CounterChange;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.common.writeset.PageOperations;
import org.quiredb.master.lock.LockManager;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.PageWriter;

final class UpdateTransactionTest {
    private static final int TABLE = 1;
    private static final long ROOT = PageId.of(TABLE, 0);
    private static final long OTHER = PageId.of(TABLE, 1);

    private final PageStore store = new PageStore();
    private final LockManager locks = new LockManager();
    private final UpdateTransaction first = begin(1);
    private final UpdateTransaction second = begin(2);

    UpdateTransactionTest() {
        store.createTable(TABLE, 2);
    }

    private UpdateTransaction begin(long id) {
        return new UpdateTransaction(id, store, locks, table -> {}, 20);
    }

    @Test
    void writesAreSeenByTheTransactionItselfAndByNobodyElse() {
        first.write(ROOT).putByte(5, 42);
        assertThat(first.read(ROOT)[5]).isEqualTo((byte) 42);
        assertThat(first.readInner(ROOT)[5]).isEqualTo((byte) 42);
        assertThat(second.readInner(ROOT)[5]).isZero();
        assertThat(store.readNewest(ROOT)[5]).isZero();
    }

    @Test
    void aWrittenPageIsWaitedForAndTheWaitHasAnEnd() {
        first.write(ROOT).putByte(5, 42);
        assertThatThrownBy(() -> second.read(ROOT))
                .isInstanceOfSatisfying(
                        QuireException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.LOCK_WAIT_TIMEOUT));
        first.release();
        assertThat(second.read(ROOT)[5]).isZero();
    }

    @Test
    void twoThatReadAndThenWriteTheSamePageAreADeadlock() throws InterruptedException {
        UpdateTransaction patient = new UpdateTransaction(3, store, locks, table -> {}, 60_000);
        patient.read(ROOT);
        second.read(ROOT);
        Thread waiting = Thread.startVirtualThread(() -> patient.write(ROOT));
        while (locks.figures().waitingNow() == 0) {
            Thread.onSpinWait();
        }
        assertThatThrownBy(() -> second.write(ROOT))
                .isInstanceOfSatisfying(
                        QuireException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLOCK));
        second.release();
        waiting.join();
        assertThat(patient.write(ROOT).pageId()).isEqualTo(ROOT);
    }

    @Test
    void aFailedStatementIsUndoneAndTheOneBeforeItStays() {
        first.beginStatement();
        first.write(ROOT).putByte(5, 1);
        first.rowCountChanged(TABLE, 1);
        first.endStatement(List.of());
        first.beginStatement();
        first.write(ROOT).putByte(5, 2);
        first.write(ROOT).putByte(6, 2);
        first.write(OTHER).putByte(7, 2);
        first.allocate(TABLE).putByte(8, 2);
        first.rowCountChanged(TABLE, 1);
        first.undoStatement();
        assertThat(first.read(ROOT)[5]).isEqualTo((byte) 1);
        assertThat(first.read(ROOT)[6]).isZero();
        assertThat(first.read(OTHER)[7]).isZero();
        assertThat(first.pageChanges()).extracting(PageChange::pageId).containsExactly(ROOT);
        assertThat(first.counterChanges()).containsExactly(new CounterChange(TABLE, 1, 0));
    }

    @Test
    void theWriteSetLeadsToTheBytesThatArePublished() {
        PageWriter writer = first.write(ROOT);
        writer.put(100, new byte[] {1, 2, 3, 4, 5});
        writer.move(102, 100, 5);
        writer.putShort(101, 999);
        byte[] page = new byte[PageOperations.PAGE_BYTES];
        PageOperations.apply(first.pageChanges().getFirst().operations(), page);
        assertThat(page).isEqualTo(first.read(ROOT));
    }

    @Test
    void newPagesArePublishedBeforeThoseThatLeadToThem() {
        first.write(ROOT).putByte(0, 1);
        PageWriter allocated = first.allocate(TABLE);
        allocated.putByte(0, 1);
        assertThat(first.writers())
                .extracting(PageWriter::pageId)
                .containsExactly(allocated.pageId(), ROOT);
    }

    @Test
    void aPageThatWasOnlyLockedForWritingIsNoChange() {
        assertThat(first.write(ROOT).pageId()).isEqualTo(ROOT);
        assertThat(first.writers()).isEmpty();
    }
}
