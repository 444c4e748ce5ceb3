package org.quiredb.logger.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.Effects;
import org.quiredb.logger.log.LogTail.Verdict;

class LogTailTest {
    private final LogTail tail = new LogTail(3, 0, 10);

    @Test
    void theNextRecordsAreStored() {
        assertThat(tail.offer(3, records(11, 13)))
                .isEqualTo(new Verdict.Accepted(List.of(), records(11, 13)));
    }

    @Test
    void recordsThatTheLogHasAreNotStoredTwice() {
        assertThat(tail.offer(3, records(9, 12)))
                .isEqualTo(new Verdict.Accepted(records(9, 10), records(11, 12)));
    }

    @Test
    void anOlderEpochIsRefusedWithTheNewer() {
        assertThat(tail.offer(2, records(11, 11))).isEqualTo(new Verdict.OldEpoch(3));
    }

    @Test
    void anEpochThatHasNotOpenedTheClassIsRefused() {
        assertThat(tail.offer(4, records(11, 11))).isInstanceOf(Verdict.Refused.class);
    }

    @Test
    void aGapIsRefused() {
        assertThat(tail.offer(3, records(12, 12))).isInstanceOf(Verdict.Refused.class);
        assertThat(tail.offer(3, List.of(record(11), record(13))))
                .isInstanceOf(Verdict.Refused.class);
    }

    @Test
    void onlyALaterEpochOpensTheClass() {
        assertThat(tail.opensFor(3)).isFalse();
        assertThat(tail.opensFor(4)).isTrue();
    }

    @Test
    void theMasterThatTheTopologyNamesOpensItsClassAgain() {
        assertThat(new LogTail(3, 3, 10).openedBefore(3)).isTrue();
        assertThat(new LogTail(3, 2, 10).openedBefore(3)).isFalse();
        assertThat(new LogTail(3, 4, 10).openedBefore(3)).isFalse();
    }

    @Test
    void aTopologyInForceFencesEveryOlderEpoch() {
        LogTail underNewTopology = new LogTail(3, 5, 10);
        assertThat(underNewTopology.offer(4, records(11, 11))).isEqualTo(new Verdict.OldEpoch(5));
        assertThat(underNewTopology.offer(5, records(11, 11))).isInstanceOf(Verdict.Accepted.class);
        assertThat(underNewTopology.opensFor(4)).isFalse();
        assertThat(underNewTopology.opensFor(5)).isTrue();
    }

    private static List<CommitRecord> records(long from, long to) {
        return LongStream.rangeClosed(from, to).mapToObj(LogTailTest::record).toList();
    }

    private static CommitRecord record(long commitNumber) {
        return new CommitRecord(commitNumber, 100 + commitNumber, Effects.NONE);
    }
}
