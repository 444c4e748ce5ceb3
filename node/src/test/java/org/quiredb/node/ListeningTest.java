package org.quiredb.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.common.rpc.RpcServer;
import org.quiredb.common.trust.ClusterSecret;
import org.quiredb.common.trust.Trust;
import org.quiredb.node.config.ConfigFile;
import org.quiredb.node.process.NodeProcess;

/// A process that is told to listen beyond loopback without a secret does not start, whatever its
/// role; it says what to do.
@Tag("slow")
class ListeningTest {
    private static final String LOGGER = "logger: {port: %d}\n";
    private static final String REPLICA =
            "replica: {name: r, role: master, port: %d, logger: [\"127.0.0.1:9\"]}\n";
    private static final String SCHEDULER =
            "scheduler: {statusPort: %d, replicas: [\"127.0.0.1:9\"], logger: \"127.0.0.1:9\"}\n";
    private static final String BACKEND =
            "backend: {url: \"jdbc:mysql://127.0.0.1:9/\", user: u, password: p}\n";

    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource({
        "logger.port, 0.0.0.0",
        "replica.port, 0.0.0.0",
        "scheduler.statusPort, 0.0.0.0",
        "replica.port, ::",
        "replica.port, 192.0.2.1"
    })
    void isRefusedInOneLine(String key, String host) throws IOException {
        int port = FreePorts.next();
        Path file = file(key, host, port, "");
        StringWriter errors = new StringWriter();
        int exitCode =
                Quire.commandLine()
                        .setErr(new PrintWriter(errors))
                        .execute("node", file.toString());
        assertThat(exitCode).isEqualTo(1);
        assertThat(errors.toString())
                .hasLineCount(1)
                .contains("%s %d would listen on".formatted(key, port))
                .contains("without a secret")
                .contains("cluster.secretFile");
    }

    /// Past that check, where nothing answers that it needs.
    @Test
    void startsWithASecret() throws IOException {
        String secret = "waitSeconds: 1\ncluster: {secret: 0123456789abcdef0123456789abcdef}\n";
        Path file = file("replica.port", "0.0.0.0", FreePorts.next(), secret);
        try (NodeProcess process = new NodeProcess(ConfigFile.read(file))) {
            assertThatThrownBy(process::start).hasMessageContaining("waited 1 s in vain");
        }
    }

    @Test
    void aReplicaWithAnotherSecretThanItsLoggerEndsAtOnce() throws IOException {
        Trust other = Trust.of(ClusterSecret.of("f".repeat(ClusterSecret.LEAST_BYTES)));
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (RpcServer logger =
                RpcServer.start(any, other, (peer, request, reply) -> reply.end(request))) {
            String secret = "cluster: {secret: 0123456789abcdef0123456789abcdef}\n";
            Path file = file("replica.port", "127.0.0.1", FreePorts.next(), secret);
            Files.writeString(
                    file,
                    Files.readString(file).replace("127.0.0.1:9", "127.0.0.1:" + logger.port()));
            try (NodeProcess process = new NodeProcess(ConfigFile.read(file))) {
                assertThatThrownBy(process::start)
                        .hasMessageContaining("it holds another secret")
                        .hasMessageContaining("cluster.secretFile");
            }
        }
    }

    private Path file(String key, String host, int port, String more) throws IOException {
        String role =
                switch (key) {
                    case "logger.port" -> BACKEND + LOGGER;
                    case "replica.port" -> REPLICA;
                    default -> BACKEND + SCHEDULER;
                };
        return Files.writeString(
                folder.resolve("node.yaml"),
                "host: \"%s\"\n".formatted(host) + more + role.formatted(port));
    }
}
