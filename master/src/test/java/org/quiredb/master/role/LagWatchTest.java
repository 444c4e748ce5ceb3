package org.quiredb.master.role;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.quiredb.common.version.ConflictClass;

class LagWatchTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");

    private final LagWatch watch = new LagWatch(1_000);
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
        received = 11;
        assertThat(at(1_100, 40)).isEmpty();
        for (int now = 1_200; now < 1_900; now += 100) {
            assertThat(at(now, 40)).isEmpty();
        }
        assertThat(at(1_900, 50)).containsExactly("slow");
        received = 30;
        assertThat(at(2_000, 60)).isEmpty();
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

    private Set<String> at(long nowMillis, long multicast) {
        return watch.lagging(
                nowMillis,
                Map.of(SHOP, multicast),
                earlier -> earlier.getOrDefault(SHOP, 0L) > received ? Set.of("slow") : Set.of());
    }
}
