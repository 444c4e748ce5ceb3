package org.quiredb.logger.active;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SilenceTest {
    private static final Seat.Holder FIRST = new Seat.Holder(7, "a:1");
    private static final Seat.Holder SECOND = new Seat.Holder(8, "b:1");

    private final Silence silence = new Silence(500);

    @Test
    void aHolderThatAnsweredAndLeavesEveryPingUnansweredIsGivenUpWhenItsTimeIsOver() {
        answered(FIRST, 1);
        assertThat(unanswered(FIRST, 0, 250)).isFalse();
        assertThat(unanswered(FIRST, 250, 499)).isFalse();
        assertThat(unanswered(FIRST, 499, 500)).isTrue();
    }

    @Test
    void onePingAloneIsNotEnoughSinceThisProcessMayHaveBeenStopped() {
        answered(FIRST, 1);
        assertThat(unanswered(FIRST, 0, 10_000)).isFalse();
        answered(FIRST, 1);
        assertThat(unanswered(FIRST, 10_100, 10_200)).isFalse();
    }

    @Test
    void oneThatHasNeverAnsweredMayHaveJustBegunAndHasTenTimesAsLong() {
        assertThat(unanswered(FIRST, 0, 2_500)).isFalse();
        assertThat(unanswered(FIRST, 2_500, 4_999)).isFalse();
        assertThat(unanswered(FIRST, 4_999, 5_000)).isTrue();
    }

    /// Two that are cold take the seat from each other only when the other one is dead.
    @Test
    void twoThatBeginAndAnswerLateDoNotDeposeEachOther() {
        for (int take = 0; take < 10; take++) {
            Seat.Holder holder = new Seat.Holder(10 + take, "a:1");
            for (int late = 0; late < 4; late++) {
                assertThat(unanswered(holder, 1_000L * late, 1_000L * (late + 1))).isFalse();
            }
            answered(holder, 1_000);
        }
    }

    @Test
    void anAnswerAndAnotherHolderBeginAnew() {
        answered(FIRST, 1);
        unanswered(FIRST, 0, 250);
        answered(FIRST, 1);
        assertThat(unanswered(FIRST, 400, 525)).isFalse();
        answered(SECOND, 1);
        assertThat(unanswered(SECOND, 800, 1_050)).isFalse();
        assertThat(unanswered(SECOND, 1_050, 1_299)).isFalse();
        assertThat(unanswered(SECOND, 1_299, 1_300)).isTrue();
    }

    @Test
    void whatMakesAnswersLateMakesTheLimitLongerUpToTenTimesAndFades() {
        answered(FIRST, 200);
        assertThat(patienceMillis(FIRST)).isEqualTo(400);
        assertThat(unanswered(FIRST, 0, 400)).isFalse();
        assertThat(unanswered(FIRST, 400, 799)).isFalse();
        assertThat(unanswered(FIRST, 799, 800)).isTrue();

        answered(FIRST, 60_000);
        assertThat(patienceMillis(FIRST)).isEqualTo(2_500);

        for (int i = 0; i < 300; i++) {
            answered(FIRST, 1);
        }
        assertThat(patienceMillis(FIRST)).isEqualTo(250);
    }

    @Test
    void whatWasSlowIsSlowForTheNextHolderTooOnceItAnswers() {
        answered(FIRST, 300);
        answered(SECOND, 1);
        assertThat(patienceMillis(SECOND)).isGreaterThan(500);
    }

    private long patienceMillis(Seat.Holder holder) {
        return silence.patience(holder).toMillis();
    }

    private void answered(Seat.Holder holder, long delayMillis) {
        silence.answered(holder, Duration.ofMillis(delayMillis).toNanos());
    }

    private boolean unanswered(Seat.Holder holder, long sentMillis, long nowMillis) {
        return silence.unanswered(holder, sentMillis * 1_000_000, nowMillis * 1_000_000);
    }
}
