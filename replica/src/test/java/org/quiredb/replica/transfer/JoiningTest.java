package org.quiredb.replica.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.NodeStatus.Figure;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.message.ReplicaReply.Refused;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.ReplicaRequest.EnterInSync;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPatterns;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.intake.Intake;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.sql.SqlEngine;
import org.quiredb.replica.transfer.Joining.Step;

/// What one that joins asks next, whatever it is answered.
final class JoiningTest {
    private static final ReplicaReply DONE = new ReplicaReply.Done();
    private static final Member LEADER = member("a");
    private static final Member MASTER = member("b");
    private static final Topology BEGAN =
            Topology.vacant(0)
                    .begunBy(LEADER)
                    .changed(Set.of(), List.of(MASTER, member("s")))
                    .handed(List.of(new ConflictClass("shop")), "b");
    private static final Figure TAKES_SCHEMA = new Figure(NodeStatus.TAKES_SCHEMA, 1);
    private static final Step LOOK_AGAIN = new Step.Pause(new Step.LookUp());

    private final PageStore store = new PageStore();
    private final SqlEngine engine = new SqlEngine(store);
    private final Progress progress = new Progress(ClassPatterns.NONE);
    private final Set<String> missed = new HashSet<>();
    private final List<Intake.Arrival> taken = new ArrayList<>();
    private final List<String> forgotten = new ArrayList<>();
    private final Joining joining =
            new Joining(
                    member("joiner"),
                    BEGAN,
                    List.of(),
                    progress,
                    new TransferTarget(
                            store,
                            engine,
                            progress,
                            store.checkpoints().restore(),
                            Long.MAX_VALUE,
                            counters -> {}),
                    missed::contains,
                    taken::add,
                    forgotten::add);

    private static Member member(String name) {
        return new Member(name, name + ".host", 1, false);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void askEachMasterUntilItServesAndSeesTheJoiner() {
        Step first = joining.begin(0);
        assertThat(first).isEqualTo(new Step.Ask(LEADER, status()));
        assertThat(joining.answered(tells("a", "serving", false), 1)).isEqualTo(pause(first));
        assertThat(joining.answered(tells("a", "loading", true), 2)).isEqualTo(pause(first));
        assertThat(joining.answered(tells("a", "serving", true), 3))
                .isEqualTo(new Step.Ask(MASTER, status()));
        assertThat(joining.answered(tells("b", "serving", true), 4)).isEqualTo(new Step.LookUp());
    }

    /// It has not heard the first parts of the table.
    @Test
    void aMasterIsAskedAgainUntilItHasTakenItsSchemaChangeIn() {
        Step first = joining.begin(0);
        assertThat(joining.answered(tells("a", "serving", true, TAKES_SCHEMA), 1))
                .isEqualTo(pause(first));
        assertThat(joining.answered(tells("a", "serving", true), 2))
                .isEqualTo(new Step.Ask(MASTER, status()));
        assertThat(forgotten).as("before each question").containsExactly("a", "a", "b");
    }

    @Test
    void whoIsNotSeenForAMinuteBeginsAnew() {
        joining.begin(0);
        assertThat(joining.answered(tells("a", "serving", false), 60_001))
                .isInstanceOf(Step.GiveUp.class);
    }

    /// What another class's master says of it may be behind its own.
    @Test
    void aClassComesFromWhereItsOwnMasterIs() {
        seen();
        assertThat(joining.inForce(BEGAN, 0))
                .isInstanceOfSatisfying(
                        Step.Ask.class,
                        ask ->
                                assertThat(((ReplicaRequest.Transfer) ask.request()).positions())
                                        .extracting(
                                                p -> p.conflictClass().name(),
                                                p -> p.commitNumber())
                                        .containsExactlyInAnyOrder(
                                                org.assertj.core.groups.Tuple.tuple("bank", 7L),
                                                org.assertj.core.groups.Tuple.tuple("shop", 8L)));
    }

    @Test
    void anotherSupportIsAskedWhenOneIsLostUntilNobodyHasSentAPageForAMinute() {
        seen();
        List<String> asked = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Step.Ask ask = (Step.Ask) joining.inForce(BEGAN, i);
            asked.add(ask.replica().name());
            assertThat(joining.lost("gone", i)).isEqualTo(LOOK_AGAIN);
        }
        assertThat(asked).containsExactly("s", "b", "a", "s");
        joining.inForce(BEGAN, 5);
        assertThat(joining.answered(refused(Reason.NOT_RECEIVED), 60_005))
                .isInstanceOf(Step.GiveUp.class);
    }

    @Test
    void everyMasterIsAskedToWaitInOneEpochTheLeaderLast() {
        fetched();
        assertThat(joining.inForce(BEGAN, 0)).isEqualTo(enters(MASTER, BEGAN));
        assertThat(taken).containsExactly(new Intake.Arrival.Changed(BEGAN));
        assertThat(joining.answered(DONE, 0)).isEqualTo(enters(LEADER, BEGAN));
        assertThat(joining.answered(DONE, 0)).isEqualTo(new Step.Joined());
    }

