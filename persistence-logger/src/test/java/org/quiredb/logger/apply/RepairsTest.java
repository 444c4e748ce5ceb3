package org.quiredb.logger.apply;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.common.writeset.RowShape;
import org.quiredb.logger.Records;

class RepairsTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Repairs repairs = new Repairs();

    private static Repairs.Told told(List<RowChange> keys, long commitNumber) {
        return new Repairs.Told(keys, new ReplicaRows.Found(1, commitNumber, List.of()), 7);
    }

    @Test
    void nothingIsDueWhileNothingIsOwed() {
        assertThat(repairs.isDue(5, 0)).isFalse();
        assertThat(repairs.nanosUntilDue(0)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aRowIsOwedOnceHoweverItIsNamed() {
        repairs.owe(
                List.of(
                        Records.delete("total", 1),
                        Records.update("total", 1, java.util.Map.of("amount", SqlValue.of(3))),
                        Records.delete("total", 2)));
        assertThat(repairs.owed()).isEqualTo(2);
        assertThat(repairs.next())
                .allMatch(key -> key.shape().kind() == RowShape.Kind.DELETE)
                .hasSize(2);
    }

    @Test
    void rowsOfOneTableAreAskedForAtATime() {
        repairs.owe(
                List.of(
                        Records.delete("total", 1),
                        Records.delete("item", 1),
                        Records.delete("total", 2)));
        List<RowChange> keys = repairs.next();
        assertThat(keys).extracting(key -> key.shape().table()).containsExactly("total", "total");
        repairs.tell(told(keys, 5), 0);
        repairs.done(keys);
        assertThat(repairs.next()).extracting(key -> key.shape().table()).containsExactly("item");
        assertThat(repairs.repaired()).isEqualTo(2);
    }

    @Test
    void whatIsToldIsDueAtItsCommitAndNotBefore() {
        repairs.owe(List.of(Records.delete("total", 1)));
        assertThat(repairs.isDue(3, 0)).isTrue();
        repairs.tell(told(repairs.next(), 5), 0);
        assertThat(repairs.isDue(4, SECOND)).isFalse();
        assertThat(repairs.isDue(5, SECOND)).isTrue();
    }

    @Test
    void aCommitThatNeverComesIsNotAwaitedForEver() {
        repairs.owe(List.of(Records.delete("total", 1)));
        repairs.tell(told(repairs.next(), 5), 0);
        assertThat(repairs.isDue(4, 9 * SECOND)).isFalse();
        assertThat(repairs.isDue(4, 10 * SECOND)).isTrue();
    }

    @Test
    void whoDoesNotTellIsAskedAgainLater() {
        repairs.owe(List.of(Records.delete("total", 1)));
        repairs.later("no replica", 0);
        assertThat(repairs.reason()).isEqualTo("no replica");
        assertThat(repairs.isDue(3, SECOND / 2)).isFalse();
        assertThat(repairs.isDue(3, SECOND)).isTrue();
        repairs.tell(told(repairs.next(), 3), SECOND);
        assertThat(repairs.reason()).isEmpty();
    }
}
