package org.quiredb.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.node.Await.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.common.lifecycle.Parts;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.config.ConfigFile;
import org.quiredb.node.config.ProcessConfig;
import org.quiredb.node.lab.Ledger;
import org.quiredb.node.status.StatusClient;
import org.quiredb.node.verify.TierVerification;
import org.quiredb.node.verify.Verification;

/// A master, a slave and a scheduler in this JVM over two loggers, with clients that write all the
/// time.
final class TwoLoggersTier implements AutoCloseable {
    private static final int ENTRIES = 100;

    /// The usual one.
    private static final int FAILURE_PORT_OFFSET = 100;

    private final Parts parts = new Parts();
    private final Path folder;
    private final String durability;
    private final int statusPort = FreePorts.next();
    private final int port = FreePorts.next();
    private final List<Integer> loggers = List.of(FreePorts.next(), FreePorts.next());
    private EmbeddedBackend backend;
    private final RunningProcess master;
    private final Ledger load;

    /// @param loggers how the loggers run
    TwoLoggersTier(Path folder, String durability, Function<ProcessConfig, RunningProcess> loggers)
            throws Exception {
        this.folder = folder;
        this.durability = durability;
        backend = parts.add(FreshBackend.start(folder.resolve("data")));
        try (Connection direct = direct()) {
            Ledger.create(direct);
        }
        List<RunningProcess> members = new ArrayList<>();
        members.add(parts.add(loggers.apply(logger(0))));
        members.add(parts.add(loggers.apply(logger(1))));
        int masterGroup = FreePorts.two(FAILURE_PORT_OFFSET);
        int slaveGroup = FreePorts.two(FAILURE_PORT_OFFSET);
        String group = "127.0.0.1:" + masterGroup + ", 127.0.0.1:" + slaveGroup;
        int masterPort = FreePorts.next();
        int slavePort = FreePorts.next();
        master =
                parts.add(
                        new ThreadedProcess(
                                replica("master", "master", masterPort, masterGroup, group)));
        members.add(master);
        members.add(
                parts.add(
                        new ThreadedProcess(
                                replica("slave", "slave", slavePort, slaveGroup, group))));
        members.add(parts.add(new ThreadedProcess(scheduler(masterPort, slavePort))));
        await(
                "the beginning",
                () -> {
                    assertThat(members)
                            .flatExtracting(m -> m.failure().stream().toList())
                            .isEmpty();
                    return nodes("serving").count() == 3
                            && nodes("standby").count() == 1
                            && listens();
                });
        load =
                parts.add(
                        Ledger.open(
                                "jdbc:mysql://127.0.0.1:%d/ledger".formatted(port),
                                "quire",
                                "quire"));
        progress("at the beginning");
    }

    /// Whether the scheduler takes clients.
    private boolean listens() {
        try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /// Lets it stand still where it is.
    void stopBackend() throws Exception {
        String process;
        try (Connection direct = direct();
                Statement statement = direct.createStatement();
                ResultSet row = statement.executeQuery("SELECT @@pid_file")) {
            row.next();
            process = Files.readString(Path.of(row.getString(1))).strip();
        }
        assertThat(new ProcessBuilder("kill", "-STOP", process).inheritIO().start().waitFor())
                .isZero();
    }

    /// Kills it, and starts it again in the same place.
    void replaceBackend() {
        int backendPort = backend.port();
        backend.kill();
        backend =
                parts.add(
                        EmbeddedBackend.start(
                                folder.resolve("data"), backendPort, "quire", "quire"));
    }

    void killMaster() {
        master.kill();
    }

    Ledger load() {
        return load;
    }

    void add(RunningProcess member) {
        parts.add(member);
    }

    /// Whether every replica that is left and the backend hold what was acknowledged.
    void verify(int replicas) throws Exception {
        load.close();
        try (StatusClient status = StatusClient.connect("127.0.0.1", statusPort)) {
            Verification verification = TierVerification.of(status).verification();
            assertThat(verification.differences()).isEmpty();
            assertThat(verification.replicas()).isEqualTo(replicas);
        }
        try (Connection direct = direct()) {
            assertThat(load.lost(direct)).isZero();
        }
        assertThat(load.anomalies()).isEmpty();
    }

    /// Nothing fails but what a master's death may; clients only wait.
    void progress(String when, Integer... mayFail) {
        int from = load.acknowledged();
        await(when, () -> load.acknowledged() >= from + ENTRIES);
        System.out.println(when + ": " + load.report());
        assertThat(load.incidents().failed().keySet()).isSubsetOf(mayFail);
        assertThat(load.incidents().connectionsLost()).isZero();
        load.nextPeriod();
    }

    NodeStatus activeLogger() {
        return nodes("serving").filter(s -> s.role().equals("logger")).findFirst().orElseThrow();
    }

    /// What every node tells that is in this state, but for the scheduler.
    Stream<NodeStatus> nodes(String state) {
        return cluster().stream()
                .filter(ClusterNode::reachable)
                .map(ClusterNode::status)
                .filter(s -> s != null && s.state().equals(state))
                .filter(s -> !s.role().equals("scheduler"));
    }

    private List<ClusterNode> cluster() {
        try (StatusClient status = StatusClient.connect("127.0.0.1", statusPort)) {
            return status.cluster();
        } catch (RuntimeException e) {
            return List.of(); // it begins
        }
    }

    ProcessConfig logger(int number) throws IOException {
        return config(
                """
                backend:
                  url: %s
                  user: quire
                  password: quire
                logger:
                  name: logger-%d
                  port: %d
                """
                        .formatted(backend.jdbcUrl(), number, loggers.get(number)));
    }

    private ProcessConfig replica(
            String name, String role, int replicaPort, int groupPort, String group)
            throws IOException {
        return config(
                """
                replica:
                  name: %s
                  role: %s
                  port: %d
                  groupPort: %d
                  group: [%s]
                  logger: [%s]
                  durability: %s
                """
                        .formatted(
                                name,
                                role,
                                replicaPort,
                                groupPort,
                                group,
                                addresses(),
                                durability));
    }

    private ProcessConfig scheduler(int master, int slave) throws IOException {
        return config(
                """
                backend:
                  url: %s
                  user: quire
                  password: quire
                scheduler:
                  port: %d
                  statusPort: %d
                  replicas: [127.0.0.1:%d, 127.0.0.1:%d]
                  logger: [%s]
                """
                        .formatted(
                                backend.jdbcUrl(), port, statusPort, master, slave, addresses()));
    }

    private String addresses() {
        return "127.0.0.1:%d, 127.0.0.1:%d".formatted(loggers.get(0), loggers.get(1));
    }

    private ProcessConfig config(String yaml) throws IOException {
        Path file = Files.writeString(folder.resolve("process.yaml"), yaml);
        return ConfigFile.read(file);
    }

    Connection direct() throws SQLException {
        return DriverManager.getConnection(backend.jdbcUrl(), "quire", "quire");
    }

    @Override
    public void close() {
        parts.close();
    }
}
