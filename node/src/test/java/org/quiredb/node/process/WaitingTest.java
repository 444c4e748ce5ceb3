package org.quiredb.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.rpc.RpcServer;
import org.quiredb.common.version.VersionVector;
import org.quiredb.node.config.ConfigFile;

/// A process whose parts are not there waits as long as `waitSeconds` says, and says for what.
class WaitingTest {
    @TempDir private Path folder;

    @Test
    void aReplicaWaitsForALoggerThatIsActiveNotForOneThatAnswers() throws Exception {
        try (RpcServer standby = standby()) {
            NodeProcess process =
                    new NodeProcess(
                            ConfigFile.read(
                                    Files.writeString(
                                            folder.resolve("replica.yaml"),
                                            """
                                            waitSeconds: 2
                                            replica:
                                              name: r
                                              role: master
                                              port: %d
                                              groupPort: %d
                                              logger: ["127.0.0.1:%d", "127.0.0.1:%d"]
                                            """
                                                    .formatted(
                                                            FreePorts.next(),
                                                            FreePorts.two(
                                                                    100), // and a failure port
                                                            FreePorts.next(),
                                                            standby.port()))));
            long from = System.nanoTime();
            assertThatThrownBy(process::start)
                    .hasMessageStartingWith("waited 2 s in vain for an active logger, of");
            assertThat(System.nanoTime() - from).isGreaterThan(TimeUnit.SECONDS.toNanos(2));
        }
    }

    private static RpcServer standby() {
        return RpcServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                (peer, request, reply) ->
                        reply.end(
                                (LoggerRequest.decode(request) instanceof LoggerRequest.Status
                                                ? new LoggerReply.StatusReply(status())
                                                : new LoggerReply.Standby())
                                        .encode()));
    }

    private static NodeStatus status() {
        return new NodeStatus(
                "logger",
                "logger",
                "standby",
                1,
                0,
                0,
                List.of(),
                List.of(),
                VersionVector.EMPTY,
                0,
                List.of());
    }
}
