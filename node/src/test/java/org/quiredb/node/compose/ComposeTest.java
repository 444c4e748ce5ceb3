package org.quiredb.node.compose;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.tpcw.population.Population;

/// Runs what docker-compose.yml describes, without containers: each service's command and
/// environment as a process, on a loopback address of its own so that every port is the same, and
/// MariaDB in the place of MySQL with the same account.
@EnabledOnOs(OS.LINUX) // only there every address of 127.0.0.0/8 can be listened on
@Tag("slow")
final class ComposeTest {
    private static final Path ROOT = Path.of(System.getProperty("quire.root"));
    private static final int HEALTHY_SECONDS = 120;

    private static final int HEALTH_MILLIS = 250;

    @TempDir private static Path folder;

    private static final Map<String, String> ADDRESSES = new LinkedHashMap<>();
    private static final Map<String, LocalService> RUNNING = new LinkedHashMap<>();
    private static @Nullable EmbeddedBackend mysql;

    @BeforeAll
    static void start() throws Exception {
        ComposeFile compose = ComposeFile.read(ROOT.resolve("docker-compose.yml"));
        EmbeddedBackend backend =
                EmbeddedBackend.start(
                        FreshBackend.prepare(folder.resolve("mysql")),
                        FreePorts.next(),
                        "admin",
                        "admin");
        mysql = backend;
        fill(backend);
        long pid = ProcessHandle.current().pid();
        for (ComposeFile.Service service : compose.services()) {
            ADDRESSES.put(
                    service.name(),
                    "127.%d.%d.%d".formatted(1 + pid % 250, pid / 250 % 250, 1 + ADDRESSES.size()));
        }
        for (ComposeFile.Service service : compose.services()) {
            for (String needed : service.dependsOn()) {
                awaitHealthy(needed);
            }
            if (service.image().equals("quire")) {
                RUNNING.put(
                        service.name(),
                        new LocalService(service, ADDRESSES, hosts(backend), ROOT, folder));
            }
        }
        for (String name : RUNNING.keySet()) {
            awaitHealthy(name);
        }
    }

    /// A bookstore, and the account as the image of MySQL and docker/mysql make it.
    private static void fill(EmbeddedBackend backend) throws Exception {
        try (Connection connection =
                        DriverManager.getConnection(backend.jdbcUrl(), "admin", "admin");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE USER 'quire'@'%' IDENTIFIED BY 'quire'");
            String script = Files.readString(ROOT.resolve("docker/mysql/accounts.sql"));
            statement.execute(
                    script.lines()
                            .filter(line -> !line.startsWith("--"))
                            .collect(Collectors.joining("\n"))
                            .replace(";", ""));
        }
        Population.populate(
                backend.jdbcUrl() + "tpcw?createDatabaseIfNotExist=true",
                "admin",
                "admin",
                100,
                100,
                1,
                (step, rows, total) -> {});
    }

    private static Map<String, String> hosts(EmbeddedBackend backend) {
        Map<String, String> hosts = new HashMap<>();
        ADDRESSES.forEach((name, address) ->
                hosts.put(name.toUpperCase(Locale.ROOT).replace('-', '_') + "_HOST", address));
        hosts.put("MYSQL_HOST", "127.0.0.1");
        hosts.put("MYSQL_PORT", Integer.toString(backend.port()));
        return hosts;
    }

    private static void awaitHealthy(String name) throws Exception {
        LocalService service = RUNNING.get(name);
        long deadline = System.nanoTime() + HEALTHY_SECONDS * 1_000_000_000L;
        while (service != null && !service.isHealthy()) {
            assertThat(System.nanoTime())
                    .as("%s is not healthy: %s", name, service.output())
                    .isLessThan(deadline);
            Thread.sleep(HEALTH_MILLIS);
        }
    }

    @AfterAll
    static void stop() {
        for (LocalService service : RUNNING.values().stream().toList().reversed()) {
            service.close();
        }
        if (mysql != null) {
            mysql.close();
        }
    }

    @Test
    void aClientReadsAndWritesThroughTheSchedulerOfTheComposedTier() throws SQLException {
        String url = "jdbc:mysql://%s:3307/tpcw".formatted(ADDRESSES.get("scheduler"));
        try (Connection client = DriverManager.getConnection(url, "quire", "quire");
                Statement statement = client.createStatement()) {
            statement.execute("CREATE TABLE note (id INT AUTO_INCREMENT PRIMARY KEY, body TEXT)");
            statement.execute("INSERT INTO note (body) VALUES ('composed')");

            client.setReadOnly(true);
            assertThat(text(statement, "SELECT body FROM note WHERE id = 1")).isEqualTo("composed");
            assertThat(text(statement, "SELECT COUNT(*) FROM item")).isEqualTo("100");
        }
    }

    @Test
    void theConsoleShowsTheTierToWhoeverLogsIn() throws Exception {
        URI page = URI.create("http://%s:3380/".formatted(ADDRESSES.get("scheduler")));
        String login = Base64.getEncoder().encodeToString("quire:quire".getBytes(UTF_8));
        try (HttpClient browser = HttpClient.newHttpClient()) {
            HttpRequest stranger = HttpRequest.newBuilder(page).build();
            assertThat(browser.send(stranger, BodyHandlers.discarding()).statusCode())
                    .isEqualTo(401);
            HttpRequest known =
                    HttpRequest.newBuilder(page.resolve("state?history=no"))
                            .header("Authorization", "Basic " + login)
                            .build();
            assertThat(browser.send(known, BodyHandlers.ofString()).body())
                    .contains("master", "slave-1", "slave-2", "spare");
        }
    }

    @Test
    void everyServiceOfTheTierIsComposed() {
        assertThat(RUNNING.keySet())
                .containsExactly("logger", "master", "slave-1", "slave-2", "spare", "scheduler");
    }

    private static String text(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }
}
