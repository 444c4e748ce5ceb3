package org.quiredb.logger.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.logger.apply.ApplierPosition.Span;

class ApplierPositionTest {
    private final ApplierPosition position = new ApplierPosition(10);

    @Test
    void nothingIsAppliedBeforeItIsStable() {
        assertThat(position.next(100)).isEmpty();
        position.stableUpTo(12);
        assertThat(position.next(100)).contains(new Span(11, 12));
    }

    @Test
    void aBatchIsBounded() {
        position.stableUpTo(100);
        assertThat(position.next(64)).contains(new Span(11, 74));
        position.applied(74);
        assertThat(position.next(64)).contains(new Span(75, 100));
    }

    @Test
    void nothingElseRunsWhileABatchRuns() {
        position.stableUpTo(12);
        position.next(1);
        assertThatThrownBy(() -> position.next(1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void whatFailedRunsAgain() {
        position.stableUpTo(12);
        position.next(100);
        position.failed();
        assertThat(position.next(100)).contains(new Span(11, 12));
    }

    @Test
    void aHoldEndsBatchesAtItsCommit() {
        position.stableUpTo(100);
        long hold = position.hold(15).orElseThrow();
        assertThat(position.next(64)).contains(new Span(11, 15));
        position.applied(15);
        assertThat(position.next(64)).isEmpty();
        position.release(hold);
        assertThat(position.next(64)).contains(new Span(16, 79));
    }

    @Test
    void theLowestHoldCounts() {
        position.stableUpTo(100);
        position.hold(20);
        long lower = position.hold(13).orElseThrow();
        assertThat(position.next(64)).contains(new Span(11, 13));
        position.applied(13);
        position.release(lower);
        assertThat(position.next(64)).contains(new Span(14, 20));
    }

    @Test
    void aCommitThatIsPassedOrRunningCannotBeHeld() {
        assertThat(position.hold(9)).isEmpty();
        assertThat(position.hold(10)).isPresent();
        ApplierPosition busy = new ApplierPosition(10);
        busy.stableUpTo(20);
        busy.next(5);
        assertThat(busy.hold(14)).isEmpty();
        busy.advanced(12);
        assertThat(busy.hold(14)).isEmpty();
        assertThat(busy.hold(15)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whateverHappensCommitsAreAppliedInOrderAndNeverPastAHold(long seed) {
        Random random = new Random(seed);
        ApplierPosition state = new ApplierPosition(0);
        long stable = 0;
        long done = 0;
        for (int i = 0; i < 10_000; i++) {
            stable += random.nextInt(4);
            state.stableUpTo(stable);
            long ceiling = done + random.nextInt(10);
            long hold = state.hold(ceiling).orElse(-1);
            var span = state.next(1 + random.nextInt(8));
            if (span.isPresent()) {
                assertThat(span.get().from()).isEqualTo(done + 1);
                assertThat(span.get().to())
                        .isLessThanOrEqualTo(Math.min(stable, hold < 0 ? stable : ceiling));
                if (random.nextInt(4) == 0) {
                    state.failed();
                } else {
                    done = span.get().to();
                    state.applied(done);
                }
            }
            state.release(hold);
        }
        assertThat(state.backlog()).isEqualTo(stable - done);
    }
}
