package org.quiredb.node.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.mysql.cj.jdbc.JdbcConnection;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.config.ConsoleSection;
import org.quiredb.node.lab.Ledger;

/// The page in Chromium, in front of a tier under load whose master is killed.
@Tag("slow")
final class ConsolePageTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @TempDir private Path data;
    @TempDir private Path profile;

    @Test
    @Timeout(400)
    void showsAMastersDeathUnderLoadAndWhoTakesItsPlace() throws Exception {
        try (EmbeddedBackend backend = FreshBackend.start(data)) {
            try (Connection direct =
                    DriverManager.getConnection(backend.jdbcUrl(), "quire", "quire")) {
                Ledger.create(direct);
            }
            ClusterConfig config =
                    new ClusterConfig(0, backend.port(), data, 2, 1, "quire", "quire")
                            .with(new ClusterConfig.Copies(2, 1))
                            .with(ConsoleSection.at(FreePorts.next()));
            try (LocalCluster tier = LocalCluster.start(config, backend);
                    Browser browser = Browser.start(profile)) {
                Ledger load =
                        Ledger.open(
                                "jdbc:mysql://127.0.0.1:%d/ledger".formatted(tier.port()),
                                "quire",
                                "quire");
                try {
                    watch(tier, browser);
                } finally {
                    load.close();
                }
                assertThat(load.anomalies()).isEmpty();
            }
        }
    }

    private static void watch(LocalCluster tier, Browser browser) throws Exception {
        browser.screen(1440, 1000, false);
        browser.open("http://" + tier.console().orElseThrow() + "/");
        browser.await("document.querySelectorAll('#replicas .card').length === 4", LIMIT);
        browser.await("document.querySelectorAll('#schedulers .card').length === 2", LIMIT);
        browser.await("document.querySelectorAll('#keepers .card').length === 2", LIMIT);
        browser.await("document.body.dataset.condition === 'serving'", LIMIT);
        browser.await(card("master") + ".classList.contains('master')", LIMIT);
        browser.await("parseInt(document.querySelector('#headline .value').innerText) > 0", LIMIT);
        browser.await(
                "document.querySelector('#statement-list').innerText.includes('INTO ledger.entry')"
                        + " || document.querySelector('#statement-list').innerText.includes('INTO entry')",
                LIMIT);

        showsWhoWaits(tier, browser);

        tier.kill("master");

        browser.await(card("master") + ".classList.contains('gone')", LIMIT);
        browser.await(
                "document.querySelector('#events').innerText.includes('master does not answer any more')",
                LIMIT);
        browser.await(
                "document.querySelector('#events').innerText.includes('took over as master of default from master')",
                LIMIT);
        browser.await("document.querySelectorAll('#replicas .card.master').length === 1", LIMIT);
        browser.await("document.body.dataset.condition === 'degraded'", LIMIT);
        String heir = tier.leader();
        browser.await(card(heir) + ".innerText.includes('master of default')", LIMIT);
        browser.await(
                "parseInt(document.querySelectorAll('#headline .value')[1].innerText) > 0", LIMIT);

        // the same for who does not see it
        assertThat(browser.evaluate("document.querySelector('#events').getAttribute('aria-live')"))
                .hasToString("\"polite\"");
        assertThat(
                        browser.evaluate(
                                "document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
                .as("nothing is wider than the page")
                .hasToString("true");
        browser.screen(390, 844, true);
        browser.await(
                "document.documentElement.scrollWidth <= document.documentElement.clientWidth",
                LIMIT);
        assertThat(browser.evaluate(UNNAMED).asText()).as("controls without a name").isEmpty();
        assertThat(browser.complaints()).isEmpty();

        tier.revive("master");
        browser.await("!" + card("master") + ".classList.contains('gone')", LIMIT);
    }

    private static void showsWhoWaits(LocalCluster tier, Browser browser) throws Exception {
        String url = "jdbc:mysql://127.0.0.1:%d/ledger".formatted(tier.port());
        try (Connection holder = DriverManager.getConnection(url, "quire", "quire");
                Connection waiter = DriverManager.getConnection(url, "quire", "quire")) {
            execute(holder, "CREATE TABLE held (id INT PRIMARY KEY, v INT)");
            execute(holder, "INSERT INTO held VALUES (1, 1)");
            holder.setAutoCommit(false);
            execute(holder, "UPDATE held SET v = 2 WHERE id = 1");
            Thread waiting =
                    Thread.startVirtualThread(
                            () -> execute(waiter, "DELETE FROM held WHERE v > 0"));
            String row =
                    "[...document.querySelectorAll('#lock-waits tr')].some(r => r.innerText.startsWith('%s')"
                                    .formatted(idOf(waiter))
                            + " && r.innerText.includes('ledger.held') && r.innerText.includes('DELETE FROM held')"
                            + " && r.innerText.includes('%s') && r.innerText.includes('is idle since'))"
                                    .formatted(idOf(holder));
            browser.await(row, Duration.ofSeconds(8));
            holder.rollback();
            waiting.join();
        }
        browser.await(
                "document.querySelector('#lock-waits').innerText.includes('nobody waits')", LIMIT);
    }

    private static long idOf(Connection connection) throws SQLException {
        return connection.unwrap(JdbcConnection.class).getId();
    }

    private static void execute(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    private static final String UNNAMED =
            "[...document.querySelectorAll('button, [tabindex=\"0\"], figure svg')]"
                    + ".filter(e => !(e.textContent.trim() || e.getAttribute('aria-label')"
                    + " || e.getAttribute('aria-labelledby'))).map(e => e.outerHTML).join(' ')";

    private static String card(String node) {
        return "document.querySelector('#replicas [data-key=\"%s\"]')".formatted(node);
    }
}
