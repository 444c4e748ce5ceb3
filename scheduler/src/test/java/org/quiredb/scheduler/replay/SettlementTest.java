package org.quiredb.scheduler.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.replay.Settlement.Step;

/// Whether a transaction is committed whose end got no answer.
final class SettlementTest {
    private static final long TERM = 5;
    private static final long BEGIN = -3_000;

    private final Settlement settlement = new Settlement(TERM, BEGIN);

    static List<ReplicaReply> told() {
        return List.of(
                new ReplicaReply.Committed(VersionVector.EMPTY.with(1, 7), 3),
                new ReplicaReply.Updated(1, 0, 0, "", VersionVector.EMPTY, 3),
                new ReplicaReply.RolledBack());
    }

    @ParameterizedTest
    @MethodSource("told")
    void whatAMasterTellsItIs(ReplicaReply outcome) {
        assertThat(settlement.look(BEGIN)).isEqualTo(new Step.Ask());
        assertThat(settlement.answered(outcome)).isEqualTo(new Step.Told(outcome));
    }

    @Test
    void whatTheLogHasForgottenIsAskedForNoMore() {
        assertThat(settlement.answered(new ReplicaReply.Forgotten()))
                .isEqualTo(new Step.Forgotten());
    }

    static List<ReplicaReply> untold() {
        return List.of(
                new ReplicaReply.Refused(Reason.NOT_MASTER, 6, ""),
                new ReplicaReply.Refused(Reason.OTHER_EPOCH, 6, ""),
                new ReplicaReply.Failed(1290, "HY000", "", false, 0));
    }

    @ParameterizedTest
    @MethodSource("untold")
    void whoCannotTellIsAskedAgainOrWhoeverIsMasterThen(ReplicaReply reply) {
        assertThat(settlement.answered(reply)).isEqualTo(new Step.Pause(10));
        assertThat(settlement.look(BEGIN + 10)).isEqualTo(new Step.Ask());
    }

    @Test
    void pausesGrowToABound() {
        for (long pause : new long[] {10, 20, 40, 80, 160, 160, 160}) {
            assertThat(settlement.lost()).isEqualTo(new Step.Pause(pause));
        }
    }

    @Test
    void nobodyIsAskedAnyMoreAfterHalfAMinuteNorWhereNobodyComes() {
        assertThat(settlement.look(BEGIN + Settlement.LIMIT_MILLIS - 1)).isEqualTo(new Step.Ask());
        assertThat(settlement.look(BEGIN + Settlement.LIMIT_MILLIS)).isEqualTo(new Step.Unknown());
        assertThat(settlement.noMaster()).isEqualTo(new Step.Unknown());
    }

    /// It has missed who was master since.
    @Test
    void aMasterOfAnOlderTermIsAskedInTheTransactionsTermWhichItRefuses() {
        assertThat(settlement.question(TERM - 2, BEGIN).term()).isEqualTo(TERM);
        assertThat(settlement.question(TERM + 2, BEGIN).term()).isEqualTo(TERM + 2);
    }

    @Test
    void anAnswerIsWaitedForNoLongerThanAllOfIt() {
        assertThat(settlement.question(TERM, BEGIN + 10_000).timeoutMillis()).isEqualTo(20_000);
        assertThat(settlement.question(TERM, BEGIN + 40_000).timeoutMillis()).isEqualTo(1);
    }
}
