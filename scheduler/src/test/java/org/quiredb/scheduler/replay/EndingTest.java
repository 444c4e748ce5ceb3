package org.quiredb.scheduler.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.route.Losses;

/// A statement, and a COMMIT, that masters refuse or that are lost with them.
final class EndingTest {
    private static final ReplicaReply COMMITTED =
            new ReplicaReply.Committed(VersionVector.EMPTY.with(1, 7), 3);
    private static final ReplicaReply ROLLED_BACK = new ReplicaReply.RolledBack();
    private static final ReplicaReply ELSEWHERE =
            new ReplicaReply.Refused(Reason.NOT_MASTER, 6, "");
    private static final ReplicaReply CANNOT =
            new ReplicaReply.Refused(Reason.CANNOT_RUN_HERE, 6, "");
    private static final ReplicaReply WAITED_IN_VAIN = failed(ErrorCode.TIER_UNAVAILABLE, 0);
    private static final ReplicaReply DEADLOCK = failed(ErrorCode.DEADLOCK, 0);

    private final Losses losses = new Losses();
    private final Attempts attempts = new Attempts(losses);
    private final Ending ending = new Ending(losses);

    private static ReplicaReply failed(ErrorCode code, long packets) {
        return new ReplicaReply.Failed(code.number(), code.sqlState(), "", true, packets);
    }

    static List<ReplicaReply> ends() {
        return List.of(COMMITTED, DEADLOCK, CANNOT);
    }

    @ParameterizedTest
    @MethodSource("ends")
    void whatAMasterAnswersIsTheEnd(ReplicaReply reply) {
        assertThat(ending.begin()).isEqualTo(new Ending.Step.Commit());
        assertThat(ending.answered(reply)).isEqualTo(new Ending.Step.Over(reply));
        assertThat(attempts.answered(reply, true, true, 0))
                .isEqualTo(new Attempts.Step.Over(reply));
    }

    /// It may have its place in the commit order.
    @Test
    void aCommitThatGotNoAnswerOrWaitedInVainIsAskedForBeforeAnythingElse() {
        assertThat(ending.lost("gone")).isEqualTo(new Ending.Step.Settle("gone"));
        assertThat(ending.answered(WAITED_IN_VAIN))
                .isEqualTo(new Ending.Step.Settle(WAITED_IN_VAIN.toString()));
        assertThat(ending.settled(COMMITTED)).isEqualTo(new Ending.Step.Over(COMMITTED));
    }

    @Test
    void onlyWhatIsNotCommittedIsReplayedAndThenCommitted() {
        for (int attempt = 1; attempt < Attempts.MAXIMUM; attempt++) {
            assertThat(ending.begin()).isEqualTo(new Ending.Step.Commit());
            assertThat(attempt % 2 == 0 ? ending.answered(ELSEWHERE) : ending.settled(ROLLED_BACK))
                    .isEqualTo(new Ending.Step.Replay());
        }
        assertThat(ending.begin()).isEqualTo(new Ending.Step.Commit());
        assertThat(ending.settled(ROLLED_BACK)).isEqualTo(new Ending.Step.Over(ROLLED_BACK));
    }

    @Test
    void whatHasLostThreeMastersIsNeitherRunNorReplayedNorCommittedAgain() {
        for (int lost = 1; lost <= 2; lost++) {
            losses.met("gone", 4 - lost);
            assertThat(attempts.lost(true, "gone")).isEqualTo(new Attempts.Step.Again(0));
            assertThat(ending.settled(ROLLED_BACK)).isEqualTo(new Ending.Step.Replay());
        }
        losses.met("gone", 1);
        assertThat(attempts.lost(true, "gone")).isEqualTo(new Attempts.Step.Over(ROLLED_BACK));
        assertThat(attempts.answered(ROLLED_BACK, true, false, 0))
                .isEqualTo(new Attempts.Step.Over(ROLLED_BACK));
        assertThat(ending.settled(ROLLED_BACK)).isEqualTo(new Ending.Step.Over(ROLLED_BACK));
        losses.begin();
        assertThat(attempts.lost(false, "gone")).isEqualTo(new Attempts.Step.Replay("gone"));
    }

    @Test
    void aFirstStatementIsRunOnTheNextMasterAfterLongerAndLongerPauses() {
        for (long pause = 10; pause <= 160; pause *= 2) {
            assertThat(attempts.answered(ELSEWHERE, true, false, 5))
                    .isEqualTo(new Attempts.Step.Again(pause));
        }
        assertThat(attempts.answered(ELSEWHERE, true, false, 5))
                .isEqualTo(new Attempts.Step.Again(160));
    }

    @Test
    void aMasterThatRefusesIsAskedAsLongAsOneIsWaitedFor() {
        long nowMillis = 1_000;
        Attempts.Step step = attempts.answered(ELSEWHERE, true, false, nowMillis);
        while (step instanceof Attempts.Step.Again(long pauseMillis)) {
            assertThat(nowMillis).isLessThan(1_000 + Attempts.LIMIT_MILLIS);
            nowMillis += pauseMillis;
            step = attempts.answered(ELSEWHERE, true, false, nowMillis);
        }
        assertThat(step).isEqualTo(new Attempts.Step.Over(ELSEWHERE));
        assertThat(nowMillis).isGreaterThanOrEqualTo(1_000 + Attempts.LIMIT_MILLIS);
    }

    @Test
    void whatAMasterHasRunAndLostIsRefusedAnew() {
        assertThat(attempts.answered(ELSEWHERE, true, false, 0))
                .isEqualTo(new Attempts.Step.Again(10));
        assertThat(attempts.lost(true, "gone")).isEqualTo(new Attempts.Step.Again(0));
        assertThat(attempts.answered(ELSEWHERE, true, false, Attempts.LIMIT_MILLIS))
                .isEqualTo(new Attempts.Step.Again(10));
    }

    @Test
    void aLaterStatementTakesItsTransactionWithIt() {
        assertThat(attempts.answered(ELSEWHERE, false, false, 0))
                .isEqualTo(new Attempts.Step.Replay(ELSEWHERE.toString()));
        assertThat(attempts.lost(false, "gone")).isEqualTo(new Attempts.Step.Replay("gone"));
        assertThat(attempts.answered(ELSEWHERE, false, true, 0))
                .as("a snapshot that its master may show in a moment")
                .isEqualTo(new Attempts.Step.Again(10));
    }

    @Test
    void whatIsLostAgainAndAgainIsRolledBack() {
        for (int attempt = 1; attempt < Attempts.MAXIMUM; attempt++) {
            assertThat(
                            attempt % 2 == 0
                                    ? attempts.lost(true, "gone")
                                    : attempts.answered(ROLLED_BACK, true, false, 0))
                    .isEqualTo(new Attempts.Step.Again(0));
        }
        assertThat(attempts.lost(true, "gone")).isEqualTo(new Attempts.Step.Over(ROLLED_BACK));
    }

    @Test
    void amidItsRowsAFailureIsOfTheStatement() {
        assertThat(Attempts.isOpen(WAITED_IN_VAIN)).isTrue();
        assertThat(Attempts.isOpen(failed(ErrorCode.TIER_UNAVAILABLE, 1))).isFalse();
    }
}
