package org.quiredb.scheduler.agree;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.quiredb.common.message.SchedulerReply;
import org.quiredb.common.message.SchedulerRequest.Announce;
import org.quiredb.common.message.TableLocks;
import org.quiredb.common.topology.Mastership;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.SchedulerMember;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.agree.Waiting.Goal;
import org.quiredb.scheduler.agree.Waiting.Verdict;
import org.quiredb.scheduler.route.Tags;

/// One scheduler, `q1`, from the outside: what is told to it, and what it has done then. Replicas
/// are `a` and `b`, times in milliseconds.
final class PeerAgreementTest {
    private static final long MILLI = 1_000_000;
    private static final long LEASE = Lease.NANOS / MILLI;
    private static final Topology REPLICAS = topology(1, "a", "b");
    private static final Verdict READY = new Verdict.Ready();

    private long nowMillis = 1_000;
    private long lives = 100;
    private final Tags tags = new Tags(Duration.ofSeconds(10), () -> nowMillis * MILLI);
    private final PeerAgreement core =
            new PeerAgreement("q1", tags, () -> ++lives, nowMillis * MILLI);

    @Test
    void oneThatIsAloneComesInWhenReplicasAndMastersWereAsked() {
        assertThat(take(new Event.Enter("here", 1))).containsExactly(new Action.Read());
        Schedulers first = Schedulers.NOBODY.entered("q1", lives, "here", 1);
        assertThat(take(new Event.InForce(Schedulers.NOBODY)))
                .containsExactly(new Action.Change(first, null));
        assertThat(take(new Event.InForce(first))).containsExactly(new Effect.ReadTopology(1));
        assertThat(take(new Event.TopologyRead(1, REPLICAS)))
                .containsExactly(
                        new Effect.Tell(replica("a"), 1), new Effect.Tell(replica("b"), 1));
        assertThat(told(1, "a", true)).isEmpty();
        assertThat(core.awaitsMasters()).isZero();
        assertThat(told(1, "b", true)).isEmpty(); // before the first record nobody had a lease
        assertThat(core.awaitsMasters()).isEqualTo(1);
        learn(vector(7));
        assertThat(core.in()).isFalse();
        take(new Event.MastersTold(1));
        assertThat(core.in()).isTrue();
        assertThat(tag()).isEqualTo(vector(7));
    }

    @Test
    void whoHasNotHeardOfTheRecordIsToldAgainUntilAllHave() {
        begin(alone());
        take(new Event.TopologyRead(2, REPLICAS));
        assertThat(told(2, "a", true)).isEmpty();
        assertThat(told(2, "b", false))
                .containsExactly(new Effect.Later(50 * MILLI, new Event.TellAgain(2)));
        assertThat(take(new Event.TellAgain(2))).containsExactly(new Effect.ReadTopology(2));
        assertThat(take(new Event.TopologyNotRead(2)))
                .containsExactly(new Effect.Later(50 * MILLI, new Event.TellAgain(2)));
        take(new Event.TellAgain(2));
        assertThat(take(new Event.TopologyRead(2, topology(2, "a", "b", "c"))))
                .containsExactly(
                        new Effect.Tell(replica("b"), 2), new Effect.Tell(replica("c"), 2));
        told(2, "b", true);
        assertThat(told(2, "c", true))
                .containsExactly(new Effect.Later(Lease.NANOS, new Event.Outlasted(2)));
        assertThat(core.awaitsMasters()).isZero();
        take(new Event.Outlasted(2));
        assertThat(core.awaitsMasters()).isEqualTo(2);
    }

    @Test
    void theTellingIsGivenUpForThatOfTheNextRecord() {
        Schedulers alone = alone();
        begin(alone);
        take(new Event.TopologyRead(2, REPLICAS));
        told(2, "a", true);
        assertThat(take(new Event.InForce(alone.entered("q2", 7, "there", 1))))
                .contains(new Effect.ReadTopology(3));
        assertThat(told(2, "b", true)).isEmpty();
        assertThat(take(new Event.TellAgain(2))).isEmpty();
        assertThat(take(new Event.TopologyRead(3, REPLICAS))).hasSize(2);
    }

    @Test
    void thereIsNoTagWhenTheLeaseIsOver() {
        comeInAlone();
        nowMillis += LEASE - 1;
        assertThat(core.mayTag(now())).isTrue();
        nowMillis++;
        assertThat(core.tagNow(now())).isNull();
        Waiting waiting = core.untilTag(now());
        assertThat(look(waiting)).isEqualTo(new Verdict.Wait(30_000 * MILLI));
        nowMillis += 29_999;
        take(new Event.Due(waiting));
        assertThat(look(waiting)).isEqualTo(new Verdict.Wait(MILLI));
        nowMillis++;
        take(new Event.Due(waiting));
        assertThat(((Verdict.Failed) look(waiting)).why()).contains("may be cut off");
    }

