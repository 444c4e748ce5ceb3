package org.quiredb.master.role;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.quiredb.common.liveness.SilenceLimit;
import org.quiredb.common.version.ConflictClass;

class LagWatchTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");

    private final LagWatch watch = new LagWatch(new SilenceLimit(1_000));
    private Set<String> waitedFor = Set.of("quick", "slow");
    private long received;

    @Test
    void onlyWhoHasNotReceivedWhatIsOlderThanTheLagIsLagging() {
        received = 5;
        assertThat(at(0, 10)).isEmpty();
        for (int now = 100; now < 900; now += 100) {
            assertThat(at(now, 11)).isEmpty();
        }
        assertThat(at(900, 20)).isEmpty();
        assertThat(at(1_000, 30)).containsExactly("slow");
        assertThat(at(1_100, 30)).containsExactly("slow");
        received = 11;
        assertThat(at(1_200, 40)).isEmpty();
    }

    @Test
    void whereAcknowledgementsAreSlowTheLagIsLonger() {
        received = 5;
        for (int now = 0; now <= 900; now += 100) {
            assertThat(at(now, 10)).isEmpty();
        }
        received = 10;
        assertThat(at(1_000, 20)).isEmpty();
        for (int now = 1_100; now < 4_000; now += 100) {
            assertThat(at(now, 20)).isEmpty();
        }
        assertThat(lagsBetween(4_000, 5_000, 20)).containsExactly("slow");
    }

    @Test
    void thatOneWasPutOutTellsNothingOfTheOthers() {
        received = 5;
        for (int now = 0; now <= 900; now += 100) {
            assertThat(at(now, 10)).isEmpty();
        }
        waitedFor = Set.of("quick");
        received = 10;
        assertThat(at(1_000, 10)).isEmpty();
        waitedFor = Set.of("quick", "slow");
        assertThat(at(1_100, 20)).isEmpty();
        assertThat(lagsBetween(1_200, 2_200, 20)).containsExactly("slow");
    }

    @Test
    void whoStoodStillItselfBlamesNobodyElse() {
        received = 5;
        assertThat(at(0, 10)).isEmpty();
        assertThat(at(5_000, 10)).isEmpty();
        received = 10;
        assertThat(at(5_100, 10)).isEmpty();
        assertThat(at(6_100, 10)).isEmpty();
    }

    private Set<String> lagsBetween(long fromMillis, long toMillis, long multicast) {
        for (long now = fromMillis; now <= toMillis; now += 100) {
            Set<String> lagging = at(now, multicast);
            if (!lagging.isEmpty()) {
                return lagging;
            }
        }
        return Set.of();
    }

    private Set<String> at(long nowMillis, long multicast) {
        return watch.lagging(
                nowMillis,
                Map.of(SHOP, multicast),
                waitedFor,
                earlier -> earlier.getOrDefault(SHOP, 0L) > received ? Set.of("slow") : Set.of());
    }
}
