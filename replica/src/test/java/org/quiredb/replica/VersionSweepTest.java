package org.quiredb.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.quiredb.common.version.PageId;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.common.writeset.PageOperations;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.PageWriter;
import org.quiredb.replica.page.VersionReclaimedException;

class VersionSweepTest {
    private static final int TABLE = 2;
    private static final long PAGE = PageId.of(TABLE, 1);
    private static final long TEN_VERSIONS = 10L * PageOperations.PAGE_BYTES;

    private final PageStore store = new PageStore();
    private int committed;
    private final VersionSweep sweep = new VersionSweep(store, () -> at(committed), TEN_VERSIONS);

    @Test
    void aLongReaderKeepsItsSnapshotUntilTheLimitAndNoLonger() {
        commit(1);
        int reader = committed;
        store.lowWatermark(at(reader));
        for (int second = 1; second <= 5; second++) {
            commit(2);
            sweep.run();
            assertThat(firstByteAt(reader)).isEqualTo(reader);
            assertThat(store.heldBytes()).isEqualTo(2L * second * PageOperations.PAGE_BYTES);
        }
        assertThat(store.timesGivenUp()).isZero();
        commit(1);
        sweep.run();
        assertThat(store.heldBytes()).isLessThanOrEqualTo(TEN_VERSIONS);
        assertThat(store.timesGivenUp()).isEqualTo(1);
        assertThat(store.givenUp(at(reader))).isTrue();
        assertThatThrownBy(() -> firstByteAt(reader)).isInstanceOf(VersionReclaimedException.class);
    }

    @Test
    void theOldestReadersGoFirstAndThoseWhoseVersionsFitStay() {
        commit(1);
        store.lowWatermark(at(1));
        sweep.run();
        commit(4);
        sweep.run();
        int younger = committed;
        commit(8);
        sweep.run();
        assertThat(firstByteAt(younger)).isEqualTo(younger);
        assertThat(store.givenUp(at(younger))).isFalse();
        assertThat(store.givenUp(at(younger - 1))).isTrue();
        assertThat(store.heldBytes()).isEqualTo(8L * PageOperations.PAGE_BYTES);
    }

    @Test
    void oneSecondsWritesThatAloneTakeTooMuchAreBoundedToo() {
        commit(1);
        store.lowWatermark(at(1));
        commit(100);
        sweep.run();
        assertThat(store.heldBytes()).isZero();
        assertThat(firstByteAt(committed)).isEqualTo(committed);
    }

    @Test
    void operationsThatNobodyReadsAreFoldedBeforeAnyTagIsGivenUp() {
        store.lowWatermark(at(0));
        VersionSweep tight = new VersionSweep(store, () -> at(committed), 500);
        for (int i = 0; i < 40; i++) {
            committed++;
            store.enqueue(change(committed), committed);
        }
        store.lowWatermark(at(committed));
        assertThat(store.heldBytes()).isGreaterThan(500);
        tight.run();
        assertThat(store.heldBytes()).isZero();
        assertThat(store.timesGivenUp()).isZero();
        assertThat(firstByteAt(committed)).isEqualTo(committed);
    }

    @Test
    void aReplicaThatDoesNotServeGivesNothingUp() {
        VersionSweep joining = new VersionSweep(store, () -> VersionVector.EMPTY, TEN_VERSIONS);
        commit(50);
        joining.run();
        assertThat(store.timesGivenUp()).isZero();
        assertThat(firstByteAt(7)).isEqualTo(7);
    }

    @Test
    void ofManyMomentsOldAndNewStayAndTheirNumberIsBounded() {
        VersionLimit limit = new VersionLimit();
        for (int commit = 1; commit <= 10_000; commit++) {
            limit.remember(at(commit));
        }
        List<Long> moments = new ArrayList<>();
        Optional<VersionVector> next = limit.next(VersionVector.EMPTY);
        while (next.isPresent()) {
            moments.add(next.get().get(TABLE));
            next = limit.next(VersionVector.EMPTY);
        }
        assertThat(moments).isSorted().startsWith(1L).endsWith(10_000L);
        assertThat(moments.size()).isBetween(2, VersionLimit.MAXIMUM_MOMENTS);
    }

    private void commit(int times) {
        for (int i = 0; i < times; i++) {
            byte[] page = new byte[PageOperations.PAGE_BYTES];
            page[0] = (byte) ++committed;
            store.publish(PAGE, page, committed);
        }
    }

    private static PageChange change(int firstByte) {
        PageWriter writer = new PageWriter(PAGE, new byte[PageOperations.PAGE_BYTES]);
        writer.putByte(0, firstByte);
        return new PageChange(PAGE, writer.operations());
    }

    private int firstByteAt(long commitNumber) {
        return store.readAt(PAGE, commitNumber)[0] & 0xFF;
    }

    private static VersionVector at(long commitNumber) {
        return VersionVector.EMPTY.with(TABLE, commitNumber);
    }
}