    @Test
    void theLeaseIsRenewedByOneQuestionAtATimeAndCountsFromWhenThatWasAsked() {
        Schedulers alone = comeInAlone();
        nowMillis += LEASE / 4;
        assertThat(take(new Event.Tick())).isEmpty();
        nowMillis++;
        assertThat(take(new Event.Tick())).containsExactly(new Effect.Renew(false));
        assertThat(take(new Event.Tick())).isEmpty();
        take(new Event.NotRenewed());
        assertThat(take(new Event.Tick())).containsExactly(new Effect.Renew(false));
        long askedMillis = nowMillis;
        nowMillis += LEASE - 1;
        Waiting waiting = core.untilTag(now());
        assertThat(look(waiting)).isInstanceOf(Verdict.Wait.class);
        take(new Event.Renewed(null, alone));
        assertThat(look(waiting)).isEqualTo(READY);
        nowMillis = askedMillis + LEASE;
        assertThat(core.mayTag(now())).isFalse();
    }

    @Test
    void aNewerRecordConfirmsNoLeaseAndIsLookedUp() {
        Schedulers alone = comeInAlone();
        nowMillis += LEASE;
        take(new Event.Tick());
        assertThat(take(new Event.Renewed(null, alone.entered("q2", 7, "there", 1))))
                .containsExactly(new Action.Read());
        assertThat(core.mayTag(now())).isFalse();
    }

    @Test
    void anAnswerOfANewerTopologyHasThatLookedUpToo() {
        Schedulers alone = comeInAlone();
        answers("a", 1, 2);
        assertThat(take(new Event.Tick())).isEmpty();
        answers("a", 2, 2);
        assertThat(take(new Event.Tick())).containsExactly(new Effect.Renew(true));
        take(new Event.Renewed(topology(2, "a"), alone));
        nowMillis += LEASE / 2;
        answers("a", 2, 2);
        nowMillis += LEASE - 1;
        assertThat(core.mayTag(now())).isTrue();
    }

    @Test
    void aReplicaThatDoesNotServeOrWasAskedWithoutARecordConfirmsNothing() {
        comeInAlone();
        nowMillis += LEASE;
        answers("b", 1, 2);
        answers("a", 1, 0);
        assertThat(core.mayTag(now())).isFalse();
        take(new Event.ReplicaAnswered("a", false, 1, 2, now()));
        assertThat(core.mayTag(now())).isFalse();
        answers("a", 1, 2);
        assertThat(core.mayTag(now())).isTrue();
    }

    @Test
    void aTagWaitsForTheWordOfWhoHasAnnouncedThenAnnouncesItself() {
        SchedulerMember other = comeInBeside();
        announced(other, vector(9), VersionVector.EMPTY);
        assertThat(core.tagNow(now())).isNull();
        Waiting waiting = core.untilTag(now());
        Waiting word = core.untilTag(now());
        assertThat(look(waiting)).isEqualTo(new Verdict.Wait(5 * MILLI));
        nowMillis += 5;
        List<Effect> hastened = take(new Event.Due(waiting));
        assertThat(hastened)
                .singleElement()
                .satisfies(e ->
                        assertThat(((Action.Send) e).message().announced()).isEqualTo(vector(9)));
        assertThat(waiting.goal()).isEqualTo(Goal.AGREEMENT);
        assertThat(look(waiting)).isEqualTo(new Verdict.Wait(30_000 * MILLI));
        assertThat(look(word)).isEqualTo(new Verdict.Wait(0)); // its own Due is still to come
        noted(hastened);
        assertThat(look(waiting)).isEqualTo(READY);
        assertThat(look(word)).isEqualTo(READY);
        assertThat(core.tag().tag()).isEqualTo(vector(9));
    }

    @Test
    void aTagIsGivenWhenTheWordComes() {
        SchedulerMember other = comeInBeside();
        announced(other, vector(9), VersionVector.EMPTY);
        Waiting waiting = core.untilTag(now());
        announced(other, vector(9), vector(9));
        assertThat(look(waiting)).isEqualTo(READY);
        assertThat(core.tag().tag()).isEqualTo(vector(9));
    }

