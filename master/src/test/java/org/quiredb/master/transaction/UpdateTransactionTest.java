package org.quiredb.master.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.writeset.CounterChange;
import org.quiredb.common.writeset.PageOperations;
import org.quiredb.master.lock.LockManager;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.PageWriter;
import org.quiredb.replica.tree.BTree;
import org.quiredb.replica.tree.RowPages;
import org.quiredb.replica.tree.RowRef;

/// Rows of one byte under keys of one number.
final class UpdateTransactionTest {
    private static final int TABLE = 1;

    private final PageStore store = new PageStore();
    private final LockManager locks = new LockManager();
    private final RowPages rows = new RowPages(TABLE);
    private final BTree tree = new BTree(TABLE, 0);
    private final UpdateTransaction first;
    private final UpdateTransaction second;
    private long commitNumber;

    UpdateTransactionTest() {
        store.createTable(TABLE, 1);
        first = begin(1, 20);
        second = begin(2, 20);
    }

    @Test
    void changesAreSeenByTheTransactionItselfAndOnNoPageBeforeTheCommit() {
        insert(first, 7, 70);
        assertThat(values(first)).containsExactly(70);
        assertThat(store.figures().pages()).isZero();
        commit(first);
        assertThat(values(second)).containsExactly(70);
    }

    @Test
    void bothOfTwoThatInsertAtTheRightEdgeCommitWithoutWaiting() {
        insert(first, 7, 70);
        insert(second, 8, 80);
        commit(second);
        commit(first);
        assertThat(values(begin(3, 20))).containsExactly(70, 80);
    }

    @Test
    void aChangedRowIsWaitedForAndTheWaitHasAnEnd() {
        committed(7, 70);
        rows.update(first, find(first, 7), new byte[] {71});
        assertThatThrownBy(() -> value(second, 7))
                .isInstanceOfSatisfying(
                        QuireException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.LOCK_WAIT_TIMEOUT));
        first.release();
        assertThat(value(second, 7)).isEqualTo(70);
    }

    @Test
    void whatWasLookedForInVainIsNotInsertedByAnother() {
        assertThat(find(first, 7)).isEqualTo(BTree.NOT_FOUND);
        insert(second, 8, 80);
        assertThatThrownBy(() -> insert(second, 7, 70)).isInstanceOf(QuireException.class);
    }

    @Test
    void aWalkLocksWhatItHasComeToAndNotMuchMore() {
        for (int key = 0; key < 100; key++) {
            committed(key, key);
        }
        BTree.Cursor cursor = tree.cursor(first, null, true, null, true, false);
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.next()).isTrue();
        tree.remove(second, key(50), find(second, 50));
        assertThatThrownBy(() -> tree.remove(second, key(1), find(second, 1)))
                .isInstanceOf(QuireException.class);
    }

    @Test
    void twoThatReadAndThenWriteTheSameRowAreADeadlock() throws InterruptedException {
        committed(7, 70);
        UpdateTransaction patient = begin(3, 60_000);
        long locator = find(patient, 7);
        value(patient, 7);
        value(second, 7);
        Thread waiting =
                Thread.startVirtualThread(() -> rows.update(patient, locator, new byte[] {71}));
        while (locks.figures().waitingNow() == 0) {
            Thread.onSpinWait();
        }
        assertThatThrownBy(() -> rows.update(second, locator, new byte[] {72}))
                .isInstanceOfSatisfying(
                        QuireException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLOCK));
        second.release();
        waiting.join();
        assertThat(value(patient, 7)).isEqualTo(71);
    }

    @Test
    void aFailedStatementIsUndoneAndTheOneBeforeItStays() {
        committed(5, 50);
        first.beginStatement();
        insert(first, 7, 70);
        first.beginStatement();
        rows.update(first, find(first, 7), new byte[] {71});
        insert(first, 8, 80);
        tree.remove(first, key(5), find(first, 5));
        first.undoStatement();
        assertThat(values(first)).containsExactly(50, 70);
        assertThat(first.counterChanges()).containsExactly(new CounterChange(TABLE, 1, 0));
    }

    @Test
    void whatIsInsertedAndDeletedAgainIsNoChange() {
        long locator = insert(first, 7, 70);
        assertThat(first.changes()).isTrue();
        tree.remove(first, key(7), locator);
        rows.delete(first, locator);
        assertThat(first.changes()).isFalse();
    }

    @Test
    void aKeyThatIsReplacedKeepsItsPlaceInTheTree() {
        committed(7, 70);
        long locator = find(first, 7);
        tree.remove(first, key(7), locator);
        rows.delete(first, locator);
        insert(first, 7, 71);
        commit(first);
        assertThat(values(second)).containsExactly(71);
    }

    @Test
    void theWriteSetLeadsToTheBytesThatArePublished() {
        committed(7, 70);
        rows.update(first, find(first, 7), new byte[] {71});
        insert(first, 8, 80);
        PageChanges pages = first.pageChanges();
        assertThat(pages.writers()).hasSize(2);
        for (int i = 0; i < 2; i++) {
            PageWriter writer = pages.writers().get(i);
            byte[] page = store.readNewest(writer.pageId()).clone();
            PageOperations.apply(pages.pageChanges().get(i).operations(), page);
            assertThat(page).isEqualTo(writer.bytes());
        }
    }

    private UpdateTransaction begin(long id, long waitMillis) {
        return new UpdateTransaction(id, store, locks, table -> {}, waitMillis);
    }

    private void committed(int key, int value) {
        UpdateTransaction transaction = begin(100 + commitNumber, 20);
        insert(transaction, key, value);
        commit(transaction);
    }

    private void commit(UpdateTransaction transaction) {
        commitNumber++;
        PageChanges pages = transaction.pageChanges();
        pages.writers().forEach(w -> store.publish(w.pageId(), w.bytes(), commitNumber));
        pages.release();
        transaction.release();
    }

    private long insert(UpdateTransaction transaction, int key, int value) {
        long locator = rows.insert(transaction, new byte[] {(byte) value});
        assertThat(tree.insertUnique(transaction, key(key), locator)).isTrue();
        transaction.rowCountChanged(TABLE, 1);
        return locator;
    }

    private long find(UpdateTransaction transaction, int key) {
        return tree.find(transaction, key(key));
    }

    private int value(UpdateTransaction transaction, int key) {
        return value(rows.row(transaction, find(transaction, key)));
    }

    private List<Integer> values(UpdateTransaction transaction) {
        List<Integer> values = new ArrayList<>();
        BTree.Cursor cursor = tree.cursor(transaction, null, true, null, true, false);
        while (cursor.next()) {
            values.add(value(rows.row(transaction, cursor.locator())));
        }
        return values;
    }

    private static int value(@Nullable RowRef row) {
        if (row == null) {
            throw new IllegalStateException("the tree leads to no row");
        }
        return row.page()[row.offset()];
    }

    private static byte[] key(int key) {
        return ByteBuffer.allocate(4).putInt(key).array();
    }
}
