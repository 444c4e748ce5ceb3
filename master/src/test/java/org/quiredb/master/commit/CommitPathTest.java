package org.quiredb.master.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.PageId;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.Effects;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.common.writeset.WriteSet;

final class CommitPathTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");

    private final CommitPath path =
            CommitPath.begun(SHOP, 1, 10, Set.of("s"), 16, Durability.LOGGED);

    /// Ids of two classes that take turns would leave a table never changed between two that are
    /// gone, for ever.
    @Test
    void aSchemaChangeNamesTheTablesOfOthersThatAreGone() {
        VersionVector gone = VersionVector.droppedBelow(7);
        path.commitLogged(changing(8), OptionalInt.of(7), gone);
        path.sequence().multicast(11);
        path.sequence().received("s", 1, 11);
        assertThat(path.stableVector()).isEqualTo(gone.with(7, 11).with(8, 11));
    }

    @Test
    void theStableVectorIsThatOfTheLastStableCommitAsSoonAsItIsStable() {
        path.commit(changing(1, 2));
        path.commit(changing(2));
        path.commit(changing(1));
        path.sequence().multicast(13);
        path.logEnds(13);
        assertThat(path.stableVector()).isEqualTo(VersionVector.EMPTY);
        path.sequence().received("s", 1, 12);
        assertThat(path.stableVector()).isEqualTo(VersionVector.EMPTY.with(1, 11).with(2, 12));
        path.sequence().received("s", 1, 13);
        assertThat(path.stableVector()).isEqualTo(VersionVector.EMPTY.with(1, 13).with(2, 12));
    }

    @Test
    void ofATakenOverClassOnlyWhatIsCommittedHereIsInTheVector() {
        CommitPath heir =
                CommitPath.takenOver(SHOP, 2, 10, 10, List.of(), Set.of(), 16, Durability.LOGGED);
        heir.commit(changing(3));
        heir.sequence().multicast(11);
        assertThat(heir.stableVector()).isEqualTo(VersionVector.EMPTY);
        heir.logEnds(11);
        assertThat(heir.stableVector()).isEqualTo(VersionVector.EMPTY.with(3, 11));
    }

    /// The master before may have acknowledged it, where acknowledgements do not wait for the log.
    @Test
    void whatATakenOverClassInheritsIsLoggedOnlyWhenTheLogHasIt() {
        CommitPath heir =
                CommitPath.takenOver(
                        SHOP, 2, 12, 10, unlogged(11, 12), Set.of(), 16, Durability.REPLICATED);
        assertThat(heir.isAllLogged()).isFalse();
        heir.logEnds(11);
        assertThat(heir.isAllLogged()).isFalse();
        heir.logEnds(12);
        assertThat(heir.isAllLogged()).isTrue();
    }

    @Test
    void largeCommitsLeaveInSmallBatches() {
        for (int i = 0; i < 8; i++) {
            path.commit(number -> ofBytes(number, 1_500_000));
        }
        List<Integer> batches = new ArrayList<>();
        for (CommitPath.Append next = path.takeToLog(); next != null; next = path.takeToLog()) {
            batches.add(next.records().size());
            path.logEnds(next.records().getLast().commitNumber());
        }
        assertThat(batches).containsExactly(3, 3, 2);
    }

    @Test
    void whatGathersUntilTheLogAnswersLeavesInOneAppendAndOneMessage() {
        path.commit(changing(1));
        assertThat(numbers(taken(path.takeToLog()))).containsExactly(11L);
        assertThat(sent()).containsExactly(11L);
        path.commit(changing(1));
        path.commit(changing(1));
        assertThat(path.takeToLog()).isNull();
        assertThat(sent()).isEmpty();
        path.logEnds(11);
        assertThat(numbers(taken(path.takeToLog()))).containsExactly(12L, 13L);
        assertThat(sent()).containsExactly(12L, 13L);
    }

    /// Though nothing follows, and the log has yet to answer.
    @Test
    void whatIsLeftOfABatchLeavesNext() {
        CommitPath inTwos = CommitPath.begun(SHOP, 1, 10, Set.of("s"), 2, Durability.LOGGED);
        for (int i = 0; i < 3; i++) {
            inTwos.commit(changing(1));
        }
        inTwos.takeToLog();
        inTwos.multicast(taken(inTwos.takeToBroadcast()));
        assertThat(taken(inTwos.takeToBroadcast()))
                .extracting(WriteSet::commitNumber)
                .containsExactly(13L);
    }

    @Test
    void oneBatchIsGivenToTheGroupAtATime() {
        path.commit(changing(1));
        List<WriteSet> first = path.takeToBroadcast();
        path.commit(changing(1));
        assertThat(path.takeToBroadcast()).isNull();
        path.multicast(taken(first));
        assertThat(sent()).containsExactly(12L);
    }

    @Test
    void whereReplicasAreEnoughNothingWaitsForTheLog() {
        CommitPath ahead = CommitPath.begun(SHOP, 1, 10, Set.of("s"), 16, Durability.REPLICATED);
        ahead.commit(changing(1));
        assertThat(ahead.takeToLog()).isNotNull();
        ahead.multicast(taken(ahead.takeToBroadcast()));
        ahead.commit(changing(1));
        assertThat(ahead.hasToBroadcast()).isTrue();
    }

    @Test
    void thatTheLastCommitIsStableIsToldToo() {
        path.commit(changing(1));
        path.takeToLog();
        sent();
        path.logEnds(11);
        assertThat(path.hasToTell()).isTrue();
        assertThat(path.takeToTell()).isNull();
        path.sequence().received("s", 1, 11);
        assertThat(taken(path.takeToTell()).stable()).isEqualTo(11);
        path.logEnds(11);
        assertThat(path.hasToTell()).isFalse();
    }

    private static <T> T taken(@Nullable T something) {
        return Objects.requireNonNull(something);
    }

    private static List<Long> numbers(CommitPath.Append append) {
        return append.records().stream().map(CommitRecord::commitNumber).toList();
    }

    private List<Long> sent() {
        List<WriteSet> batch = path.takeToBroadcast();
        if (batch == null) {
            return List.of();
        }
        path.multicast(batch);
        return batch.stream().map(WriteSet::commitNumber).toList();
    }

    private static List<WriteSet> unlogged(long... numbers) {
        return Arrays.stream(numbers).mapToObj(number -> ofBytes(number, 0)).toList();
    }

    private static WriteSet ofBytes(long number, int sizeBytes) {
        return new WriteSet(
                SHOP,
                1,
                number,
                number,
                List.of(new PageChange(PageId.of(1, 0), new byte[sizeBytes])),
                List.of(),
                List.of(),
                Effects.NONE);
    }

    private static LongFunction<WriteSet> changing(int... tables) {
        return number ->
                new WriteSet(
                        SHOP,
                        1,
                        number,
                        number,
                        Arrays.stream(tables)
                                .mapToObj(t -> new PageChange(PageId.of(t, 0), new byte[0]))
                                .toList(),
                        List.of(),
                        List.of(),
                        Effects.NONE);
    }
}