    @Test
    void whatIsLearnedIsShownWhenTheOthersHaveNotedIt() {
        comeInBeside();
        List<Effect> sent = take(new Event.Learn(vector(9), 3));
        assertThat(core.shows(vector(9))).isFalse();
        assertThat(tags.current()).isEqualTo(vector(7));
        Waiting waiting = core.untilShown(vector(9), now());
        assertThat(look(waiting)).isEqualTo(new Verdict.Wait(10_000 * MILLI));
        Waiting impatient = core.untilShown(vector(9), now() - 10_000 * MILLI);
        take(new Event.Due(impatient));
        assertThat(((Verdict.Failed) look(impatient)).why())
                .startsWith("what was done is stable, but");
        noted(sent);
        assertThat(look(waiting)).isEqualTo(READY);
        assertThat(tags.current()).isEqualTo(vector(9));
        assertThat(core.catalogueVersion()).isEqualTo(3);
    }

    @Test
    void tablesAreLockedAgainstReadersWhenTheOthersHaveNotedIt() {
        comeInBeside();
        Waiting waiting = core.untilLocked(Set.of(3, 4), now());
        assertThat(core.locked()).containsExactlyInAnyOrder(3, 4);
        assertThat(look(waiting)).isInstanceOf(Verdict.Wait.class);
        noted(core.effects());
        assertThat(look(waiting)).isEqualTo(READY);
        Waiting later = core.untilLocked(Set.of(3), now());
        assertThat(look(later)).isInstanceOf(Verdict.Wait.class);
        noted(core.effects());
        assertThat(core.locked()).containsExactly(3);
        assertThat(look(later)).isEqualTo(READY);
    }

    @Test
    void whatAnotherHasLockedIsLockedUntilItSaysOtherwiseOrIsTakenOut() {
        SchedulerMember other = comeInBeside();
        TableLocks first = TableLocks.NONE.next(Set.of(3));
        announced(other, first.next(Set.of(5)));
        announced(other, first); // which has come late
        assertThat(core.locked()).containsExactly(5);
        Schedulers without = core.record().without(List.of(other));
        take(new Event.InForce(without));
        assertThat(core.locked()).isEmpty();
    }

    @Test
    void whoEntersIsToldWhatIsLockedBeforeItTakesTags() {
        TableLocks locks = TableLocks.NONE.next(Set.of(5));
        comeInBeside(new SchedulerReply.Noted(VersionVector.EMPTY, locks));
        assertThat(core.locked()).containsExactly(5);
    }

    @Test
    void whoEntersDoesNotTakeThePlaceOfANamesakeThatLives() {
        Schedulers others = Schedulers.NOBODY.entered("q1", 7, "there", 1);
        SchedulerMember namesake = others.members().getFirst();
        take(new Event.Enter("here", 1));
        Waiting waiting = core.untilEntered(now());
        assertThat(take(new Event.InForce(others)))
                .containsExactly(
                        new Action.Change(others.entered("q1", lives, "here", 1), namesake));
        take(new Event.NamesakeLives(namesake));
        assertThat(look(waiting))
                .isEqualTo(
                        new Verdict.Failed(
                                "a scheduler named q1 is alive at there:1: give this one a scheduler.name of its own, or end the other one first"));
        nowMillis += 200;
        assertThat(take(new Event.Tick())).contains(new Action.Read()); // it may be gone
    }

    @Test
    void whoEntersTakesThePlaceOfItsOwnOlderLife() {
        Schedulers before = Schedulers.NOBODY.entered("q1", 7, "here", 1);
        take(new Event.Enter("here", 1));
        assertThat(take(new Event.InForce(before)))
                .containsExactly(new Action.Change(before.entered("q1", lives, "here", 1), null));
    }

    @Test
    void aStartGoesOnWhenItHasNotComeInSoon() {
        take(new Event.Enter("here", 1));
        Waiting waiting = core.untilEntered(now());
        assertThat(look(waiting)).isEqualTo(new Verdict.Wait(2_000 * MILLI));
        nowMillis += 2_000;
        take(new Event.Due(waiting));
        assertThat(look(waiting)).isEqualTo(READY);
        assertThat(look(core.untilIn(now()))).isInstanceOf(Verdict.Wait.class);
    }

    @Test
    void whoIsOutdatedWaitsForTheRecord() {
        Schedulers alone = comeInAlone();
        assertThat(take(new Event.Outdated(3))).containsExactly(new Action.Read());
        Waiting waiting = core.untilEpoch(3, now());
        assertThat(look(waiting)).isInstanceOf(Verdict.Wait.class);
        take(new Event.InForce(alone.without(alone.members())));
        assertThat(look(waiting)).isEqualTo(READY);
        assertThat(core.in()).isFalse();
        assertThat(core.mayTag(now())).isFalse();
    }

