package org.quiredb.replica.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.version.ClassPatterns;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;

/// What a tag names must have come before it is read.
final class ProgressTest {
    private static final ConflictClass ONE = new ConflictClass("one");
    private static final ConflictClass OTHER = new ConflictClass("other");
    private static final int DROPPED = 5;
    private static final int NEXT = 10;

    /// Two masters make tables at once. What reaches the support first has the greater id.
    @Test
    void aTableWhoseIdComesAfterAGreaterOneIsAwaitedByWhoJoinedInBetween() {
        Progress support = new Progress(ClassPatterns.NONE);
        support.beginAt(at(0, 0), 1, NEXT);
        create(support, OTHER, NEXT + 1, 1);

        Progress joiner = new Progress(ClassPatterns.NONE);
        joiner.changed(table(OTHER, NEXT + 1)); // as the transfer brings it
        joiner.beginAt(
                at(0, 1), support.catalogueVersion(), support.nextTableId(), support.dropped());
        assertThat(holds(joiner, NEXT + 1, 1)).isTrue();
        assertThat(holds(joiner, DROPPED, 7)).as("dropped before").isTrue();
        assertThat(holds(joiner, NEXT, 1)).as("on its way").isFalse();
        assertThat(holds(support, NEXT, 1)).as("on its way to the support").isFalse();

        create(joiner, ONE, NEXT, 1);
        assertThat(holds(joiner, NEXT, 1)).isTrue();
        assertThat(holds(joiner, NEXT, 2)).isFalse();
    }

    @Test
    void aCatalogueThatIsHalfwayBetweenTwoCommitsIsToldToNobodyBeforeItIsOne() {
        Progress master = new Progress(ClassPatterns.NONE);
        master.takesInSchema(true);
        assertThat(master.standingStill(System.nanoTime(), () -> "told")).isEmpty();
        CompletableFuture<Optional<String>> asked =
                CompletableFuture.supplyAsync(() ->
                        master.standingStill(
                                System.nanoTime() + TimeUnit.MINUTES.toNanos(1), () -> "told"));
        master.takesInSchema(false);
        assertThat(asked).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(Optional.of("told"));
    }

    @Test
    void idsThatWereTakenByAMasterThatIsLostHoldUpNobody() {
        Progress replica = new Progress(ClassPatterns.NONE);
        replica.beginAt(at(0, 0), 1, NEXT);
        create(replica, ONE, NEXT + 3, 1);
        assertThat(replica.dropped()).isEqualTo(VersionVector.droppedBelow(NEXT));
        assertThat(holds(replica, NEXT + 3, 1)).isTrue();
        assertThat(replica.nextTableId()).isEqualTo(NEXT + 4);
    }

    /// A scheduler learns of the ends that it has missed from nobody: its tags would never reach
    /// what was readable here.
    @Test
    void whatIsReadableHereNamesNoTableThatIsGone() {
        Progress replica = new Progress(ClassPatterns.NONE);
        replica.beginAt(at(0, 0), 1, NEXT);
        replica.enter(Progress.State.SERVING);
        create(replica, ONE, NEXT, 1);
        assertThat(replica.readable()).isEqualTo(VersionVector.EMPTY.with(NEXT, 1));
    }

    private static List<ClassPosition> at(long one, long other) {
        return List.of(new ClassPosition(ONE, one), new ClassPosition(OTHER, other));
    }

    private static void create(
            Progress progress, ConflictClass conflictClass, int tableId, long commitNumber) {
        progress.advance(
                conflictClass, commitNumber, () -> progress.changed(table(conflictClass, tableId)));
    }

    private static SchemaChange table(ConflictClass conflictClass, int tableId) {
        TableDefinition definition =
                new TableDefinition(
                        "shop", "t" + tableId, List.of(), List.of(), List.of(), List.of(), 0);
        return new SchemaChange.CreateTable(tableId, conflictClass, definition);
    }

    private static boolean holds(Progress progress, int tableId, long commitNumber) {
        return progress.awaitReceived(
                VersionVector.EMPTY.with(tableId, commitNumber), System.nanoTime());
    }
}
