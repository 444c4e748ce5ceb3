package org.quiredb.logger.active;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SilenceTest {
    private static final Seat.Holder FIRST = new Seat.Holder(7, "a:1");
    private static final Seat.Holder SECOND = new Seat.Holder(8, "b:1");

    private final Silence silence = new Silence(500);

    @Test
    void aHolderThatLeavesEveryPingUnansweredIsGivenUpWhenItsTimeIsOver() {
        assertThat(unanswered(FIRST, 0, 125)).isFalse();
        assertThat(unanswered(FIRST, 250, 375)).isFalse();
        assertThat(unanswered(FIRST, 375, 500)).isTrue();
    }

    @Test
    void onePingAloneIsNotEnoughSinceThisProcessMayHaveBeenStopped() {
        assertThat(unanswered(FIRST, 0, 10_000)).isFalse();
        silence.answered();
        assertThat(unanswered(FIRST, 10_100, 10_200)).isFalse();
    }

    @Test
    void anAnswerAndAnotherHolderBeginAnew() {
        unanswered(FIRST, 0, 125);
        silence.answered();
        assertThat(unanswered(FIRST, 400, 525)).isFalse();
        assertThat(unanswered(SECOND, 800, 925)).isFalse();
        assertThat(unanswered(SECOND, 925, 1_050)).isFalse();
    }

    private boolean unanswered(Seat.Holder holder, long sentMillis, long nowMillis) {
        return silence.unanswered(holder, sentMillis * 1_000_000, nowMillis * 1_000_000);
    }
}