    @Test
    void nobodyWaitsForOneThatHasEnded() {
        comeInBeside();
        Waiting waiting = core.untilShown(vector(9), now());
        assertThat(look(waiting)).isInstanceOf(Verdict.Wait.class);
        take(new Event.End());
        assertThat(look(waiting)).isInstanceOf(Verdict.Failed.class);
        assertThat(take(new Event.Learn(vector(9), 0))).isEmpty();
    }

    /// The record before was another scheduler's, which is gone.
    private Schedulers alone() {
        return new Schedulers(2, List.of(new SchedulerMember("q1", lives, 2, "here", 1)));
    }

    private void begin(Schedulers record) {
        take(new Event.Enter("here", 1));
        take(new Event.InForce(record));
    }

    /// At table 1 stands at 7.
    private Schedulers comeInAlone() {
        Schedulers alone = alone();
        begin(alone);
        comeIn();
        assertThat(core.in()).isTrue();
        return alone;
    }

    private void comeIn() {
        take(new Event.TopologyRead(2, REPLICAS));
        told(2, "a", true);
        told(2, "b", true);
        take(new Event.Outlasted(2));
        learn(vector(7));
        take(new Event.MastersTold(2));
    }

    private SchedulerMember comeInBeside() {
        return comeInBeside(new SchedulerReply.Noted(VersionVector.EMPTY, TableLocks.NONE));
    }

    private SchedulerMember comeInBeside(SchedulerReply first) {
        SchedulerMember other = new SchedulerMember("q2", 7, 1, "there", 1);
        take(new Event.Enter("here", 1));
        List<Effect> sent =
                take(
                        new Event.InForce(
                                new Schedulers(
                                        2,
                                        List.of(
                                                other,
                                                new SchedulerMember("q1", lives, 2, "here", 1)))));
        comeIn();
        while (!sends(sent).isEmpty()) {
            sent = answered(sent, first);
        }
        assertThat(core.in()).isTrue();
        return other;
    }

    /// The other one answers what was sent to it.
    ///
    /// @return what follows
    private List<Effect> noted(List<Effect> effects) {
        return answered(effects, new SchedulerReply.Noted(VersionVector.EMPTY, TableLocks.NONE));
    }

    private List<Effect> answered(List<Effect> effects, SchedulerReply reply) {
        List<Effect> following = new ArrayList<>();
        sends(effects).forEach(send -> following.addAll(take(new Event.Answered(send, reply))));
        return following;
    }

    private static List<Action.Send> sends(List<Effect> effects) {
        return effects.stream()
                .filter(Action.Send.class::isInstance)
                .map(Action.Send.class::cast)
                .toList();
    }

    private void announced(SchedulerMember from, VersionVector announced, VersionVector shown) {
        announced(from, announced, shown, TableLocks.NONE);
    }

    private void announced(SchedulerMember from, TableLocks locks) {
        announced(from, VersionVector.EMPTY, VersionVector.EMPTY, locks);
    }

    private void announced(
            SchedulerMember from, VersionVector announced, VersionVector shown, TableLocks locks) {
        Announce message =
                new Announce(core.record(), from.name(), false, announced, shown, 0, locks);
        assertThat(core.heard(message, now())).isInstanceOf(SchedulerReply.Noted.class);
        core.effects();
    }

    private void learn(VersionVector stable) {
        take(new Event.Learn(stable, 0));
    }

    private List<Effect> told(long epoch, String replica, boolean heard) {
        return take(new Event.Told(epoch, replica(replica), heard));
    }

    private void answers(String replica, long topologyEpoch, long recordEpoch) {
        take(new Event.ReplicaAnswered(replica, true, topologyEpoch, recordEpoch, now()));
    }

    private VersionVector tag() {
        return Objects.requireNonNull(core.tagNow(now())).tag();
    }

    private Verdict look(Waiting waiting) {
        return core.look(waiting, now());
    }

    private List<Effect> take(Event event) {
        core.take(event, now());
        return core.effects();
    }

    private long now() {
        return nowMillis * MILLI;
    }

    private static VersionVector vector(long ofTableOne) {
        return VersionVector.EMPTY.with(1, ofTableOne);
    }

    private static Member replica(String name) {
        return new Member(name, "127.0.0.1", 1, false);
    }

    private static Topology topology(long epoch, String... names) {
        List<Member> members = new ArrayList<>();
        for (String name : names) {
            members.add(replica(name));
        }
        return new Topology(
                epoch,
                0,
                new Mastership(names[0], 1),
                Topology.vacant(0).classes(),
                names.length,
                members);
    }
}
