package org.quiredb.scheduler.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReachTest {
    private static final long PATIENCE = Reach.PATIENCE_NANOS;
    private static final long BEGUN = 1_000;

    private final Reach reach = new Reach();

    @Test
    void oneReplicaThatHasItIsEnough() {
        reach.answered(true, BEGUN);
        reach.answered(false, BEGUN + PATIENCE);
        reach.answered(true, BEGUN + PATIENCE + 1);
        assertThat(reach.unreachedSeconds(BEGUN + PATIENCE + 2)).isZero();
    }

    @Test
    void whatNobodyHasForLongIsTold() {
        reach.answered(true, BEGUN);
        reach.answered(true, BEGUN + PATIENCE);
        assertThat(reach.unreachedSeconds(BEGUN + PATIENCE)).isZero();
        reach.answered(true, BEGUN + 2 * PATIENCE);
        assertThat(reach.unreachedSeconds(BEGUN + 2 * PATIENCE)).isEqualTo(10);
        reach.answered(false, BEGUN + 3 * PATIENCE);
        assertThat(reach.unreachedSeconds(BEGUN + 4 * PATIENCE)).isZero();
    }
}