    @Test
    void inAnotherEpochAllMastersAreAskedAnew() {
        fetched();
        joining.inForce(BEGAN, 0);
        joining.answered(DONE, 0);
        assertThat(joining.answered(refused(Reason.OTHER_EPOCH), 0)).isEqualTo(LOOK_AGAIN);
        Topology next = BEGAN.changed(Set.of("s"), List.of());
        assertThat(joining.inForce(next, 0)).isEqualTo(enters(MASTER, next));
        assertThat(joining.lost("gone", 0)).isEqualTo(LOOK_AGAIN);
        assertThat(joining.inForce(next.changed(Set.of(), List.of(member("joiner"))), 0))
                .isEqualTo(new Step.Joined());
    }

    /// It has the pages, and commits that no log takes wait for it meanwhile.
    @Test
    void whoCannotHoldWhatTheLogDoesNotTakeAsksAgainForAMinute() {
        fetched();
        joining.inForce(BEGAN, 0);
        assertThat(joining.answered(refused(Reason.NOT_RECEIVED), 30_000)).isEqualTo(LOOK_AGAIN);
        assertThat(joining.inForce(BEGAN, 30_001)).isEqualTo(enters(MASTER, BEGAN));
        assertThat(joining.answered(refused(Reason.NOT_RECEIVED), 60_001))
                .isInstanceOf(Step.GiveUp.class);
    }

    @Test
    void whomTheMastersGroupHasLostBeginsAnew() {
        fetched();
        joining.inForce(BEGAN, 0);
        assertThat(joining.answered(refused(Reason.NOT_IN_GROUP), 0))
                .isInstanceOf(Step.GiveUp.class);
    }

    @Test
    void whoAsksInVainInTwentyEpochsBeginsAnew() {
        fetched();
        Topology now = BEGAN;
        for (int i = 0; i < 20; i++) {
            joining.inForce(now, 0);
            assertThat(joining.answered(refused(Reason.OTHER_EPOCH), 0)).isEqualTo(LOOK_AGAIN);
            now = now.changed(Set.of(), List.of());
        }
        joining.inForce(now, 0);
        assertThat(joining.answered(refused(Reason.OTHER_EPOCH), 0))
                .isInstanceOf(Step.GiveUp.class);
    }

    @Test
    void theLossOfAMasterMakesItBeginAnew() {
        seen();
        assertThat(joining.inForce(BEGAN.takenOver(Set.of("b"), "a", Set.of("a", "s")), 0))
                .isInstanceOf(Step.GiveUp.class);
        missed.add("s");
        assertThat(joining.inForce(BEGAN, 0)).isInstanceOf(Step.Ask.class);
        missed.add("b");
        assertThat(joining.inForce(BEGAN, 0)).isInstanceOf(Step.GiveUp.class);
    }

    /// Masters that wait for what it acknowledges would wait in vain, and commits with them.
    @Test
    void whoseStreamIsBrokenBeginsAnewAtOnce() {
        fetched();
        joining.inForce(BEGAN, 0);
        joining.answered(refused(Reason.OTHER_EPOCH), 0);
        progress.stop("its stream has a gap");
        assertThat(joining.inForce(BEGAN, 0)).isEqualTo(new Step.GiveUp("its stream has a gap"));
    }

    @Test
    void whoseStreamIsBrokenDoesNotServeThoughTheTopologyNamesIt() {
        fetched();
        progress.stop("its stream has a gap");
        Topology naming = BEGAN.changed(Set.of(), List.of(member("joiner")));
        assertThat(joining.inForce(naming, 0)).isEqualTo(new Step.GiveUp("its stream has a gap"));
        progress.enter(Progress.State.SERVING);
        assertThat(progress.state()).isEqualTo(Progress.State.STOPPED);
    }

    private void seen() {
        joining.begin(0);
        joining.answered(tells("a", "serving", true), 0);
        joining.answered(tells("b", "serving", true), 0);
    }

    private void fetched() {
        seen();
        joining.inForce(BEGAN, 0);
        assertThat(joining.answered(DONE, 0)).isEqualTo(new Step.LookUp());
    }

    private static Step pause(Step then) {
        return new Step.Pause(then);
    }

    private static ReplicaRequest status() {
        return new ReplicaRequest.Status(VersionVector.EMPTY);
    }

    private static Step enters(Member master, Topology now) {
        return new Step.Ask(master, new EnterInSync(member("joiner"), now.epoch()));
    }

    private static ReplicaReply refused(Reason reason) {
        return new Refused(reason, 1, "not now");
    }

    /// Of both classes: the one that a master does not have, as far as it has heard.
    private static ReplicaReply tells(String name, String state, boolean sees, Figure... others) {
        List<Figure> figures = new ArrayList<>(List.of(others));
        if (sees) {
            figures.add(new Figure("member.joiner", 1));
        }
        figures.add(new Figure("received.bank", name.equals("a") ? 7 : 6));
        figures.add(new Figure("received.shop", name.equals("b") ? 8 : 6));
        return new ReplicaReply.StatusReply(
                new NodeStatus(
                        name,
                        "master",
                        state,
                        1,
                        1,
                        BEGAN.epoch(),
                        List.of(),
                        List.of(),
                        VersionVector.EMPTY,
                        0,
                        figures));
    }
}
