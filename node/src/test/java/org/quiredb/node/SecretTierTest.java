package org.quiredb.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.SchedulerReply;
import org.quiredb.common.message.SchedulerRequest;
import org.quiredb.common.message.TableLocks;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.version.VersionVector;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.cluster.SecretPlace;
import org.quiredb.node.config.ClusterSection;

/// A tier whose parts know one another by a secret, its clients, and those who lack the secret.
@Tag("slow")
final class SecretTierTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Pattern SPACES = Pattern.compile(" +");
    private static final SecretPlace PLACE = new SecretPlace();

    @TempDir private static Path data;
    private static EmbeddedBackend backend;
    private static LocalCluster tier;
    private static int metricsPort;

    @BeforeAll
    static void start() throws Exception {
        backend = FreshBackend.start(data);
        try (Connection direct = DriverManager.getConnection(backend.jdbcUrl(), "quire", "quire");
                Statement statement = direct.createStatement()) {
            statement.execute("CREATE DATABASE shop");
            statement.execute("CREATE TABLE shop.item (id INT PRIMARY KEY, stock INT NOT NULL)");
        }
        ClusterConfig config =
                new ClusterConfig(0, backend.port(), data, 1, 0, "quire", "quire").over(backend);
        metricsPort = FreePorts.row(4); // scheduler, logger, master, slave
        tier = LocalCluster.inside(config, metricsPort, PLACE);
        tier.startBackend();
        tier.startTier(statuses -> {});
    }

    @AfterAll
    static void stop() {
        try {
            if (tier != null) {
                tier.close();
            }
        } finally {
            if (backend != null) {
                backend.close();
            }
        }
    }

    @Test
    void servesItsClients() throws Exception {
        write(1);
        assertThat(read(1)).isEqualTo(100);
        assertThat(tier.verify().identical()).isTrue();
    }

    @Test
    void whoHasNoSecretMayLookAndNoMore() throws Exception {
        Run status = quire("status", "--json");
        assertThat(status.exitCode).as(status.errors).isZero();
        assertThat(status.output).contains("\"serving\"").doesNotContain(secret());
        Run verify = quire("verify");
        assertThat(verify.exitCode).isEqualTo(2);
        assertThat(verify.errors).hasLineCount(1).contains("holders of the cluster's secret only");
    }

    @Test
    void theSecretIsNamedByItsFile() throws Exception {
        Path file = Files.writeString(data.resolve("secret"), secret() + "\n");
        Run verify = quire("verify", "--secret-file", file.toString());
        assertThat(verify.exitCode).as(verify.output + verify.errors).isZero();
        Path wrong =
                Files.writeString(data.resolve("wrong"), secret().replace(secret().charAt(0), '-'));
        Run other = quire("verify", "--secret-file", wrong.toString());
        assertThat(other.exitCode).isEqualTo(2);
        assertThat(other.errors)
                .hasLineCount(1)
                .contains("does not prove that it holds the cluster's secret");
        Run none = quire("verify", "--secret-file", data.resolve("none").toString());
        assertThat(none.exitCode).isEqualTo(2);
        assertThat(none.errors).hasLineCount(1).contains("cannot be read");
    }

    /// What would put every read on hold, if it were believed.
    @Test
    void aForgedCallIsAnsweredByNobody() throws Exception {
        SchedulerRequest announce =
                new SchedulerRequest.Announce(
                        Schedulers.NOBODY,
                        "scheduler",
                        false,
                        VersionVector.EMPTY,
                        VersionVector.EMPTY,
                        1L << 40,
                        TableLocks.NONE);
        for (SchedulerRequest request : List.of(announce, new SchedulerRequest.Pin())) {
            try (RpcClient stranger = connect(tier.statusPort())) {
                SchedulerReply reply =
                        SchedulerReply.decode(stranger.callForEnd(request.encode(), PATIENCE));
                assertThat(reply)
                        .isInstanceOfSatisfying(
                                SchedulerReply.Failed.class,
                                failed -> assertThat(failed.message()).contains("holders"));
            }
        }
        for (int port : innerPorts()) {
            for (byte[] request :
                    List.of(
                            new ReplicaRequest.Status(VersionVector.EMPTY).encode(),
                            new LoggerRequest.Status().encode())) {
                try (RpcClient stranger = connect(port)) {
                    assertThatThrownBy(() -> stranger.callForEnd(request, PATIENCE))
                            .isInstanceOf(RpcException.class)
                            .hasMessageContaining("holders of the cluster's secret only");
                }
            }
        }
        write(2);
        assertThat(read(2)).isEqualTo(100);
    }

    @Test
    void metricsTellNoSecret() throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:%d/metrics".formatted(metricsPort)))
                        .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            String told = client.send(request, BodyHandlers.ofString()).body();
            assertThat(told).contains("quire_up").doesNotContain(secret());
        }
    }

    private static List<Integer> innerPorts() throws Exception {
        List<Integer> ports = new ArrayList<>();
        for (String line : quire("status").output.lines().toList()) {
            List<String> words = SPACES.splitAsStream(line.strip()).toList();
            if (words.size() > 4 && List.of("master", "slave", "logger").contains(words.get(1))) {
                for (String word : words) {
                    if (word.startsWith("127.0.0.1:")) {
                        ports.add(Integer.valueOf(word.substring(word.indexOf(':') + 1)));
                    }
                }
            }
        }
        assertThat(ports).hasSize(3);
        return ports;
    }

    private static RpcClient connect(int port) {
        return RpcClient.connect(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE);
    }

    private static String secret() {
        ClusterSection cluster = PLACE.cluster();
        return Objects.requireNonNull(cluster.secret());
    }

    private static void write(int id) throws SQLException {
        try (Connection client = client();
                Statement statement = client.createStatement()) {
            statement.execute("INSERT INTO item VALUES (%d, 100)".formatted(id));
        }
    }

    private static int read(int id) throws SQLException {
        try (Connection client = client();
                Statement statement = client.createStatement()) {
            client.setReadOnly(true);
            try (ResultSet rows =
                    statement.executeQuery("SELECT stock FROM item WHERE id = " + id)) {
                assertThat(rows.next()).isTrue();
                return rows.getInt(1);
            }
        }
    }

    private static Connection client() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:%d/shop".formatted(tier.port()), "quire", "quire");
    }

    private record Run(int exitCode, String output, String errors) {}

    private static Run quire(String command, String... more) {
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of("--port", Integer.toString(tier.statusPort())));
        arguments.addAll(List.of(more));
        StringWriter output = new StringWriter();
        StringWriter errors = new StringWriter();
        int exitCode =
                Quire.commandLine()
                        .setOut(new PrintWriter(output))
                        .setErr(new PrintWriter(errors))
                        .execute(arguments.toArray(String[]::new));
        return new Run(exitCode, output.toString(), errors.toString());
    }
}
