package org.quiredb.master.role;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPatterns;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.Effects;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.master.commit.BarePath;
import org.quiredb.master.commit.CommitPath;
import org.quiredb.master.commit.Durability;
import org.quiredb.master.commit.Mastery;
import org.quiredb.master.role.Admission.Step;
import org.quiredb.replica.intake.Progress;

/// How a master lets in one that joins, whatever comes in between.
final class AdmissionTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");
    private static final ConflictClass BANK = new ConflictClass("bank");
    private static final long LIMIT_MILLIS = 30_000;
    private static final Step DONE = new Step.Answer(new ReplicaReply.Done());

    private final Progress progress = new Progress(ClassPatterns.NONE);
    private final Mastery<BarePath> mastery =
            new Mastery<>("self", progress, 4, Durability.LOGGED, BarePath::new);
    private final Topology began =
            Topology.vacant(0)
                    .begunBy(member("other"))
                    .changed(Set.of(), List.of(member("self")))
                    .handed(Set.of(SHOP, BANK), "self");

    @Test
    void whoLeadsMakesItAMemberWhenItHoldsWhatWasUnderWay() {
        Topology led = leading();
        CommitPath path = mastery.of(SHOP).orElseThrow().path;
        commit(path, 6);
        Admission admission = admission(led.epoch());
        Step awaits = new Step.AwaitHeld(SHOP, 6, LIMIT_MILLIS);
        assertThat(admission.begin(true, LIMIT_MILLIS, 0)).isEqualTo(awaits);
        commit(path, 7);
        path.sequence().received("joiner", path.term(), 5);
        assertThat(admission.look(1)).isEqualTo(awaits);
        path.sequence().received("joiner", path.term(), 6);
        // Held, but not settled: the other has not acknowledged it.
        assertThat(admission.look(2)).isEqualTo(awaits);
        path.sequence().received("other", path.term(), 6);
        assertThat(admission.look(3)).isEqualTo(new Step.Propose());
        assertThat(admission.look(4)).isEqualTo(new Step.AwaitTopology(2_003));
        inForce(led.changed(Set.of(), List.of(member("joiner"))));
        assertThat(admission.look(5)).isEqualTo(DONE);
    }

    @Test
    void whoDoesNotLeadOnlyWaitsForIt() {
        mastering();
        CommitPath path = mastery.of(SHOP).orElseThrow().path;
        commit(path, 6);
        Admission admission = admission(began.epoch());
        assertThat(admission.begin(true, LIMIT_MILLIS, 0)).isInstanceOf(Step.AwaitHeld.class);
        assertThat(mastery.inSync()).contains("joiner");
        path.sequence().received("joiner", path.term(), 6);
        path.sequence().received("other", path.term(), 6);
        assertThat(admission.look(1)).isEqualTo(DONE);
    }

    @Test
    void ofEveryClassItHoldsWhatWasUnderWay() {
        mastering();
        List<CommitPath> paths =
                List.of(mastery.of(BANK).orElseThrow().path, mastery.of(SHOP).orElseThrow().path);
        paths.forEach(path -> commit(path, 6));
        Admission admission = admission(began.epoch());
        Step step = admission.begin(true, LIMIT_MILLIS, 0);
        for (CommitPath path : paths) {
            assertThat(step)
                    .isEqualTo(
                            new Step.AwaitHeld(path.sequence().conflictClass(), 6, LIMIT_MILLIS));
            path.sequence().received("other", path.term(), 6);
            path.sequence().received("joiner", path.term(), 6);
            step = admission.look(1);
        }
        assertThat(step).isEqualTo(DONE);
    }

    @Test
    void whoIsNotSeenOrOfAnotherEpochIsNotWaitedFor() {
        mastering();
        assertRefused(admission(began.epoch()).begin(false, LIMIT_MILLIS, 0), Reason.NOT_IN_GROUP);
        assertRefused(
                admission(began.epoch() - 1).begin(true, LIMIT_MILLIS, 0), Reason.OTHER_EPOCH);
        assertRefused(
                admission(began.epoch() + 1).begin(true, LIMIT_MILLIS, 0), Reason.OTHER_EPOCH);
        assertThat(mastery.inSync()).doesNotContain("joiner");
    }

    @Test
    void whoIsMasterOfNothingLetsNobodyIn() {
        Topology slave =
                Topology.vacant(0)
                        .begunBy(member("other"))
                        .changed(Set.of(), List.of(member("self")));
        inForce(slave);
        assertRefused(admission(slave.epoch()).begin(true, LIMIT_MILLIS, 0), Reason.NOT_MASTER);
    }

    /// The class is another's by then: nobody tells this replica any more what the joiner holds.
    @Test
    void aClassThatIsHandedOnMeanwhileIsNotWaitedFor() {
        mastering();
        commit(mastery.of(SHOP).orElseThrow().path, 6);
        Admission admission = admission(began.epoch());
        assertThat(admission.begin(true, LIMIT_MILLIS, 0)).isInstanceOf(Step.AwaitHeld.class);
        inForce(began.handed(Set.of(SHOP), "other"));
        assertRefused(admission.look(1), Reason.OTHER_EPOCH);
    }

    @Test
    void aMasterThatEndsIsNotWaitedFor() {
        mastering();
        commit(mastery.of(SHOP).orElseThrow().path, 6);
        Admission admission = admission(began.epoch());
        assertThat(admission.begin(true, LIMIT_MILLIS, 0)).isInstanceOf(Step.AwaitHeld.class);
        mastery.of(BANK).orElseThrow().broken = "the log refuses it";
        assertRefused(admission.look(1), Reason.OTHER_EPOCH);
    }

    /// As while the log is away: that is no reason not to ask again.
    @Test
    void whatIsUnderWayIsWaitedForNoLongerThanTheLimit() {
        mastering();
        commit(mastery.of(SHOP).orElseThrow().path, 6);
        Admission admission = admission(began.epoch());
        admission.begin(true, LIMIT_MILLIS, 0);
        assertThat(admission.look(LIMIT_MILLIS - 1)).isInstanceOf(Step.AwaitHeld.class);
        assertRefused(admission.look(LIMIT_MILLIS), Reason.NOT_RECEIVED);
    }

    @Test
    void aTopologyThatDoesNotNameItOrDoesNotComeIsNoAdmission() {
        Topology led = leading();
        Admission unnamed = admission(led.epoch());
        assertThat(unnamed.begin(true, LIMIT_MILLIS, 0)).isEqualTo(new Step.Propose());
        assertThat(unnamed.look(1_999)).isEqualTo(new Step.AwaitTopology(2_000));
        assertRefused(unnamed.look(2_000), Reason.OTHER_EPOCH);
        inForce(led.changed(Set.of("other"), List.of()));
        assertRefused(unnamed.look(1), Reason.OTHER_EPOCH);
    }

    /// Commits, acknowledgements, topologies and looks in any order: whoever is let in holds all
    /// that was under way, and commits wait for it.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whoeverIsLetInHoldsAllThatWasUnderWay(long seed) {
        Random random = new Random(seed);
        int letIn = 0;
        for (int walk = 0; walk < 300; walk++) {
            AdmissionTest of = new AdmissionTest();
            letIn += of.walk(random) ? 1 : 0;
        }
        assertThat(letIn).isBetween(50, 299);
    }

    private boolean walk(Random random) {
        Topology now = random.nextBoolean() ? leading() : mastering();
        List<CommitPath> paths =
                List.of(mastery.of(BANK).orElseThrow().path, mastery.of(SHOP).orElseThrow().path);
        paths.forEach(path -> commit(path, 6));
        Admission admission = admission(now.epoch());
        Step step = admission.begin(true, LIMIT_MILLIS, 0);
        List<Step> steps = new ArrayList<>(List.of(step));
        for (int i = 0; i < 60 && !(step instanceof Step.Answer); i++) {
            CommitPath path = paths.get(random.nextInt(2));
            long assigned = path.sequence().assigned();
            switch (random.nextInt(10)) {
                case 0 -> commit(path, assigned + 1);
                case 1, 2, 3, 4 ->
                        path.sequence()
                                .received("joiner", path.term(), 5 + random.nextLong(assigned - 4));
                case 5, 6, 7 -> path.sequence().received("other", path.term(), assigned);
                case 8 -> {
                    boolean names = now.leads("self") && steps.contains(new Step.Propose());
                    if (names || random.nextInt(8) == 0) {
                        now =
                                names
                                        ? now.changed(Set.of(), List.of(member("joiner")))
                                        : now.handed(Set.of(SHOP), "other");
                        inForce(now);
                    }
                }
                default -> {}
            }
            step = admission.look(i);
            steps.add(step);
        }
        if (!step.equals(DONE)) {
            return false;
        }
        for (CommitPath path : paths) {
            assertThat(path.sequence().receivedBy("joiner")).isGreaterThanOrEqualTo(6);
            assertThat(path.sequence().settled()).isGreaterThanOrEqualTo(6);
            assertThat(path.sequence().stable())
                    .isLessThanOrEqualTo(path.sequence().receivedBy("joiner"));
        }
        return true;
    }

    /// Leader, too.
    private Topology leading() {
        Topology led =
                Topology.vacant(0)
                        .begunBy(member("self"))
                        .changed(Set.of(), List.of(member("other")))
                        .handed(Set.of(SHOP, BANK), "self");
        inForce(led);
        begin();
        mastery.serve(ConflictClass.NONE);
        return led;
    }

    private Topology mastering() {
        inForce(began);
        begin();
        return began;
    }

    private void begin() {
        progress.beginAt(List.of(new ClassPosition(SHOP, 5), new ClassPosition(BANK, 5)), 1, 1);
        for (ConflictClass c : List.of(SHOP, BANK)) {
            CommitPath path = mastery.open(c, 5).path;
            path.sequence().received("joiner", path.term(), 5);
        }
    }

    private void inForce(Topology next) {
        progress.enter(next);
        mastery.inForce(next);
    }

    private Admission admission(long epoch) {
        return new Admission("self", progress, mastery, member("joiner"), epoch);
    }

    private static void assertRefused(Step step, Reason reason) {
        assertThat(step)
                .isInstanceOfSatisfying(
                        Step.Answer.class,
                        answer ->
                                assertThat(answer.reply())
                                        .isInstanceOfSatisfying(
                                                ReplicaReply.Refused.class,
                                                refused ->
                                                        assertThat(refused.reason())
                                                                .isEqualTo(reason)));
    }

    /// Given to the group and logged.
    private static void commit(CommitPath path, long number) {
        path.commit(n ->
                new WriteSet(
                        path.sequence().conflictClass(),
                        1,
                        n,
                        n,
                        List.of(),
                        List.of(),
                        List.of(),
                        Effects.NONE));
        path.sequence().multicast(number);
        path.logEnds(number);
    }

    private static Member member(String name) {
        return new Member(name, name, 1, false);
    }
}
