package org.quiredb.replica.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.replica.page.LoadAccess;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.RecordingAccess;
import org.quiredb.replica.page.SnapshotAccess;

class BTreeTest {
    private static final int TABLE = 0;

    private final PageStore store = new PageStore();
    private final BTree tree = new BTree(TABLE, 0);

    BTreeTest() {
        store.createTable(TABLE, 1);
    }

    @Test
    void anEmptyTreeHasNothing() {
        SnapshotAccess access = new SnapshotAccess(store, VersionVector.EMPTY);
        assertThat(tree.find(access, Keys.text("a"))).isEqualTo(BTree.NOT_FOUND);
        assertThat(tree.cursor(access, null, true, null, true, true).next()).isFalse();
        assertThat(tree.estimate(access, null, null)).isZero();
    }

    @Test
    void growingKeysLeaveFullPagesBehind() {
        LoadAccess load = new LoadAccess(store, 0);
        for (int i = 0; i < 100_000; i++) {
            tree.insert(load, Keys.ascending(i), i);
        }
        load.finish();
        long entryBytes = 2 + 11 + 6 + 2;
        assertThat(store.figures().bytes()).isLessThan(100_000 * entryBytes * 103 / 100);
        SnapshotAccess access = new SnapshotAccess(store, VersionVector.EMPTY);
        for (int i = 0; i < 100_000; i += 331) {
            assertThat(tree.find(access, Keys.ascending(i))).isEqualTo(i);
        }
        assertThat(tree.estimate(access, Keys.ascending(20_000), Keys.ascending(69_999)))
                .isBetween(40_000L, 60_000L);
        assertThat(tree.estimate(access, Keys.ascending(500), Keys.ascending(599))).isEqualTo(100);
        assertThat(tree.estimate(access, null, null)).isBetween(80_000L, 120_000L);
    }

    @Test
    void anInsertInTheMiddleOfALeafIsRecordedInFewBytes() {
        RecordingAccess first = new RecordingAccess(store);
        for (int i = 0; i < 300; i += 2) {
            tree.insert(first, Keys.ascending(i), i);
        }
        first.commit(1);
        RecordingAccess second = new RecordingAccess(store);
        tree.insert(second, Keys.ascending(101), 101);
        List<PageChange> changes = second.commit(2);
        assertThat(changes).hasSize(1);
        assertThat(changes.getFirst().operations()).hasSizeLessThan(17 + 30);
    }

    @Test
    void aCursorDoesNotSeeWhatItsOwnTransactionChangesOnTheLeafItIsOn() {
        RecordingAccess access = new RecordingAccess(store);
        for (int i = 0; i < 2000; i++) {
            tree.insert(access, Keys.ascending(i), i);
        }
        BTree.Cursor cursor = tree.cursor(access, null, true, null, true, false);
        int seen = 0;
        while (cursor.next()) {
            assertThat(cursor.locator()).isEqualTo(seen++);
            assertThat(tree.remove(access, cursor.key(), cursor.locator())).isTrue();
        }
        assertThat(seen).isEqualTo(2000);
        assertThat(tree.cursor(access, null, true, null, true, false).next()).isFalse();
    }

    @Test
    void aBoundMayBeTheBeginningOfKeys() {
        RecordingAccess access = new RecordingAccess(store);
        for (String key : List.of("a1", "b1", "b2", "b3", "c1")) {
            tree.insert(access, Keys.text(key), key.charAt(1));
        }
        byte[] beginning = {'b'};
        assertThat(count(tree.cursor(access, beginning, true, beginning, true, false)))
                .isEqualTo(3);
        assertThat(count(tree.cursor(access, beginning, false, null, true, true))).isEqualTo(1);
        assertThat(count(tree.cursor(access, null, true, beginning, false, true))).isEqualTo(1);
        assertThat(tree.find(access, beginning)).isEqualTo('1');
    }

    @Test
    void aKeyThatIsTooLongIsRefused() {
        RecordingAccess access = new RecordingAccess(store);
        assertThatThrownBy(() -> tree.insert(access, new byte[BTree.MAXIMUM_KEY_BYTES + 1], 1))
                .isInstanceOf(QuireException.class);
    }

    private static int count(BTree.Cursor cursor) {
        int count = 0;
        while (cursor.next()) {
            count++;
        }
        return count;
    }
}
