package org.quiredb.node.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
final class CpuSharesTest {
    @TempDir private Path folder;

    @Test
    @Timeout(60)
    void aServerThatWantsAllGetsItsShareAndNothingIsLeftOfIt() throws Exception {
        Optional<CpuShares> may = CpuShares.open();
        assumeTrue(may.isPresent(), "this user may not share processors out");
        Process busy = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
        try {
            try (CpuShares shares = may.get()) {
                shares.put("busy", busy.pid(), new Share(20));
                Map<String, Long> processes = Map.of("busy", busy.pid());
                CpuTimes begin = CpuTimes.now(processes);
                TimeUnit.SECONDS.sleep(2);
                CpuTimes.Use use = begin.until(CpuTimes.now(processes));
                assertThat(use.percent().get("busy")).isBetween(1.0, 24.0);
                assertThat(Objects.requireNonNull(shares.throttled().get("busy")).throttled())
                        .isPositive();
                assertThat(groups(busy)).contains("quire-lab-");
            }
            assertThat(busy.isAlive()).isTrue();
            assertThat(groups(busy)).doesNotContain("quire-lab-");
        } finally {
            busy.destroyForcibly();
        }
    }

    private static String groups(Process process) throws Exception {
        return Files.readString(Path.of("/proc/%d/cgroup".formatted(process.pid())));
    }

    @Test
    void whereNoGroupCanBeMadeThereAreNoShares() {
        assertThat(CpuShares.open(new Hierarchy(false, List.of(folder.resolve("nowhere")))))
                .isEmpty();
    }

    @Test
    void tellsHowOftenMoreWasWanted() {
        CpuShares.Throttled before =
                CpuShares.Throttled.of(
                        List.of(
                                "usage_usec 5",
                                "nr_periods 100",
                                "nr_throttled 40",
                                "throttled_usec 9"));
        assertThat(before).isEqualTo(new CpuShares.Throttled(100, 40));
        assertThat(new CpuShares.Throttled(200, 65).percentSince(before)).isEqualTo(25);
        assertThat(before.percentSince(before)).isZero();
    }
}
