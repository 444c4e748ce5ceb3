package org.quiredb.master.role;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class SteadinessTest {
    private static final long LOOK_MILLIS = 100;

    private final Steadiness steadiness = new Steadiness(Wishes.STEADY_MILLIS);
    private long nowMillis = 1_000_000;

    @Test
    void whoHasJustComeWaits() {
        assertThat(steadiness.isSteady("home")).isFalse();
        assertThat(waits()).isEqualTo(Wishes.STEADY_MILLIS);
    }

    @Test
    void whoIsSlowBeginsToWaitAgain() {
        look(Set.of());
        look(Wishes.STEADY_MILLIS - LOOK_MILLIS, Set.of());
        look(Set.of("home"));
        assertThat(steadiness.isSteady("home")).isFalse();
        assertThat(waits()).isEqualTo(Wishes.STEADY_MILLIS - LOOK_MILLIS);
    }

    @Test
    void whoIsLostSoonAfterItCameWaitsTwiceAsLongEachTime() {
        assertThat(waits()).isEqualTo(Wishes.STEADY_MILLIS);
        for (long times = 2; times <= 64; times *= 2) {
            lose();
            assertThat(waits()).isEqualTo(times * Wishes.STEADY_MILLIS);
        }
        lose();
        lose();
        assertThat(waits()).isLessThanOrEqualTo(Steadiness.MOST_MILLIS);
    }

    @Test
    void whoHadStayedForLongIsNotHeldForCold() {
        waits();
        lose();
        waits();
        look(Steadiness.STAY_MILLIS, Set.of());
        lose();
        assertThat(waits()).isEqualTo(Wishes.STEADY_MILLIS);
    }

    /// How long until it is steady.
    private long waits() {
        look(Set.of());
        long since = nowMillis;
        while (!steadiness.isSteady("home")) {
            assertThat(nowMillis - since).isLessThanOrEqualTo(Steadiness.MOST_MILLIS);
            look(Set.of());
        }
        return nowMillis - since;
    }

    private void lose() {
        nowMillis += LOOK_MILLIS;
        steadiness.look(nowMillis, Set.of("other"), Set.of());
        assertThat(steadiness.isSteady("home")).isFalse();
    }

    private void look(Set<String> slow) {
        look(LOOK_MILLIS, slow);
    }

    private void look(long millis, Set<String> slow) {
        nowMillis += millis;
        steadiness.look(nowMillis, Set.of("home", "other"), slow);
    }
}
