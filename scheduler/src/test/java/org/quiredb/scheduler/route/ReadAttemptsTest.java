package org.quiredb.scheduler.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.route.ReadAttempts.Sight;
import org.quiredb.scheduler.route.ReadAttempts.Step;
import org.quiredb.scheduler.route.ReplicaView.Role;

/// A read that is not answered, again and again.
final class ReadAttemptsTest {
    private static final VersionVector TAG = VersionVector.EMPTY.with(1, 7);

    private final Losses losses = new Losses();
    private final ReadAttempts reading = new ReadAttempts(Set.of(1), losses);
    private String replica = "";
    private boolean fixed;
    private boolean outlived;
    private long millis;
    private int replicas = 2;

    private Step next() {
        List<ReplicaView> views = new ArrayList<>();
        for (int i = 0; i < replicas; i++) {
            views.add(new ReplicaView("s" + i, Role.SLAVE, true, 0, 0, VersionVector.EMPTY));
        }
        return reading.next(new Sight(views, TAG, replica, fixed, outlived), () -> 0, millis);
    }

    private Step refused(Reason reason) {
        reading.refused(reason, "so");
        return next();
    }

    private static Step ask(int replica) {
        return new Step.Ask("s" + replica);
    }

    private static Step gaveUp(ErrorCode code, String why) {
        return new Step.GiveUp(code, why);
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"CANNOT_RUN_HERE", "TABLE_CHANGED", "VERSION_RECLAIMED"})
    void whoeverHasNotRefusedYetIsAskedAtOnceAndTheOthersAfterLongerAndLongerPauses(Reason reason) {
        assertThat(next()).isEqualTo(ask(0));
        assertThat(refused(reason)).isEqualTo(ask(1));
        long pause = 20;
        for (long paused = 0; paused < ReadAttempts.LIMIT_MILLIS; ) {
            assertThat(refused(reason)).isEqualTo(new Step.Pause(pause));
            assertThat(next()).isEqualTo(ask(0));
            paused += pause;
            pause = Math.min(2 * pause, 320);
        }
        assertThat(refused(reason))
                .isEqualTo(
                        gaveUp(
                                ErrorCode.TIER_UNAVAILABLE,
                                "no replica answers: s0: " + reason + " so"));
    }

    @Test
    void aTransactionStaysWhereItHasReadUntilThatOneIsLost() {
        replica = "s1";
        assertThat(next()).isEqualTo(ask(1));
        reading.lost(false, "gone");
        assertThat(next()).isEqualTo(ask(0));
    }

    @Test
    void whatAClientHasSeenPartsOfIsNotRunAgain() {
        assertThat(next()).isEqualTo(ask(0));
        reading.lost(true, "gone");
        assertThat(next())
                .isEqualTo(gaveUp(ErrorCode.TIER_UNAVAILABLE, "no replica answers: gone"));
    }

    @Test
    void whatHasLostThreeReplicasIsRunNoMore() {
        replicas = 4;
        assertThat(next()).isEqualTo(ask(0));
        lostUnderWay("s0", 3);
        assertThat(next()).isEqualTo(ask(1));
        lostUnderWay("s1", 2);
        assertThat(next()).isEqualTo(ask(2));
        lostUnderWay("s2", 1);
        assertThat(next()).isEqualTo(gaveUp(ErrorCode.UNKNOWN_ERROR, losses.told()));
    }

    @Test
    void theLastReplicaIsNotRiskedForWhatHasLostTwo() {
        assertThat(next()).isEqualTo(ask(0));
        lostUnderWay("s0", 1);
        assertThat(next()).isEqualTo(ask(1));
        lostUnderWay("s1", 1);
        assertThat(next()).isEqualTo(gaveUp(ErrorCode.UNKNOWN_ERROR, losses.told()));
    }

    private void lostUnderWay(String name, int left) {
        losses.met(name + ": gone", left);
        reading.lost(false, "gone");
    }

    @Test
    void versionsThatAreGoneAreReadAtAFreshTagAndForATagThatIsSeenElsewhere() {
        assertThat(next()).isEqualTo(ask(0));
        assertThat(refused(Reason.VERSION_RECLAIMED)).isEqualTo(new Step.TakeFreshTag(20));
        assertThat(next()).isEqualTo(ask(0));
        fixed = true;
        assertThat(refused(Reason.VERSION_RECLAIMED)).isEqualTo(ask(1));
        assertThat(refused(Reason.VERSION_RECLAIMED))
                .isEqualTo(gaveUp(ErrorCode.SNAPSHOT_TOO_OLD, "so"));
    }

    @Test
    void aTableThatIsChangedAllTheTimeIsReadOnTheBackend() {
        assertThat(next()).isEqualTo(ask(0));
        for (long wait = 20; wait <= 320; wait *= 2) {
            assertThat(refused(Reason.TABLE_CHANGED)).isEqualTo(new Step.TakeFreshTag(wait));
            assertThat(next()).isEqualTo(ask(0));
        }
        assertThat(refused(Reason.TABLE_CHANGED)).isEqualTo(new Step.Backend());
    }

    @Test
    void aTableThatHasChangedIsAnErrorOfWhoHasReadBefore() {
        fixed = true;
        assertThat(next()).isEqualTo(ask(0));
        assertThat(refused(Reason.TABLE_CHANGED)).isEqualTo(gaveUp(ErrorCode.TABLE_CHANGED, "so"));
    }

    @Test
    void whatReplicasCannotRunIsForTheBackend() {
        assertThat(next()).isEqualTo(ask(0));
        assertThat(refused(Reason.CANNOT_RUN_HERE)).isEqualTo(new Step.Backend());
    }

    @Test
    void aTagOfAnotherLifeIsNotReadAt() {
        outlived = true;
        for (long wait = 20; wait <= 320; wait *= 2) {
            assertThat(next()).isEqualTo(new Step.TakeFreshTag(wait));
        }
        assertThat(next())
                .isEqualTo(
                        gaveUp(ErrorCode.TIER_UNAVAILABLE, "the schedulers change all the time"));
    }

    @Test
    void whereNobodyServesSomebodyIsWaitedFor() {
        replicas = 0;
        assertThat(next()).isEqualTo(new Step.Pause(20));
        assertThat(next()).isEqualTo(new Step.Pause(40));
        replicas = 1;
        assertThat(next()).isEqualTo(ask(0));
        replicas = 0;
        reading.lost(false, "gone");
        long paused = 60;
        while (next() instanceof Step.Pause(long millis)) {
            paused += millis;
        }
        assertThat(paused).isBetween(ReadAttempts.LIMIT_MILLIS, ReadAttempts.LIMIT_MILLIS + 320);
        assertThat(next())
                .isEqualTo(
                        gaveUp(
                                ErrorCode.TIER_UNAVAILABLE,
                                "no replica serves reads; see quire status"));
    }

    @Test
    void howLongReplicasRanWhatTheyThenLostDoesNotCount() {
        assertThat(next()).isEqualTo(ask(0));
        millis = 10 * ReadAttempts.LIMIT_MILLIS;
        reading.lost(false, "gone");
        assertThat(next()).isEqualTo(ask(1));
        millis += 10 * ReadAttempts.LIMIT_MILLIS;
        reading.lost(false, "gone");
        assertThat(next()).isEqualTo(new Step.Pause(20));
        assertThat(next()).isEqualTo(ask(0));
    }

    @Test
    void whatIsLostSixTimesIsNotRunAgain() {
        for (int time = 1; time < 6; time++) {
            Step step = next();
            assertThat(step instanceof Step.Pause ? next() : step).isInstanceOf(Step.Ask.class);
            reading.lost(false, "gone");
        }
        Step step = next();
        assertThat(step instanceof Step.Pause ? next() : step).isInstanceOf(Step.Ask.class);
        reading.lost(false, "gone");
        assertThat(next())
                .isEqualTo(gaveUp(ErrorCode.TIER_UNAVAILABLE, "no replica answers: gone"));
    }

    @Test
    void whatReplicasTakeLongToRefuseIsNotAskedForForLong() {
        assertThat(next()).isEqualTo(ask(0));
        millis = ReadAttempts.LIMIT_MILLIS;
        assertThat(refused(Reason.OTHER_SCHEDULERS)).isEqualTo(ask(1));
        millis += ReadAttempts.LIMIT_MILLIS;
        assertThat(refused(Reason.OTHER_SCHEDULERS))
                .isEqualTo(
                        gaveUp(
                                ErrorCode.TIER_UNAVAILABLE,
                                "no replica answers: s1: OTHER_SCHEDULERS so"));
    }

    @Test
    void howLongAClientWaitsForAFreshTagDoesNotCount() {
        assertThat(next()).isEqualTo(ask(0));
        assertThat(refused(Reason.TABLE_CHANGED)).isEqualTo(new Step.TakeFreshTag(20));
        millis = 10 * ReadAttempts.LIMIT_MILLIS; // somebody has locked the table
        assertThat(next()).isEqualTo(ask(0));
        assertThat(refused(Reason.NOT_RECEIVED)).isEqualTo(ask(1));
    }

    /// Where each failure may be of another kind, too: a fresh tag is no fresh beginning.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void aClientHearsAfterTenSecondsOfPausesWhateverComes(int replicaCount) {
        replicas = replicaCount;
        for (long seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            ReadAttemptsTest walk = new ReadAttemptsTest();
            walk.replicas = replicaCount;
            int asked = 0;
            long pausedMillis = 0;
            boolean over = false;
            while (!over) {
                walk.outlived = random.nextInt(4) == 0;
                switch (walk.next()) {
                    case Step.Ask _ -> {
                        asked++;
                        walk.fail(random);
                    }
                    case Step.Pause(long pause) -> pausedMillis += pause;
                    case Step.TakeFreshTag(long wait) -> pausedMillis += wait;
                    case Step.Backend _, Step.GiveUp _ -> over = true;
                }
                assertThat(asked).as("seed %d", seed).isLessThanOrEqualTo(40 + 6 * replicaCount);
                assertThat(pausedMillis)
                        .as("seed %d", seed)
                        .isLessThan(ReadAttempts.LIMIT_MILLIS + 320);
            }
        }
    }

    private void fail(Random random) {
        Reason[] reasons = Reason.values();
        if (random.nextInt(4) == 0) {
            reading.lost(false, "gone");
        } else {
            reading.refused(reasons[random.nextInt(reasons.length)], "so");
        }
    }
}
