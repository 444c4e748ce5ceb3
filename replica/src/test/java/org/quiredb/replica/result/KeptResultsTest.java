package org.quiredb.replica.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.PageId;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.Effects;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.common.writeset.RowShape;
import org.quiredb.common.writeset.WriteSet;

/// The rule of the package, case by case: a table `t` with the columns `id`, `a` and `b`, of which
/// the statement reads `a`.
class KeptResultsTest {
    private static final ConflictClass CLASS = new ConflictClass("s");
    private static final int TABLE = 7;
    private static final long MAXIMUM_BYTES = 64_000;

    private final ChangeHistory changes = new ChangeHistory();
    private final TableHistory table = changes.of(TABLE, CLASS, definition(null));
    private final ReadSet reads =
            new ReadSet(List.of(new ReadSet.Columns(TABLE, table, new int[] {1})));
    private final KeptResults kept = new KeptResults(MAXIMUM_BYTES);
    private final Keepable statement = new Keepable();

    private static TableDefinition definition(@Nullable String generation) {
        return new TableDefinition(
                "s",
                "t",
                List.of(column("id", null), column("a", null), column("b", generation)),
                List.of(),
                List.of(),
                List.of(),
                0);
    }

    private static ColumnDefinition column(String name, @Nullable String generation) {
        return new ColumnDefinition(
                name, "int(11)", true, false, null, null, null, false, generation);
    }

    private static VersionVector tag(long number) {
        return VersionVector.EMPTY.with(TABLE, number);
    }

    private static RowChange update(String column) {
        RowShape shape =
                new RowShape(RowShape.Kind.UPDATE, "s", "t", List.of("id"), List.of(column), "");
        return new RowChange(shape, List.of(SqlValue.of(1), SqlValue.of(2)));
    }

    private static RowChange delete(String name) {
        RowShape shape =
                new RowShape(RowShape.Kind.DELETE, "s", name, List.of("id"), List.of(), "");
        return new RowChange(shape, List.of(SqlValue.of(1)));
    }

    private void commit(long number, RowChange... rows) {
        commit(number, List.of(TABLE), rows);
    }

    private void commit(long number, List<Integer> tables, RowChange... rows) {
        List<PageChange> pages = new ArrayList<>();
        tables.forEach(id -> pages.add(new PageChange(PageId.of(id, 3), new byte[0])));
        changes.committed(
                new WriteSet(
                        CLASS,
                        1,
                        number,
                        0,
                        pages,
                        List.of(),
                        List.of(),
                        new Effects(RowChanges.of(List.of(rows)))));
    }

    private KeptResults.Key key(long value) {
        return new KeptResults.Key(statement, List.of(SqlValue.of(value)), false, 2);
    }

    private void keep(long made) {
        keep(key(1), made, new byte[10]);
    }

    private void keep(KeptResults.Key key, long made, byte[] part) {
        Collecting collected = kept.collecting(passed -> {});
        collected.accept(part);
        kept.keep(key, reads, tag(made), collected, 5);
    }

    private boolean found(long asked) {
        return kept.find(key(1), reads, tag(asked), true) != null;
    }

    @Test
    void beforeAnyCommitOnlyTheSameNumberIsTheSame() {
        keep(10);

        assertThat(found(10)).isTrue();
        assertThat(found(9)).as("what was sent to this replica is not known").isFalse();
        assertThat(found(11)).isFalse();
    }

    @Test
    void theFirstCommitTellsThatWhatCameBeforeIsBelowIt() {
        commit(12, update("b"));
        keep(11);

        assertThat(found(12)).isTrue();
        assertThat(found(10)).as("11 may have changed anything").isFalse();
    }

    @Test
    void whatChangesOtherColumnsChangesNothing() {
        commit(12, update("b"));
        keep(12);
        commit(13, update("b"));
        commit(14, update("id"));

        assertThat(found(14)).isTrue();
        assertThat(found(12)).isTrue();
    }

