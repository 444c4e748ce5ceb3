package org.quiredb.node.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TierEventsTest {
    private final TierEvents events = new TierEvents();
    private final Recorded tier = new Recorded();
    private long millis;

    @BeforeEach
    void begins() {
        assertThat(look()).isEmpty();
    }

    @Test
    void aTierThatWorksIsNoNews() {
        for (int i = 0; i < 20; i++) {
            tier.reads("slave-1", 10).reads("slave-2", 10).commits(2);
            assertThat(look()).isEmpty();
        }
    }

    @Test
    void whereADeadSlavesReadsWentOnIsToldWithTheTimeSinceItsLast() {
        tier.reads("slave-1", 10).reads("slave-2", 10);
        look();
        look(); // it hangs
        look();
        assertThat(tell(tier.state("slave-2", "dead"))).isEmpty();

        assertThat(tell(tier.reads("slave-1", 20)))
                .containsExactly("slave-2 died; its reads went on at slave-1 after 0.4 s");
        assertThat(tell(tier.reads("slave-1", 20))).isEmpty();
    }

    @Test
    void aSlaveThatNobodyReadAtDiesWithoutConsequence() {
        assertThat(tell(tier.state("slave-2", "dead")))
                .containsExactly("slave-2 died; nobody was reading there");
    }

    @Test
    void whoTakesOverFromADeadMasterIsToldWithTheTimeSinceTheLastCommit() {
        tier.commits(5);
        look();
        assertThat(tell(tier.state("master", "dead"))).isEmpty();
        assertThat(look()).isEmpty();

        assertThat(tell(tier.leads("slave-1")))
                .containsExactly("master died; slave-1 took over as master after 0.3 s (epoch 2)");
        assertThat(look()).isEmpty();
    }

    @Test
    void thatNobodyTakesOverIsToldToo() {
        tier.state("master", "dead");
        List<String> told = new ArrayList<>();

        for (int i = 0; i < 60; i++) {
            told.addAll(look());
        }

        assertThat(told).hasSize(1).first().asString().contains("nobody has taken its place");
    }

    @Test
    void whoReturnsIsToldWithTheTimeAway() {
        tell(tier.state("spare-3", "dead"));
        assertThat(tell(tier.state("spare-3", "joining"))).isEmpty();

        assertThat(tell(tier.state("spare-3", "serving")))
                .containsExactly("spare-3 is back after 0.3 s");
    }

    /// It is asked at that moment, and may only be slow.
    @Test
    void aLoggerThatIsSilentIsNotCalledDead() {
        assertThat(tell(tier.state("logger", "dead")))
                .containsExactly("logger does not answer; commits wait for it or its stand-in");
        assertThat(tell(tier.state("logger", "serving")))
                .containsExactly("logger is back after 0.2 s");
    }

    @Test
    void aMasterThatIsAnotherByOrderIsNoDeath() {
        assertThat(tell(tier.leads("slave-1")))
                .containsExactly("slave-1 is master now, as epoch 2 says");
    }

    @Test
    void aSchedulerThatIsSilentIsToldOnce() {
        assertThat(events.silence(at(100))).hasSize(1);
        assertThat(events.silence(at(100))).isEmpty();
        millis += 1_700;

        assertThat(look()).containsExactly("the scheduler answers again, after 2.0 s");
    }

    /// A look after a change.
    private List<String> tell(Recorded changed) {
        return events.take(at(100), changed.look());
    }

    private List<String> look() {
        return events.take(at(100), tier.look());
    }

    private long at(long later) {
        millis += later;
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
