package org.quiredb.scheduler.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.cluster.PartSink;

/// What is kept of an open transaction, and when two results are the same to a client.
final class TranscriptTest {
    private static final ReplayLimits LIMITS = new ReplayLimits(3, 10_000, 1_000);

    private final Transcript transcript = new Transcript(LIMITS, 5_000);

    @Test
    void statementsAreRunAgainInTheirOrder() {
        add("SELECT 1", updated(0, 0));
        add("SELECT 2", updated(0, 0));
        assertThat(transcript.steps(5_100).orElseThrow())
                .extracting(step -> step.call().sql())
                .containsExactly("SELECT 1", "SELECT 2");
    }

    @Test
    void aTransactionPastItsNumberOfStatementsIsReplayedNoMore() {
        for (int i = 0; i < 3; i++) {
            add("SELECT 1", updated(0, 0));
        }
        assertThat(transcript.steps(5_100)).isPresent();
        add("SELECT 1", updated(0, 0));
        assertThat(transcript.steps(5_100)).isEmpty();
        add("SELECT 1", updated(0, 0));
        assertThat(transcript.steps(5_100)).isEmpty();
    }

    @Test
    void textsAndValuesCountAgainstTheBytes() {
        StatementCall large =
                new StatementCall(
                        "shop",
                        "SELECT ?",
                        List.of(new SqlValue.BytesValue(new byte[6_000])),
                        false,
                        0,
                        false);
        transcript.add(large, updated(0, 0), 1, 5_001);
        assertThat(transcript.steps(5_100)).isPresent();
        transcript.add(large, updated(0, 0), 1, 5_002);
        assertThat(transcript.steps(5_100)).isEmpty();
    }

    @Test
    void anOldTransactionIsReplayedNoMore() {
        add("SELECT 1", updated(0, 0));
        assertThat(transcript.steps(6_000)).isPresent();
        assertThat(transcript.steps(6_001)).isEmpty();
    }

    @Test
    void noStatementsMeanNoReplay() {
        assertThat(new Transcript(new ReplayLimits(0, 10_000, 1_000), 0).steps(0)).isEmpty();
    }

    @Test
    void whatHasRunNothingBeginsAnew() {
        assertThat(transcript.steps(5_100)).contains(List.of());
    }

    @Test
    void aGeneratedValueIsGivenAnew() {
        add("INSERT INTO a VALUES ()", updated(1, 77));
        assertThat(transcript.steps(5_100).orElseThrow().getFirst().call().insertId())
                .isEqualTo(77);
    }

    @Test
    void aWaitForALockThatWasGivenUpIsNotRunAgain() {
        add("SELECT 1", failed(ErrorCode.LOCK_WAIT_TIMEOUT.number()));
        assertThat(transcript.steps(5_100)).contains(List.of());
    }

    @Test
    void resultsAreTheSameHoweverTheyAreCutIntoParts() {
        assertThat(sum(new ReplicaReply.Rows(2), "abc", "de"))
                .isEqualTo(sum(new ReplicaReply.Rows(2), "ab", "cde"));
    }

    @Test
    void resultsDifferInAnythingThatAClientSees() {
        assertThat(
                        List.of(
                                sum(new ReplicaReply.Rows(2), "abc"),
                                sum(new ReplicaReply.Rows(2), "abd"),
                                sum(new ReplicaReply.Rows(3), "abc"),
                                sum(updated(1, 7)),
                                sum(updated(2, 7)),
                                sum(updated(1, 8)),
                                sum(new ReplicaReply.Updated(1, 7, 1, "", VersionVector.EMPTY, 0)),
                                sum(new ReplicaReply.Updated(1, 7, 0, "x", VersionVector.EMPTY, 0)),
                                sum(failed(1062)),
                                sum(failed(1048))))
                .doesNotHaveDuplicates();
    }

    @Test
    void whatAClientDoesNotSeeIsNotCompared() {
        assertThat(sum(new ReplicaReply.Updated(1, 7, 0, "", VersionVector.EMPTY, 9)))
                .isEqualTo(sum(updated(1, 7)));
        assertThat(sum(new ReplicaReply.Failed(1062, "23000", "one", false, 0)))
                .isEqualTo(sum(failed(1062)));
    }

    private void add(String sql, ReplicaReply reply) {
        StatementCall call = new StatementCall("shop", sql, List.of(), false, 0, false);
        transcript.add(call, reply, sum(reply), 5_001);
    }

    private static ReplicaReply updated(long affectedRows, long insertId) {
        return new ReplicaReply.Updated(affectedRows, insertId, 0, "", VersionVector.EMPTY, 0);
    }

    private static ReplicaReply failed(int number) {
        return new ReplicaReply.Failed(number, "HY000", "failed", false, 0);
    }

    private static long sum(ReplicaReply reply, String... parts) {
        ResultSum sum = new ResultSum(PartSink.NONE);
        for (String part : parts) {
            sum.part(part.getBytes(StandardCharsets.UTF_8), () -> {});
        }
        return sum.endingWith(reply);
    }
}
