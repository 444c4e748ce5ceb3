package org.quiredb.scheduler.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.message.StatementCall;
import org.quiredb.scheduler.cluster.PartSink;
import org.quiredb.scheduler.replay.Resumption.Step;
import org.quiredb.scheduler.route.Losses;

/// A transaction that is run again, of two statements that each showed one row.
final class ResumptionTest {
    private static final long NOW = 5_000;
    private static final ReplicaReply ROWS = new ReplicaReply.Rows(1);
    private static final Step DIFFERS = new Step.GiveUp(true, "what it has read is otherwise now");

    private final Losses losses = new Losses();
    private final Transcript transcript = new Transcript(new ReplayLimits(2, 10_000, 60_000), NOW);

    private Resumption resumption() {
        for (String sql : List.of("SELECT 1", "SELECT 2")) {
            add(sql);
        }
        Resumption resumption = new Resumption(transcript, losses, NOW);
        assertThat(resumption.look(NOW)).isEqualTo(new Step.Begin());
        return resumption;
    }

    private void add(String sql) {
        StatementCall call = new StatementCall("", sql, List.of(), false, 0, false);
        transcript.add(call, ROWS, shown(sql).endingWith(ROWS), NOW);
    }

    private static ResultSum shown(String packets) {
        ResultSum sum = new ResultSum(PartSink.NONE);
        sum.part(packets.getBytes(StandardCharsets.UTF_8), () -> {});
        return sum;
    }

    private Step run(int statement, boolean begins) {
        return new Step.Run(transcript.steps(NOW).orElseThrow().get(statement), begins);
    }

    private static ReplicaReply failed(ErrorCode code, boolean over) {
        return new ReplicaReply.Failed(code.number(), code.sqlState(), "", over, 0);
    }

    @Test
    void whatHasLostThreeMastersIsNotReplayedAgain() {
        Resumption resumption = resumption();
        assertThat(resumption.begun()).isEqualTo(run(0, true));
        losses.met("one", 3);
        losses.met("two", 2);
        assertThat(resumption.lost()).isEqualTo(new Step.RollBack(10));
        assertThat(resumption.begun()).isEqualTo(run(0, true));
        losses.met("three", 1);
        assertThat(resumption.lost()).isEqualTo(new Step.GiveUp(false, losses.told()));
    }

    @Test
    void whatShowsTheSameAgainGoesOn() {
        Resumption resumption = resumption();
        assertThat(resumption.begun()).isEqualTo(run(0, true));
        assertThat(resumption.answered(ROWS, shown("SELECT 1"))).isEqualTo(run(1, false));
        assertThat(resumption.answered(ROWS, shown("SELECT 2"))).isEqualTo(new Step.GoOn());
    }

    @Test
    void whatShowsOtherRowsOrAnErrorDiffers() {
        Resumption resumption = resumption();
        assertThat(resumption.begun()).isEqualTo(run(0, true));
        assertThat(resumption.answered(ROWS, shown("SELECT 3"))).isEqualTo(DIFFERS);
        assertThat(resumption.begun()).isEqualTo(run(0, true));
        assertThat(
                        resumption.answered(
                                failed(ErrorCode.LOCK_WAIT_TIMEOUT, false), shown("SELECT 1")))
                .isEqualTo(DIFFERS);
        assertThat(resumption.begun()).isEqualTo(run(0, true));
        assertThat(
                        resumption.answered(
                                failed(ErrorCode.LOCK_WAIT_TIMEOUT, true), shown("SELECT 1")))
                .isEqualTo(DIFFERS);
    }

    /// Another of the lost master's transactions went first, or this master is lost, too.
    @Test
    void aDeadlocksVictimAndWhatIsLostAgainAreRunFromTheBeginningOnceMore() {
        Resumption resumption = resumption();
        assertThat(resumption.begun()).isEqualTo(run(0, true));
        assertThat(resumption.answered(ROWS, shown("SELECT 1"))).isEqualTo(run(1, false));
        assertThat(resumption.answered(failed(ErrorCode.DEADLOCK, true), shown("")))
                .isEqualTo(new Step.RollBack(10));
        assertThat(resumption.look(NOW + 10)).isEqualTo(new Step.Begin());
        assertThat(resumption.begun()).isEqualTo(run(0, true));
        assertThat(resumption.lost()).isEqualTo(new Step.RollBack(20));
        assertThat(resumption.look(NOW + 30)).isEqualTo(new Step.Begin());
        assertThat(resumption.begun()).isEqualTo(run(0, true));
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"CANNOT_RUN_HERE", "TABLE_CHANGED", "VERSION_RECLAIMED"})
    void aMasterThatRefusesMayBeTheWrongOne(Reason reason) {
        assertThat(refused(reason)).isEqualTo(new Step.RollBack(10));
    }

    @ParameterizedTest
    @EnumSource(names = {"CANNOT_RUN_HERE", "TABLE_CHANGED", "VERSION_RECLAIMED"})
    void whatNoMasterCanShowAnyMoreDiffers(Reason reason) {
        assertThat(refused(reason)).isEqualTo(DIFFERS);
    }

    private Step refused(Reason reason) {
        Resumption resumption = resumption();
        assertThat(resumption.begun()).isEqualTo(run(0, true));
        return resumption.answered(new ReplicaReply.Refused(reason, 6, ""), shown(""));
    }

    @Test
    void itIsTriedForTenSeconds() {
        Resumption resumption = resumption();
        assertThat(resumption.look(NOW + Resumption.LIMIT_MILLIS - 1)).isEqualTo(new Step.Begin());
        assertThat(resumption.look(NOW + Resumption.LIMIT_MILLIS))
                .isEqualTo(new Step.GiveUp(false, "it could not be replayed in time"));
    }

    @Test
    void whatHasRunNothingBeginsAnewAndWhatHasRunTooMuchGivesUp() {
        assertThat(new Resumption(transcript, losses, NOW).look(NOW))
                .isEqualTo(new Step.BeginAnew());
        Resumption resumption = resumption();
        add("SELECT 3");
        assertThat(resumption.look(NOW)).isEqualTo(new Step.Begin());
        assertThat(new Resumption(transcript, losses, NOW).look(NOW))
                .isEqualTo(new Step.GiveUp(false, "it is too long to replay"));
    }
}
