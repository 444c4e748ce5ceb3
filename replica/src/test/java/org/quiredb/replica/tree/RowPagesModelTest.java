package org.quiredb.replica.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.replica.page.LoadAccess;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.RecordingAccess;
import org.quiredb.replica.page.SnapshotAccess;

/// Rows on pages against a map by locator.
@Tag("slow")
class RowPagesModelTest {
    private static final int TABLE = 2;

    private final PageStore store = new PageStore();
    private final RowPages rows = new RowPages(TABLE);

    @ParameterizedTest
    @CsvSource({"1, 60", "2, 600", "3, 4000", "4, 8100", "5, 3", "6, 12000", "7, 40000"})
    void behaveLikeAMapByLocator(long seed, int longestRow) {
        Random random = new Random(seed);
        Map<Long, byte[]> model = new HashMap<>();
        for (int commit = 1; commit <= 80; commit++) {
            RecordingAccess access = new RecordingAccess(store);
            for (int i = 0; i < 40; i++) {
                change(access, random, longestRow, model);
            }
            access.commit(commit);
            store.lowWatermark(VersionVector.EMPTY.with(TABLE, commit));
            SnapshotAccess snapshot =
                    new SnapshotAccess(store, VersionVector.EMPTY.with(TABLE, commit));
            model.forEach((locator, row) -> assertThat(read(snapshot, locator)).isEqualTo(row));
        }
    }

    private void change(
            RecordingAccess access, Random random, int longestRow, Map<Long, byte[]> model) {
        int kind = random.nextInt(10);
        byte[] row = row(random, longestRow);
        if (model.isEmpty() || kind < 4) {
            long locator = rows.insert(access, row);
            assertThat(model.put(locator, row)).isNull();
            return;
        }
        List<Long> locators = new ArrayList<>(model.keySet());
        long locator = locators.get(random.nextInt(locators.size()));
        if (kind < 6) {
            rows.delete(access, locator);
            model.remove(locator);
            assertThat(rows.row(access, locator)).isNull();
            assertThat(rows.rowForUpdate(access, locator)).isNull();
        } else if (kind < 8) {
            byte[] changed = model.getOrDefault(locator, row).clone();
            if (changed.length > 0) {
                changed[random.nextInt(changed.length)]++;
            }
            rows.update(access, locator, changed);
            model.put(locator, changed);
        } else {
            rows.update(access, locator, row);
            model.put(locator, row);
        }
    }

    @Test
    void aChangedByteIsRecordedAsAFewBytes() {
        byte[] row = new byte[300];
        RecordingAccess first = new RecordingAccess(store);
        long locator = rows.insert(first, row);
        first.commit(1);
        RecordingAccess second = new RecordingAccess(store);
        row[17] = 9;
        rows.update(second, locator, row);
        List<PageChange> changes = second.commit(2);
        assertThat(changes).hasSize(1);
        assertThat(changes.getFirst().operations()).hasSizeLessThan(6);
    }

    @Test
    void aRowLongerThanTheTierTakesIsRefused() {
        RecordingAccess access = new RecordingAccess(store);
        assertThatThrownBy(() -> rows.insert(access, new byte[RowPages.MAXIMUM_ROW_BYTES + 1]))
                .isInstanceOf(QuireException.class)
                .hasMessageContaining("83886081");
        assertThat(access.commit(1)).isEmpty();
    }

    @Test
    void aLoadFillsItsPagesAndLeavesRoomKnown() {
        LoadAccess load = new LoadAccess(store, 0);
        List<Long> locators = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            locators.add(
                    rows.insert(
                            load, new byte[] {(byte) i, (byte) (i >> 8), 1, 2, 3, 4, 5, 6, 7, 8}));
        }
        load.finish();
        assertThat(store.figures().pages()).isEqualTo(2);
        assertThat(store.figures().oldVersions()).isZero();
        SnapshotAccess snapshot = new SnapshotAccess(store, VersionVector.EMPTY);
        assertThat(read(snapshot, locators.get(999))).startsWith((byte) 999, (byte) (999 >> 8));
        RecordingAccess access = new RecordingAccess(store);
        rows.insert(access, new byte[100]);
        access.commit(1);
        assertThat(store.figures().pages()).isEqualTo(2);
    }

    @Test
    void concurrentTransactionsInsertIntoDifferentPages() {
        LoadAccess load = new LoadAccess(store, 0);
        rows.insert(load, new byte[100]);
        load.finish();
        long one = rows.insert(new RecordingAccess(store), new byte[100]);
        long other = rows.insert(new RecordingAccess(store), new byte[100]);
        assertThat(one >>> 16).isNotEqualTo(other >>> 16);
    }

    private byte[] read(SnapshotAccess access, long locator) {
        RowRef row = rows.row(access, locator);
        return row == null ? new byte[] {-1, -1, -1, -1} : row.toByteArray();
    }

    private static byte[] row(Random random, int longest) {
        byte[] row = new byte[random.nextInt(longest + 1)];
        random.nextBytes(row);
        return row;
    }
}
