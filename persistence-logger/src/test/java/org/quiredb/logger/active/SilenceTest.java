package org.quiredb.logger.active;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SilenceTest {
    private static final LeaderLock.Holder FIRST = new LeaderLock.Holder(7, "a:1");
    private static final LeaderLock.Holder SECOND = new LeaderLock.Holder(8, "b:1");

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
    void oneThatHasNeverAnsweredMayHaveJustBegunAndHasThreeTimesAsLong() {
        assertThat(unanswered(FIRST, 0, 750)).isFalse();
        assertThat(unanswered(FIRST, 750, 1_499)).isFalse();
        assertThat(unanswered(FIRST, 1_499, 1_500)).isTrue();
    }

    /// Two that are cold and take four seconds for their first answer settle who is active.
    @Test
    void theNextOneThatHasNeverAnsweredHasTwiceAsLongUpToTenTimes() {
        assertThat(givenUpAfterMillis(new LeaderLock.Holder(10, "a:1"))).isEqualTo(1_500);
        assertThat(givenUpAfterMillis(new LeaderLock.Holder(11, "a:1"))).isEqualTo(3_000);
        assertThat(givenUpAfterMillis(new LeaderLock.Holder(12, "a:1"))).isEqualTo(5_000);
        assertThat(givenUpAfterMillis(new LeaderLock.Holder(13, "a:1"))).isEqualTo(5_000);
        answered(FIRST, 1);
        assertThat(givenUpAfterMillis(new LeaderLock.Holder(14, "a:1"))).isEqualTo(1_500);
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
        assertThat(patienceMillis(FIRST, 0)).isEqualTo(400);
        assertThat(unanswered(FIRST, 0, 400)).isFalse();
        assertThat(unanswered(FIRST, 400, 700)).isFalse();
        assertThat(unanswered(FIRST, 790, 800)).isTrue();

        answered(FIRST, 60_000);
        assertThat(patienceMillis(FIRST, 0)).isEqualTo(2_500);
        assertThat(patienceMillis(FIRST, 600_000)).isEqualTo(250);
    }

    @Test
    void whatWasSlowIsSlowForTheNextHolderTooOnceItAnswers() {
        answered(FIRST, 300);
        answered(SECOND, 1);
        assertThat(patienceMillis(SECOND, 0)).isGreaterThan(500);
    }

    private long patienceMillis(LeaderLock.Holder holder, long nowMillis) {
        return silence.patience(holder, nowMillis * 1_000_000).toMillis();
    }

    private long givenUpAfterMillis(LeaderLock.Holder holder) {
        long now = 100;
        while (!unanswered(holder, 0, now)) {
            now += 100;
        }
        return now;
    }

    private void answered(LeaderLock.Holder holder, long delayMillis) {
        silence.answered(holder, -delayMillis * 1_000_000, 0);
    }

    private boolean unanswered(LeaderLock.Holder holder, long sentMillis, long nowMillis) {
        return silence.unanswered(holder, sentMillis * 1_000_000, nowMillis * 1_000_000);
    }
}
