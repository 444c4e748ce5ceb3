package org.quiredb.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.quiredb.common.trust.ClusterSecret;
import org.quiredb.common.trust.Trust;
import org.quiredb.master.commit.Durability;
import org.quiredb.replica.NodeConfiguration.Role;

final class ConfigFileTest {
    private static final String SCHEDULER =
            """
            backend:
              url: "jdbc:mysql://db:3306/"
            scheduler:
              replicas: ["master:3320", "slave-1:3320"]
              logger: logger:3310
            """;

    @TempDir private Path folder;

    @Test
    void keysThatAreNotNamedHaveTheirDefaults() throws IOException {
        ProcessConfig config = read(SCHEDULER);

        assertThat(config.host()).isEqualTo("127.0.0.1");
        assertThat(config.backend()).isNotNull();
        assertThat(config.scheduler()).isNotNull();
        assertThat(config.scheduler().port()).isEqualTo(3307);
        assertThat(config.scheduler().replicas())
                .containsExactly(new HostPort("master", 3320), new HostPort("slave-1", 3320));
        assertThat(config.metrics()).isNull();
    }

    @Test
    void aConsoleListensOnLoopbackUnlessItIsToldOtherwise() throws IOException {
        ProcessConfig config = read(SCHEDULER + "  console: {}\n");

        assertThat(config.scheduler()).isNotNull();
        assertThat(config.scheduler().console()).isEqualTo(ConsoleSection.at(3380));
        assertThat(config.ports())
                .contains(new ProcessConfig.Listening("scheduler.console.port", "127.0.0.1", 3380));
        assertThatThrownBy(() -> read(SCHEDULER + "  console: {user: watcher}\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("scheduler.console.user and password come together");
    }

    @Test
    void whatIsWrittenIsReadAgain() throws IOException {
        Path file = folder.resolve("slave.yaml");
        ProcessConfig config =
                new ProcessConfig(
                        "127.0.0.1",
                        60,
                        null,
                        null,
                        null,
                        new ReplicaSection(
                                "slave-1",
                                Role.SLAVE,
                                4000,
                                4001,
                                70,
                                List.of(new HostPort("127.0.0.1", 4001)),
                                List.of(new HostPort("127.0.0.1", 4002)),
                                null,
                                16,
                                new WarmupSection(WarmupSection.Kind.QUERY_SHARE, 2, 50),
                                Path.of("pages"),
                                256,
                                2_000,
                                500,
                                800,
                                24,
                                128,
                                false,
                                16,
                                64,
                                2000,
                                Durability.REPLICATED,
                                List.of(new ClassSection("shop", "slave-1", List.of("shop.*")))),
                        null,
                        new MetricsSection(4003));

        ConfigFile.write(file, config);

        assertThat(ConfigFile.read(file)).isEqualTo(config);
    }

    @Test
    void valuesTakeWhatTheEnvironmentSays() throws IOException {
        ProcessConfig config =
                read(
                        """
                        host: ${HOST}
                        # ${NOT_READ}
                        backend:
                          url: jdbc:mysql://${DATABASE:-db}:3306/
                          password: ${PASSWORD}
                        logger:
                          port: ${PORT:-4000}
                        """,
                        Map.of("HOST", "logger", "PASSWORD", "a: \"b\" #c"));

        assertThat(config.host()).isEqualTo("logger");
        assertThat(config.backend()).isNotNull();
        assertThat(config.backend().url()).isEqualTo("jdbc:mysql://db:3306/");
        assertThat(config.backend().password()).isEqualTo("a: \"b\" #c");
        assertThat(config.logger()).isNotNull();
        assertThat(config.logger().port()).isEqualTo(4000);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    scheduler.replicas|scheduler.replica|line 4: unknown key scheduler.replica; the nearest known key is scheduler.replicas
                    backend:|bakend:|line 1: unknown key bakend; the nearest known key is backend
                    3307|many|line 5: scheduler.port: 'many' is not a whole number
                    3307|70000|scheduler.port must be between 1 and 65535, not 70000
                    3307|[1]|line 5: scheduler.port must be a whole number
                    master:3320|master|line 4: expected host:port, not 'master'
                    jdbc:mysql:|jdbc:h2:|backend.url must begin with jdbc:mysql:
                    logger:3310|${NOWHERE}|line 6: environment variable NOWHERE is not set
                    """)
    void mistakesAreOneLineThatNamesFileLineAndKey(String right, String wrong, String expected) {
        String file =
                """
                backend:
                  url: "jdbc:mysql://db:3306/"
                scheduler:
                  replicas: ["master:3320"]
                  port: 3307
                  logger: logger:3310
                """
                        .replace(right.replace("scheduler.", ""), wrong.replace("scheduler.", ""));

        assertThatThrownBy(() -> read(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("node.yaml")
                .hasMessageContaining(expected)
                .satisfies(e -> assertThat(e.getMessage()).hasLineCount(1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {name: shop, master: m, tables: [shop]} | class shop: shop is no pattern of the form schema.table
                    {name: a, master: m, tables: ["s.*"]}, {name: b, master: m, tables: ["*.t"]} | these match the same
                    {name: a, master: m, tables: ["s.*"]}, {name: a, master: m, tables: ["t.*"]} | names class a twice
                    """)
    void conflictClassesThatCannotBeAreRefused(String classes, String expected) {
        assertThatThrownBy(() ->
                        read("replica: {name: m, role: MASTER, classes: [%s]}".formatted(classes)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("replica.classes")
                .hasMessageContaining(expected);
    }

    @Test
    void everyPortThatAReplicaListensOnIsNamed() throws IOException {
        String file =
                "replica: {name: m, role: MASTER, groupPort: 4330, failurePortOffset: 7, logger: l:3310}";

        assertThat(read(file).ports())
                .containsExactly(
                        new ProcessConfig.Listening("replica.port", "127.0.0.1", 3320),
                        new ProcessConfig.Listening("replica.groupPort", "127.0.0.1", 4330),
                        new ProcessConfig.Listening(
                                "replica.failurePortOffset", "127.0.0.1", 4337));
    }

    @Test
    void theSecretIsReadFromItsFileAndNotShown() throws IOException {
        String text = "0123456789abcdef0123456789abcdef";
        Path secret = Files.writeString(folder.resolve("secret"), text + "\n");
        String role = "backend: {embedded: {data: d}}\n";
        ProcessConfig byFile = read("cluster: {secretFile: %s}\n".formatted(secret) + role);
        ProcessConfig byText = read("cluster: {secret: \"${S}\"}\n" + role, Map.of("S", text));

        assertThat(byFile.trust())
                .isEqualTo(byText.trust())
                .isEqualTo(Trust.of(ClusterSecret.of(text)));
        assertThat(byText.toString()).doesNotContain(text);
        assertThat(byText.trust().toString()).doesNotContain(text);
        assertThat(read(role).trust()).isEqualTo(Trust.loopback());
    }

    @Test
    void aSecretThatCannotBeUsedIsOneLineThatSaysWhy() throws IOException {
        String role = "backend: {embedded: {data: d}}\n";
        for (String content : List.of("", "\n", "too short", "x".repeat(5_000))) {
            Path file = Files.writeString(folder.resolve("secret"), content);
            ProcessConfig config = read("cluster: {secretFile: %s}\n".formatted(file) + role);
            assertThatThrownBy(config::trust)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("cluster.secretFile")
                    .hasMessageContaining(file.toString())
                    .hasMessageContaining("bytes")
                    .satisfies(e -> assertThat(e.getMessage()).hasLineCount(1));
        }
        ProcessConfig absent = read("cluster: {secretFile: nowhere/secret}\n" + role);
        assertThatThrownBy(absent::trust)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("nowhere/secret cannot be read");
        assertThatThrownBy(() -> read("cluster: {secret: short}\n" + role))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("cluster.secret: the cluster's secret has 5 bytes");
        assertThatThrownBy(() -> read("cluster: {secret: short, secretFile: s}\n" + role))
                .hasMessageContaining("exactly one of them");
        assertThatThrownBy(() -> read("cluster: {}\n" + role))
                .hasMessageContaining("exactly one of them");
    }

    @Test
    void withASecretNoPortIsNeededForDeaths() throws IOException {
        String file =
                """
                cluster: {secretFile: s}
                host: 10.0.0.1
                replica: {name: m, role: MASTER, logger: "l:3310"}
                """;

        assertThat(read(file).ports())
                .containsExactly(
                        new ProcessConfig.Listening("replica.port", "10.0.0.1", 3320),
                        new ProcessConfig.Listening("replica.groupPort", "10.0.0.1", 3330));
    }

    @Test
    void aMissingKeyIsNamed() {
        assertThatThrownBy(() -> read("replica:\n  name: master\n"))
                .hasMessageContaining("missing key replica.role");
    }

    @Test
    void aFileWithoutARoleIsRefused() {
        assertThatThrownBy(() -> read("metrics:\n  port: 9309\n"))
                .hasMessageContaining("name at least one of");
    }

    @Test
    void aMissingAndAnEmptyFileAreRefused() {
        assertThatThrownBy(() -> ConfigFile.read(folder.resolve("nowhere.yaml")))
                .hasMessageContaining("there is no such file");
        assertThatThrownBy(() -> read("")).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> read("host: [\n")).hasMessageContaining("line ");
    }

    private ProcessConfig read(String yaml) throws IOException {
        return read(yaml, Map.of());
    }

    private ProcessConfig read(String yaml, Map<String, String> environment) throws IOException {
        Path file = Files.writeString(folder.resolve("node.yaml"), yaml);
        return ConfigFile.read(file, environment::get);
    }
}
