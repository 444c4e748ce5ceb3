package org.quiredb.replica.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.quiredb.common.message.GroupMessage;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Standing;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPatterns;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.PageId;
import org.quiredb.common.writeset.PageOperations;
import org.quiredb.common.writeset.TablePart;
import org.quiredb.replica.intake.Intake.Arrival;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.sql.SqlEngine;

/// Parts of a table in a replica's stream.
final class PartsIntakeTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");
    private static final int TABLE = 3;

    private final PageStore store = new PageStore();
    private final SqlEngine engine = new SqlEngine(store);
    private final Progress progress = new Progress(ClassPatterns.NONE);
    private final List<GroupMessage> sent = new ArrayList<>();
    private final List<String> broken = new ArrayList<>();
    private final Intake intake =
            new Intake(
                    "self",
                    store,
                    engine,
                    progress,
                    (to, message) -> sent.add(GroupMessage.decode(message)),
                    standing -> {},
                    topology -> {});

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void partsAreAcknowledgedBehindTheCommitBefore() {
        at(6);
        intake.take(part(1, 7, 1));
        intake.take(part(1, 7, 2));
        intake.acknowledge();
        assertThat(sent).containsExactly(new GroupMessage.Received(SHOP, 0, 6, 2));
    }

    /// Its stream is complete from the first that comes.
    @Test
    void aClassThatWasNeverHeardOfIsHeldUpToTheCommitBefore() {
        intake.take(part(1, 7, 1));
        intake.acknowledge();
        assertThat(sent).containsExactly(new GroupMessage.Received(SHOP, 0, 6, 1));
    }

    /// What was acknowledged in a former term counts for nothing.
    @Test
    void partsOfSuchAClassAreAcknowledgedAgainInANewTerm() {
        intake.take(part(2, 7, 1));
        intake.acknowledge();
        sent.clear();
        intake.take(
                new Arrival.Changed(
                        Topology.vacant(1).begunBy(new Member("master", "here", 1, false))));
        intake.acknowledge();
        assertThat(sent)
                .containsExactly(new GroupMessage.Received(SHOP, progress.term(SHOP), 6, 1));
    }

    @Test
    void aPartOfAClosedStreamIsNotTakenIn() {
        at(6);
        intake.take(new Arrival.Close(1, Set.of("master")));
        intake.take(part(1, 7, 1));
        assertThat(store.pages(TABLE)).isEmpty();
    }

    @Test
    void aPartOfACommitThatIsHereIsPassedOver() {
        at(7);
        intake.take(part(1, 7, 4));
        assertThat(store.pages(TABLE)).isEmpty();
    }

    @Test
    void aPartBehindAGapIsNoticed() {
        at(5);
        assertThatThrownBy(() -> intake.take(part(1, 7, 1)))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void whoBecomesMasterItselfDropsWhatTheLostOneHasBegun() {
        at(6);
        intake.take(part(1, 7, 1));
        assertThat(store.pages(TABLE)).hasSize(1);
        intake.take(
                new Arrival.Changed(
                        Topology.vacant(1).begunBy(new Member("self", "here", 1, false))));
        assertThat(store.pages(TABLE)).isEmpty();
    }

    @Test
    void partsThatNobodyCanTakeInYetHaveABound() {
        StreamIntake stream =
                new StreamIntake(
                        "self",
                        store,
                        engine,
                        progress,
                        (to, message) -> {},
                        new StreamIntake.Listener() {
                            @Override
                            public void standing(Standing standing) {}

                            @Override
                            public void changed(Topology topology) {}

                            @Override
                            public void broken(String reason) {
                                broken.add(reason);
                            }
                        },
                        1000);
        Arrival large = new Arrival.Part("master", new byte[10 << 20]);
        stream.offer(large);
        stream.forgetParts("master");
        stream.offer(large);
        assertThat(broken).isEmpty();
        stream.forgetParts("another");
        stream.offer(large);
        assertThat(broken).hasSize(1);
    }

    private void at(long commitNumber) {
        progress.beginAt(List.of(new ClassPosition(SHOP, commitNumber)), 1, 1);
        intake.open(Map.of());
        intake.acknowledge();
        sent.clear();
    }

    private static Arrival part(long epoch, long commitNumber, int number) {
        return new Arrival.Part(
                "master",
                new TablePart(
                                SHOP,
                                epoch,
                                commitNumber,
                                number,
                                List.of(
                                        new TablePart.Page(
                                                PageId.of(TABLE, 0),
                                                new byte[PageOperations.PAGE_BYTES])))
                        .encode());
    }
}