    @Test
    void aChangeLiesBetween() {
        commit(12, update("b"));
        keep(12);
        commit(13, update("b"), update("a"));

        assertThat(found(13)).isFalse();
        assertThat(found(12)).isTrue();
        assertThat(kept.outdated()).isEqualTo(1);
    }

    @Test
    void anOlderTagFindsNothingNewerThanTheLastChange() {
        commit(12, update("b"));
        commit(13, update("a"));
        commit(14, update("b"));
        keep(14);

        assertThat(found(13)).isTrue();
        assertThat(found(12)).isFalse();
    }

    @Test
    void aChangeThatIsYetToBeAskedForHidesOlderOnes() {
        commit(12, update("b"));
        keep(12);
        commit(13, update("b"));
        commit(14, update("a"));

        assertThat(found(13)).as("right, and not known to be").isFalse();
    }

    @Test
    void rowsThatComeOrGoChangeEverything() {
        commit(12, update("b"));
        keep(12);
        commit(13, delete("t"));

        assertThat(found(13)).isFalse();
    }

    @Test
    void otherTablesChangeNothing() {
        commit(12, update("b"));
        keep(12);
        commit(13, List.of(TABLE + 1), delete("u"));

        assertThat(found(13)).isTrue();
    }

    @Test
    void pagesWithoutRowChangesChangeEverything() {
        commit(12, update("b"));
        keep(12);
        commit(13, List.of(TABLE, TABLE + 1), delete("u"));

        assertThat(found(13)).isFalse();
    }

    @Test
    void aColumnThatTheTableDoesNotHaveChangesEverything() {
        commit(12, update("b"));
        keep(12);
        commit(13, update("c"));

        assertThat(found(13)).isFalse();
    }

    @Test
    void aTableThatComputesAColumnChangesAsAWhole() {
        TableHistory other = changes.of(TABLE + 1, CLASS, definition("`id` + 1"));
        ReadSet all = new ReadSet(List.of(new ReadSet.Columns(TABLE + 1, other, new int[] {1})));
        commit(12, List.of(TABLE + 1), update("id"));

        assertThat(all.same(new long[] {11}, VersionVector.EMPTY.with(TABLE + 1, 12))).isFalse();
    }

    @Test
    void aTableThatIsMadeIsNewerThanWhatWasBefore() {
        SchemaChange made = new SchemaChange.CreateTable(TABLE, CLASS, definition(null));
        changes.committed(
                new WriteSet(CLASS, 1, 12, 0, List.of(), List.of(), List.of(made), Effects.NONE));
        keep(12);

        assertThat(found(11)).isFalse();
    }

    @Test
    void nothingIsKnownOfATableThatIsGone() {
        commit(12, update("b"));
        keep(12);
        changes.retain(id -> false);
        commit(13, update("b"));

        assertThat(found(13)).isFalse();
    }

    @Test
    void aNewerResultStays() {
        commit(12, update("b"));
        commit(13, update("a"));
        keep(13);
        keep(12);

        assertThat(found(13)).isTrue();
        assertThat(found(12)).isFalse();
    }

    @Test
    void whatIsGivenIsACopy() {
        byte[] part = {1, 2, 3};
        keep(key(1), 12, part);
        part[0] = 9;
        for (int i = 0; i < 2; i++) {
            List<byte[]> given = new ArrayList<>();
            KeptResult found = kept.find(key(1), reads, tag(12), true);
            assertThat(found).isNotNull();
            found.give(given::add);
            assertThat(given).containsExactly(new byte[] {1, 2, 3});
            given.getFirst()[1] = 9;
        }
    }

    @Test
    void neitherTooMuchIsKeptNorTooLargeAResult() {
        keep(key(1), 12, new byte[(int) MAXIMUM_BYTES / 64 + 1]);
        assertThat(kept.entries()).isZero();
        for (int i = 0; i < 1_000; i++) {
            keep(key(i), 12, new byte[500]);
        }

        assertThat(kept.bytes()).isBetween(MAXIMUM_BYTES / 2, MAXIMUM_BYTES);
        assertThat(kept.evicted()).isPositive();
    }
}
