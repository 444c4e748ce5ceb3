package org.quiredb.node.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class CpuTimesTest {
    @Test
    void aProcessMayBeCalledAnything() {
        assertThat(
                        CpuTimes.processSeconds(
                                "7 (a) b (S 1 2) S 1 7 7 0 -1 4194560 9 8 7 6 150 25 3 4 20 0 51 0 100"))
                .isEqualTo(1.75);
    }

    @Test
    void waitingForTheDiskIsIdleAndGuestsAreUsers() {
        double[] seconds =
                CpuTimes.machineSeconds(
                        "cpu  100 0 100 700 50 0 25 25 90 0\ncpu0 1 2 3 4 5 6 7 8 9 0\n");
        assertThat(seconds).containsExactly(7.5, 10);
    }

    @Test
    void tellsWhatWasUsedBetweenTwoMoments() {
        CpuTimes before = new CpuTimes(0, Map.of("master", 1.0, "gone", 1.0), 10, 20);
        CpuTimes after = new CpuTimes(2_000_000_000, Map.of("master", 1.24), 11, 24);
        CpuTimes.Use use = before.until(after);
        assertThat(use.percent()).containsOnlyKeys("master");
        assertThat(use.percent().get("master")).isCloseTo(12, within(0.001));
        assertThat(use.idlePercent()).isEqualTo(25);
    }
}
