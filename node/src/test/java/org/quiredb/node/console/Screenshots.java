package org.quiredb.node.console;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.config.ConsoleSection;
import org.quiredb.tpcw.browser.Mix;
import org.quiredb.tpcw.population.Population;
import org.quiredb.tpcw.run.Workload;
import org.quiredb.tpcw.run.WorkloadConfig;

/// Takes the pictures in docs/images, of a bookstore that is busy, and whose master is killed. Its
/// name is no test's, so that only docs/screenshots runs it.
final class Screenshots {
    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final int SECONDS = Integer.getInteger("quire.screenshots.seconds", 120);
    private static final Path FOLDER =
            Path.of(
                    Optional.ofNullable(System.getProperty("quire.screenshots"))
                            .orElse("../docs/images"));

    @TempDir private Path data;
    @TempDir private Path profile;

    @Test
    void areTaken() throws Exception {
        try (EmbeddedBackend backend = FreshBackend.start(data)) {
            Population.populate(
                    backend.jdbcUrl() + "tpcw?createDatabaseIfNotExist=true",
                    "quire",
                    "quire",
                    1_000,
                    2_880,
                    1,
                    (step, rows, total) -> {});
            ClusterConfig config =
                    new ClusterConfig(0, backend.port(), data, 2, 1, "quire", "quire")
                            .with(new ClusterConfig.Copies(2, 1))
                            .with(ConsoleSection.at(FreePorts.next()));
            try (LocalCluster tier = LocalCluster.start(config, backend);
                    Browser browser = Browser.start(profile)) {
                Thread shoppers = Thread.ofPlatform().daemon().start(() -> shop(tier.port()));
                Thread others = Thread.ofPlatform().daemon().start(() -> shop(tier.ports().get(1)));
                browser.screen(1440, 1000, false);
                browser.open("http://" + tier.console().orElseThrow() + "/");
                browser.await("document.querySelectorAll('#replicas .card').length === 4", LIMIT);
                browser.await("times.length >= " + SECONDS, Duration.ofSeconds(SECONDS * 3L));
                photograph(browser, "steady");
                tier.kill("master");
                browser.await(
                        "document.querySelector('#events').innerText.includes('took over')", LIMIT);
                browser.await("series.commits.slice(-5).every(v => v > 0)", LIMIT);
                photograph(browser, "failover");
                shoppers.interrupt();
                others.interrupt();
            }
        }
    }

    private static void photograph(Browser browser, String what) {
        for (boolean dark : new boolean[] {false, true}) {
            for (int width : new int[] {1440, 390}) {
                browser.screen(width, width == 1440 ? 1000 : 1_700, dark);
                String at = browser.evaluate("state.at").asText();
                browser.await("state.at > " + at + " + 1000", LIMIT);
                browser.photograph(
                        FOLDER.resolve(
                                "console-%s-%d-%s.png"
                                        .formatted(what, width, dark ? "dark" : "light")));
            }
        }
    }

    private static void shop(int port) {
        try {
            Workload.run(
                    new WorkloadConfig(
                            "jdbc:mysql://127.0.0.1:%d/tpcw".formatted(port),
                            "quire",
                            "quire",
                            Mix.SHOPPING,
                            Integer.getInteger("quire.screenshots.browsers", 6),
                            3_600,
                            1,
                            0.01,
                            port,
                            OptionalInt.of(1_000),
                            OptionalInt.of(2_880)),
                    progress -> {});
        } catch (Exception e) {
            System.out.println("the shoppers leave: " + e.getMessage());
        }
    }
}
