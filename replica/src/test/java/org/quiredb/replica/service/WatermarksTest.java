package org.quiredb.replica.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.quiredb.common.rpc.RpcPeer;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.page.PageStore;

class WatermarksTest {
    private static final long SECOND = 1_000_000_000;
    private static final RpcPeer FIRST = new RpcPeer(1, "one");
    private static final RpcPeer SECOND_PEER = new RpcPeer(2, "two");

    private final PageStore store = new PageStore();
    private final Watermarks watermarks = new Watermarks(store, 10_000);

    @Test
    void theLowestOfAllLiveSchedulersCounts() {
        watermarks.tell(FIRST, at(5), 0);
        watermarks.tell(SECOND_PEER, at(3), 0);
        watermarks.tell(FIRST, at(9), SECOND);
        assertThat(watermark()).as("never back, and no further than the lowest").isEqualTo(5);
        watermarks.tell(SECOND_PEER, at(7), SECOND);
        assertThat(watermark()).isEqualTo(7);
        watermarks.tell(SECOND_PEER, at(20), SECOND);
        assertThat(watermark()).isEqualTo(9);
    }

    @Test
    void aSchedulerThatIsSilentHoldsNothingAfterAWhile() {
        watermarks.tell(FIRST, at(3), 0);
        watermarks.tell(SECOND_PEER, at(3), 0);
        for (int second = 1; second <= 10; second++) {
            watermarks.tell(SECOND_PEER, at(100 + second), second * SECOND);
            watermarks.expire(second * SECOND);
            assertThat(watermark()).isEqualTo(3);
        }
        watermarks.expire(10 * SECOND + 1);
        assertThat(watermark()).isEqualTo(110);
    }

    @Test
    void aSchedulerThatSaysTheSameAgainIsNotSilent() {
        watermarks.tell(FIRST, at(3), 0);
        watermarks.tell(SECOND_PEER, at(50), 0);
        watermarks.tell(FIRST, at(3), 9 * SECOND);
        watermarks.tell(SECOND_PEER, at(50), 9 * SECOND);
        watermarks.expire(12 * SECOND);
        assertThat(watermark()).isEqualTo(3);
    }

    @Test
    void whoHasNoTagsHoldsNothing() {
        watermarks.tell(FIRST, at(5), 0);
        watermarks.tell(SECOND_PEER, VersionVector.EMPTY, 0);
        watermarks.tell(FIRST, at(6), 0);
        assertThat(watermark()).isEqualTo(6);
    }

    private long watermark() {
        return store.lowWatermark().get(1);
    }

    private static VersionVector at(long commitNumber) {
        return VersionVector.EMPTY.with(1, commitNumber);
    }
}
