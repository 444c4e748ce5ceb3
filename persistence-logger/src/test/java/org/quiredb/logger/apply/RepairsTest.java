package org.quiredb.logger.apply;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.TableDefinition;
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

    private static TableDefinition table(String name, List<String> primary) {
        List<ColumnDefinition> columns =
                List.of("id", "part").stream()
                        .map(column ->
                                new ColumnDefinition(
                                        column, "int", false, false, null, null, null, false, null))
                        .toList();
        return new TableDefinition(
                "shop",
                name,
                columns,
                List.of(new IndexDefinition(IndexDefinition.PRIMARY, true, primary)),
                List.of(),
                List.of(),
                0);
    }

    @Test
    void aRowIsForgottenWithItsTable() {
        repairs.owe(List.of(Records.delete("gone", 1), Records.delete("total", 1)));
        repairs.tell(told(repairs.next(), 5), 0);
        Repairs.Forgotten forgotten = repairs.keep(List.of(table("total", List.of("id"))));
        assertThat(forgotten.lost()).isOne();
        assertThat(forgotten.told()).map(Repairs.Told::hold).contains(7L);
        assertThat(repairs.told()).isEmpty();
        assertThat(repairs.next()).extracting(key -> key.shape().table()).containsExactly("total");
    }

    /// By the old key other rows would be deleted, too.
    @Test
    void aRowIsForgottenWithTheKeyThatNamesIt() {
        repairs.owe(List.of(Records.delete("total", 1), Records.delete("total", 2)));
        repairs.tell(told(repairs.next(), 5), 0);
        assertThat(repairs.keep(List.of(table("total", List.of("id")))).told()).isEmpty();
        assertThat(repairs.told()).isPresent();
        Repairs.Forgotten forgotten = repairs.keep(List.of(table("total", List.of("id", "part"))));
        assertThat(forgotten.lost()).isEqualTo(2);
        assertThat(forgotten.told()).isPresent();
        assertThat(repairs.owed()).isZero();
    }

    @Test
    void oneTableThatNobodyTellsOfKeepsNoOtherWaiting() {
        repairs.owe(List.of(Records.delete("item", 1), Records.delete("total", 1)));
        repairs.later("no replica", 0);
        assertThat(repairs.next()).extracting(key -> key.shape().table()).containsExactly("total");
    }
}
