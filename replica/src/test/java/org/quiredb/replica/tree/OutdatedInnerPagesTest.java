package org.quiredb.replica.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.version.PageId;
import org.quiredb.replica.page.FreeSpace;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.PageWriter;
import org.quiredb.replica.page.RecordingAccess;

/// Searches, walks and inserts arrive however old the inner pages are that they come by: each read
/// of an inner page that the transaction has not written gives a version of a random age.
class OutdatedInnerPagesTest {
    private static final int TABLE = 1;
    private static final int COMMITS = 60;

    private final PageStore store = new PageStore();
    private final BTree tree = new BTree(TABLE, 0);
    private final TreeMap<String, Long> model = new TreeMap<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aSearchMovesRight(long seed) {
        store.createTable(TABLE, 1);
        Random random = new Random(seed);
        for (int commit = 1; commit <= COMMITS; commit++) {
            RecordingAccess transaction = new RecordingAccess(store);
            OutdatedInnerPages access = new OutdatedInnerPages(store, transaction, commit, random);
            for (int i = 0; i < 40; i++) {
                String key = random.nextInt(100_000) + "-" + "x".repeat(random.nextInt(600));
                assertThat(tree.insertUnique(access, Keys.text(key), i))
                        .isEqualTo(model.putIfAbsent(key, (long) i) == null);
            }
            transaction.commit(commit);
            compare(
                    new OutdatedInnerPages(store, new RecordingAccess(store), commit + 1, random),
                    random);
        }
    }

    private void compare(PageAccess access, Random random) {
        model.forEach(
                (key, locator) -> assertThat(tree.find(access, Keys.text(key))).isEqualTo(locator));
        List<Long> expected = new ArrayList<>(model.values());
        assertThat(walk(tree.cursor(access, null, true, null, true, false))).isEqualTo(expected);
        assertThat(walk(tree.cursor(access, null, true, null, true, true)))
                .isEqualTo(expected.reversed());
        String from = model.ceilingKey(String.valueOf(random.nextInt(90_000)));
        List<Long> tail = from == null ? List.of() : new ArrayList<>(model.tailMap(from).values());
        byte[] bound = from == null ? new byte[] {'z'} : Keys.text(from);
        assertThat(walk(tree.cursor(access, bound, true, null, true, true)))
                .isEqualTo(tail.reversed());
    }

    private static List<Long> walk(BTree.Cursor cursor) {
        List<Long> locators = new ArrayList<>();
        while (cursor.next()) {
            locators.add(cursor.locator());
        }
        return locators;
    }

    private record OutdatedInnerPages(
            PageStore store, RecordingAccess transaction, int commit, Random random)
            implements PageAccess {
        @Override
        public byte[] readInner(long pageId) {
            if (transaction.hasWritten(pageId)) {
                return transaction.readInner(pageId);
            }
            byte[] old = store.readAt(pageId, random.nextInt(commit));
            boolean there =
                    PageId.pageNumber(pageId) == 0 || SlottedPage.kind(old) != SlottedPage.UNUSED;
            return there ? old : transaction.readInner(pageId);
        }

        @Override
        public byte[] read(long pageId) {
            return transaction.read(pageId);
        }

        @Override
        public byte[] readForUpdate(long pageId) {
            return transaction.readForUpdate(pageId);
        }

        @Override
        public PageWriter write(long pageId) {
            return transaction.write(pageId);
        }

        @Override
        public PageWriter allocate(int tableId) {
            return transaction.allocate(tableId);
        }

        @Override
        public boolean writable() {
            return true;
        }

        @Override
        public void rowCountChanged(int tableId, long delta) {
            transaction.rowCountChanged(tableId, delta);
        }

        @Override
        public void autoIncrementUsed(int tableId, long next) {
            transaction.autoIncrementUsed(tableId, next);
        }

        @Override
        public FreeSpace freeSpace(int tableId) {
            return transaction.freeSpace(tableId);
        }
    }
}
