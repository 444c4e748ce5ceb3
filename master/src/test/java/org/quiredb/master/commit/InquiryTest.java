package org.quiredb.master.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPatterns;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.Effects;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.master.commit.Inquiry.Outcome;
import org.quiredb.master.commit.Inquiry.Step;
import org.quiredb.master.commit.QueryLog.Finding;
import org.quiredb.replica.intake.Progress;

/// What a master says of a transaction whose end nobody has heard of.
final class InquiryTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");
    private static final ConflictClass BANK = new ConflictClass("bank");
    private static final int SHOP_TABLE = 1;
    private static final int BANK_TABLE = 2;
    private static final VersionVector BEGAN =
            VersionVector.EMPTY.with(SHOP_TABLE, 3).with(BANK_TABLE, 4);
    private static final CommitRecord RECORD = new CommitRecord(6, 77, Effects.NONE);
    private static final Finding COMMITTED = new Finding.Committed(RECORD);
    private static final Finding NOT = new Finding.NotCommitted();
    private static final Step ROLLED_BACK = new Step.Answer(new Outcome.RolledBack());
    private static final Step FORGOTTEN = new Step.Answer(new Outcome.Forgotten());
    private static final Step FOUND = new Step.Answer(new Outcome.Committed(RECORD));

    private final Progress progress = new Progress(ClassPatterns.NONE);
    private final Mastery<BarePath> mastery =
            new Mastery<>("self", progress, 4, Durability.LOGGED, BarePath::new);
    private Topology now =
            Topology.vacant(0)
                    .begunBy(member("self"))
                    .changed(Set.of(), List.of(member("other")))
                    .handed(Set.of(SHOP, BANK), "self");

    @BeforeEach
    void isMaster() {
        create(SHOP_TABLE, SHOP);
        create(BANK_TABLE, BANK);
        progress.beginAt(List.of(new ClassPosition(SHOP, 5), new ClassPosition(BANK, 5)), 1, 3);
        inForce(now);
        mastery.open(SHOP, 5);
        mastery.open(BANK, 5);
        mastery.serve(ConflictClass.NONE);
    }

    @Test
    void theLogIsAskedWhenAllThatHasANumberByThenIsSettled() {
        mastery.of(SHOP).orElseThrow().path.commit(InquiryTest::shop);
        Inquiry inquiry = of(SHOP);
        assertThat(inquiry.begin()).isEqualTo(new Step.Close());
        mastery.of(SHOP).orElseThrow().path.commit(InquiryTest::shop);
        assertThat(inquiry.closed()).isEqualTo(new Step.AwaitSettled(SHOP, 7));
        assertThat(inquiry.settled()).isEqualTo(new Step.Find(SHOP, 3));
        assertThat(inquiry.found(COMMITTED)).isEqualTo(FOUND);
    }

    @Test
    void whatTheLogDoesNotHaveIsRolledBackAndWhatItMayHaveHadIsForgotten() {
        assertThat(asking(SHOP).found(NOT)).isEqualTo(ROLLED_BACK);
        assertThat(asking(SHOP).found(new Finding.Forgotten())).isEqualTo(FORGOTTEN);
    }

    @Test
    void onlyTheMasterOfTheTermIsToSay() {
        Topology elsewhere = now.handed(Set.of(SHOP), "other");
        long term = now.mastership(SHOP).term();
        assertThat(inquiry(SHOP, term - 1).begin()).isEqualTo(refused(Reason.OTHER_EPOCH));
        inForce(elsewhere);
        assertThat(inquiry(SHOP, term).begin()).isEqualTo(refused(Reason.NOT_MASTER));
    }

    /// The next master may log it further, or cut off what is logged.
    @Test
    void ofAClassThatIsGivenAwayMeanwhileNothingIsSaid() {
        for (Finding finding : List.of(COMMITTED, NOT, new Finding.Forgotten())) {
            InquiryTest of = new InquiryTest();
            of.isMaster();
            Inquiry inquiry = of.asking(SHOP);
            of.inForce(of.now.handed(Set.of(SHOP), "other"));
            assertThat(inquiry.found(finding)).isEqualTo(refused(Reason.NOT_MASTER));
        }
    }

    /// Nobody waits for it then, for the class is not held.
    @Test
    void ofAClassThatIsGivenAwayBeforeItIsSettledNothingIsSaidEither() {
        Inquiry inquiry = of(SHOP);
        assertThat(inquiry.begin()).isEqualTo(new Step.Close());
        inForce(now.handed(Set.of(SHOP), "other"));
        assertThat(inquiry.closed()).isEqualTo(new Step.AwaitSettled(SHOP, 0));
        assertThat(inquiry.settled()).isEqualTo(new Step.Find(SHOP, 3));
        assertThat(inquiry.found(COMMITTED)).isEqualTo(refused(Reason.NOT_MASTER));
    }

    @Test
    void whereTheClassIsNotKnownEachIsAsked() {
        Inquiry inquiry = inquiry(ConflictClass.NONE, now.leader().term());
        inquiry.begin();
        assertThat(inquiry.closed()).isEqualTo(new Step.AwaitSettled(BANK, 5));
        assertThat(inquiry.settled()).isEqualTo(new Step.Find(BANK, 4));
        assertThat(inquiry.found(NOT)).isEqualTo(new Step.AwaitSettled(SHOP, 5));
        assertThat(inquiry.settled()).isEqualTo(new Step.Find(SHOP, 3));
        assertThat(inquiry.found(NOT)).isEqualTo(ROLLED_BACK);
    }

    @Test
    void whereTheClassIsNotKnownOneThatHasForgottenIsNoReasonNotToAskTheNext() {
        Inquiry inquiry = inquiry(ConflictClass.NONE, now.leader().term());
        inquiry.begin();
        inquiry.closed();
        inquiry.settled();
        inquiry.found(new Finding.Forgotten());
        inquiry.settled();
        assertThat(inquiry.found(COMMITTED)).isEqualTo(FOUND);
    }

    @Test
    void whereAClassIsAnothersNobodyCanSayThatNoneHasIt() {
        inForce(now.handed(Set.of(SHOP), "other"));
        Inquiry inquiry = inquiry(ConflictClass.NONE, now.leader().term());
        inquiry.begin();
        assertThat(inquiry.closed()).isEqualTo(new Step.AwaitSettled(BANK, 5));
        inquiry.settled();
        assertThat(inquiry.found(NOT)).isEqualTo(FORGOTTEN);
    }

    /// The class goes and comes, and the log has it or not: what is said is what the log told while
    /// the class was this master's, from before the log was asked until it had answered.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void whatIsSaidTheLogHasToldOfAClassThatWasHeldAllTheTime(long seed) {
        Random random = new Random(seed);
        int said = 0;
        for (int walk = 0; walk < 200; walk++) {
            InquiryTest of = new InquiryTest();
            of.isMaster();
            said += of.walk(random) ? 1 : 0;
        }
        assertThat(said).isBetween(20, 180);
    }

    private boolean walk(Random random) {
        long term = now.mastership(SHOP).term();
        Inquiry inquiry = inquiry(SHOP, term);
        boolean held = true;
        Step step = inquiry.begin();
        while (!(step instanceof Step.Answer)) {
            if (held && random.nextInt(6) == 0) {
                held = false;
                inForce(now.handed(Set.of(SHOP), "other"));
                if (random.nextBoolean()) {
                    inForce(now.handed(Set.of(SHOP), "self"));
                    mastery.receive(SHOP, 9);
                    mastery.serve(SHOP);
                }
            }
            step =
                    switch (step) {
                        case Step.Close() -> inquiry.closed();
                        case Step.AwaitSettled _ -> inquiry.settled();
                        case Step.Find _ -> inquiry.found(random.nextBoolean() ? COMMITTED : NOT);
                        case Step.Answer answer -> answer;
                    };
        }
        assertThat(((Step.Answer) step).outcome() instanceof Outcome.Refused).isNotEqualTo(held);
        return held;
    }

    private Inquiry of(ConflictClass c) {
        return inquiry(c, now.mastership(c).term());
    }

    private Inquiry inquiry(ConflictClass c, long term) {
        return new Inquiry(progress, mastery, c, term, BEGAN);
    }

    private Inquiry asking(ConflictClass c) {
        Inquiry inquiry = of(c);
        assertThat(inquiry.begin()).isEqualTo(new Step.Close());
        assertThat(inquiry.closed()).isInstanceOf(Step.AwaitSettled.class);
        assertThat(inquiry.settled()).isInstanceOf(Step.Find.class);
        return inquiry;
    }

    private void inForce(Topology next) {
        now = next;
        progress.enter(next);
        mastery.inForce(next);
    }

    private void create(int tableId, ConflictClass c) {
        progress.changed(
                new SchemaChange.CreateTable(
                        tableId,
                        c,
                        new TableDefinition(
                                "shop",
                                "t" + tableId,
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of(),
                                0)));
    }

    private static WriteSet shop(long number) {
        return new WriteSet(SHOP, 1, number, number, List.of(), List.of(), List.of(), Effects.NONE);
    }

    private static Step refused(Reason reason) {
        return new Step.Answer(new Outcome.Refused(reason));
    }

    private static Member member(String name) {
        return new Member(name, name, 1, false);
    }
}
