package org.quiredb.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.config.ConfigFile;
import org.quiredb.node.process.NodeProcess;

/// What a process with every role exposes, against docs/metrics.md.
@Tag("slow")
final class MetricsTest {
    private static final Pattern EXPOSED = Pattern.compile("(?m)^# TYPE (quire_\\w+) ");
    private static final Pattern DOCUMENTED = Pattern.compile("(?m)^\\| `(quire_\\w+)` \\|");

    @TempDir private Path folder;

    @Test
    void everyMetricIsDocumentedAndEveryDocumentedMetricIsExposed() throws Exception {
        int metricsPort = FreePorts.next();
        int clientPort = FreePorts.next();
        Path file = folder.resolve("quire.yaml");
        Files.writeString(file, configuration(metricsPort, clientPort));
        try (NodeProcess process = new NodeProcess(ConfigFile.read(file))) {
            process.start();
            use(clientPort);
            String scraped = scrape(metricsPort);

            assertThat(names(EXPOSED, scraped))
                    .isEqualTo(names(DOCUMENTED, Files.readString(document())));
            assertThat(scraped)
                    .containsPattern("quire_up\\{node=\"master\",role=\"master\"} 1")
                    .containsPattern("quire_up\\{node=\"scheduler\",role=\"scheduler\"} 1")
                    .containsPattern("quire_up\\{node=\"logger\",role=\"logger\"} 1")
                    .containsPattern("quire_position_commit\\{class=\"default\",node=\"master\"")
                    .containsPattern("quire_position_commit\\{class=\"default\",node=\"scheduler\"")
                    .containsPattern("quire_commit_seconds_count\\{class=\"default\"} [1-9]")
                    .containsPattern(
                            "quire_statement_seconds_count\\{kind=\"read\",node=\"scheduler\"} [1-9]")
                    .containsPattern("quire_table_limited\\{.*own.*} 1")
                    .contains("jvm_memory_used_bytes");
        }
    }

    private String configuration(int metricsPort, int clientPort) throws IOException {
        int groupPort = FreePorts.two(100); // replica.failurePortOffset
        int replicaPort = FreePorts.next();
        return """
        backend:
          user: quire
          password: quire
          embedded:
            data: %s
            port: %d
        logger:
          port: %d
        replica:
          name: master
          role: master
          port: %d
          groupPort: %d
          group: [127.0.0.1:%d]
        scheduler:
          port: %d
          statusPort: %d
          user: quire
          password: quire
          replicas: [127.0.0.1:%d]
        metrics:
          port: %d
        """
                .formatted(
                        FreshBackend.prepare(folder.resolve("data")),
                        FreePorts.next(),
                        FreePorts.next(),
                        replicaPort,
                        groupPort,
                        groupPort,
                        clientPort,
                        FreePorts.next(),
                        replicaPort,
                        metricsPort);
    }

    private static void use(int port) throws Exception {
        try (Connection client =
                        DriverManager.getConnection(
                                "jdbc:mysql://127.0.0.1:" + port + "/", "quire", "quire");
                Statement statement = client.createStatement()) {
            statement.execute("CREATE TABLE test.item (id INT PRIMARY KEY)");
            statement.execute("INSERT INTO test.item VALUES (1)");
            statement.execute("SELECT * FROM test.item");
            // H2 does not check a key whose columns refer to themselves: the tier only reads those.
            statement.execute(
                    "CREATE TABLE test.own (id INT PRIMARY KEY, FOREIGN KEY (id) REFERENCES test.own (id))");
        }
    }

    private static String scrape(int port) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + port + "/metrics");
            return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
        }
    }

    private static Path document() {
        Path here = Path.of("docs", "metrics.md");
        return Files.exists(here) ? here : Path.of("..").resolve(here);
    }

    private static Set<String> names(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(result -> result.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
