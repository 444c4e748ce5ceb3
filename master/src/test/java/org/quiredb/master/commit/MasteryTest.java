package org.quiredb.master.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPatterns;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.PageId;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.Effects;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.replica.intake.Progress;

final class MasteryTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");
    private static final int TABLE = 1;

    private final Progress progress = new Progress(ClassPatterns.NONE);
    private final Mastery<BarePath> mastery =
            new Mastery<>("self", progress, 4, Durability.LOGGED, BarePath::new);
    private Topology now =
            Topology.vacant(0)
                    .begunBy(member("self"))
                    .changed(Set.of(), List.of(member("other")))
                    .handed(Set.of(SHOP), "self");

    @BeforeEach
    void isMember() {
        progress.beginAt(List.of(new ClassPosition(SHOP, 5)), 1, 1);
        inForce(now);
    }

    @Test
    void commitsOfAClassThatBeginsWaitForTheMembersOfTheTopologyInForce() {
        CommitPath path = mastery.open(SHOP, 5).path;
        commit(path, 6);
        assertThat(path.sequence().stable()).isEqualTo(5);
        path.sequence().received("other", path.term(), 6);
        assertThat(path.sequence().stable()).isEqualTo(6);
        inForce(now.changed(Set.of("other"), List.of()));
        commit(path, 7);
        assertThat(mastery.stablePositions()).containsExactly(new ClassPosition(SHOP, 7));
    }

    @Test
    void whatIsTakenOverIsHeldBeforeItIsServed() {
        mastery.serve(SHOP);
        assertThat(mastery.served(SHOP)).isEmpty();
        mastery.takeOver(SHOP, 5, 5, List.of());
        assertThat(mastery.holds(SHOP)).isTrue();
        assertThat(mastery.served(SHOP)).isEmpty();
        assertThat(mastery.stablePositions()).isEmpty();
        mastery.serve(SHOP);
        assertThat(mastery.served(SHOP)).hasValue(now.mastership(SHOP).term());
    }

    @Test
    void whatIsTakenOverIsStableWhenTheSurvivorsHaveItAndWhatIsReceivedIsAtOnce() {
        mastery.takeOver(SHOP, 5, 5, List.of());
        CommitSequence taken = mastery.of(SHOP).orElseThrow().path.sequence();
        assertThat(taken.settled()).isZero();
        taken.received("other", now.mastership(SHOP).term(), 4);
        assertThat(taken.settled()).isEqualTo(4);
        taken.received("other", now.mastership(SHOP).term(), 5);
        assertThat(taken.settled()).isEqualTo(5);
        mastery.receive(SHOP, 5);
        assertThat(mastery.of(SHOP).orElseThrow().path.sequence().settled()).isEqualTo(5);
    }

    @Test
    void theLeaderServesWhatIsYetToComeButNotWhatIsAnothers() {
        ConflictClass coming = new ConflictClass("coming");
        assertThat(mastery.served(coming)).isEmpty();
        mastery.serve(ConflictClass.NONE);
        assertThat(mastery.served(coming)).hasValue(now.leader().term());
        assertThat(mastery.served(SHOP)).isEmpty();
    }

    @Test
    void ofAClassThatIsAnothersNothingIsLeftButItsVector() {
        BarePath own = mastery.open(SHOP, 5);
        own.path.sequence().received("other", own.path.term(), 5);
        commit(own.path, 6);
        own.path.sequence().received("other", own.path.term(), 6);
        VersionVector stable = VersionVector.EMPTY.with(TABLE, 6);
        assertThat(mastery.stableVector()).isEqualTo(stable);
        assertThat(inForce(now.handed(Set.of(SHOP), "other"))).containsExactly(SHOP);
        assertThat(own.broken).isEqualTo("closed");
        assertThat(mastery.holds(SHOP)).isFalse();
        assertThat(mastery.served(SHOP)).isEmpty();
        assertThat(mastery.broken()).isEmpty();
        assertThat(mastery.stableVector()).isEqualTo(stable);
    }

    @Test
    void aClassThatWasAwayAndIsBackIsAnotherOne() {
        mastery.open(SHOP, 5);
        Topology back = now.handed(Set.of(SHOP), "other").handed(Set.of(SHOP), "self");
        assertThat(inForce(back)).containsExactly(SHOP);
    }

    @Test
    void aReplicaThatEntersIsWaitedForAtOnceAndByClassesThatBeginLater() {
        ConflictClass later = new ConflictClass("later");
        CommitPath path = mastery.open(SHOP, 5).path;
        assertThat(mastery.waitFor("third", now.epoch())).isFalse();
        mastery.serve(ConflictClass.NONE);
        assertThat(mastery.waitFor("third", now.epoch() - 1)).isFalse();
        assertThat(mastery.waitFor("third", now.epoch())).isTrue();
        assertThat(mastery.inSync()).containsExactlyInAnyOrder("other", "third");
        for (CommitPath each : List.of(path, mastery.open(later, 0).path)) {
            assertThat(each.sequence().inSync()).containsExactlyInAnyOrder("other", "third");
        }
    }

    /// As it is of what it has taken over: before its role goes on, and when it learns of it.
    @Test
    void whoEntersIsWaitedForWhenTheTopologyIsToldAgainAndNotUnderTheNextOne() {
        CommitPath path = mastery.open(SHOP, 5).path;
        mastery.serve(ConflictClass.NONE);
        assertThat(mastery.waitFor("third", now.epoch())).isTrue();
        path.sequence().received("third", path.term(), 5);
        inForce(now);
        assertThat(mastery.inSync()).containsExactlyInAnyOrder("other", "third");
        assertThat(path.sequence().inSync()).containsExactlyInAnyOrder("other", "third");
        assertThat(path.sequence().receivedBy("third")).isEqualTo(5);
        inForce(now.changed(Set.of(), List.of()));
        assertThat(mastery.inSync()).containsExactly("other");
        assertThat(path.sequence().inSync()).containsExactly("other");
    }

    @Test
    void whoIsBehindIsToldOfTheClassesThatAreHeld() {
        CommitPath path = mastery.open(SHOP, 5).path;
        commit(path, 6);
        long step = CommitSequence.step(6, 0);
        assertThat(mastery.multicast()).isEqualTo(Map.of(SHOP, step));
        assertThat(mastery.behind(Map.of(SHOP, step, new ConflictClass("gone"), step)))
                .containsExactly("other");
        path.sequence().received("other", path.term(), 6);
        assertThat(mastery.behind(Map.of(SHOP, step))).isEmpty();
    }

    /// Who has waited for a schema change that broke off is not to run on what it has left.
    @Test
    void aClassThatCommitsNothingAnyMoreIsNotForUpdates() {
        BarePath own = mastery.open(SHOP, 5);
        assertThat(mastery.working(SHOP)).hasValue(now.mastership(SHOP).term());
        own.broken = "a schema change could not be taken in";
        assertThat(mastery.working(SHOP)).isEmpty();
        assertThat(mastery.served(SHOP)).isPresent();
    }

    private Set<ConflictClass> inForce(Topology next) {
        now = next;
        progress.enter(next);
        return mastery.inForce(next);
    }

    /// Given to the group and logged.
    private static void commit(CommitPath path, long number) {
        assertThat(
                        path.commit(n ->
                                new WriteSet(
                                        SHOP,
                                        1,
                                        n,
                                        n,
                                        List.of(new PageChange(PageId.of(TABLE, 0), new byte[0])),
                                        List.of(),
                                        List.of(),
                                        Effects.NONE)))
                .isEqualTo(number);
        path.sequence().multicast(number);
        path.logEnds(number);
    }

    private static Member member(String name) {
        return new Member(name, name, 1, false);
    }
}
