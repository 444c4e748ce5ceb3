package org.quiredb.node.lab;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;

/// The tier of an experiment: every role a process, InnoDB under it a process of its own.
///
/// Threads: one.
public final class LabTier implements AutoCloseable {
    private static final String ACCOUNT = "quire";
    private static final String BACKEND = "backend";

    private final Path data;
    private final int backendPort;
    private final LocalCluster tier;
    private EmbeddedBackend backend;

    /// How the tier's processes run, over a backend that is there.
    public interface Launcher {
        LocalCluster launch(ClusterConfig config);
    }

    /// What is written to the backend before the tier loads it.
    public interface Contents {
        void create(EmbeddedBackend backend) throws SQLException;
    }

    /// Returns when clients are served.
    public LabTier(
            Path data,
            int backendPort,
            int slaves,
            int spares,
            Contents contents,
            Launcher launcher)
            throws SQLException {
        this.data = data;
        this.backendPort = backendPort;
        backend = EmbeddedBackend.start(data, backendPort, ACCOUNT, ACCOUNT);
        try {
            contents.create(backend);
            tier =
                    launcher.launch(
                            new ClusterConfig(
                                            0, backendPort, data, slaves, spares, ACCOUNT, ACCOUNT)
                                    .with(
                                            new ClusterConfig.Pages(
                                                    data, ClusterConfig.Pages.CHECKPOINT_MILLIS))
                                    .over(backend));
            tier.startBackend();
            tier.startTier(statuses -> {});
        } catch (SQLException | RuntimeException e) {
            backend.close();
            throw e;
        }
    }

    LocalCluster cluster() {
        return tier;
    }

    /// Where clients connect.
    public String url(String schema) {
        return "jdbc:mysql://127.0.0.1:%d/%s".formatted(tier.port(), schema);
    }

    /// To the backend itself.
    Connection direct() throws SQLException {
        return DriverManager.getConnection(backend.jdbcUrl(), ACCOUNT, ACCOUNT);
    }

    /// A process that has this role now.
    String choose(Victim kind, Random random) {
        List<String> able =
                switch (kind) {
                    case BACKEND -> List.of(BACKEND);
                    case LOGGER, SCHEDULER -> List.of(kind.text());
                    case MASTER, SLAVE, SPARE -> inRole(kind.text());
                    case RANDOM -> everyProcess();
                };
        if (able.isEmpty()) {
            throw new IllegalStateException("the tier has no " + kind.text() + " now");
        }
        return able.get(random.nextInt(able.size()));
    }

    private List<String> inRole(String role) {
        return tier.replicas().values().stream()
                .filter(status -> status.role().equals(role))
                .map(NodeStatus::name)
                .toList();
    }

    private List<String> everyProcess() {
        List<String> all = new ArrayList<>(tier.processes());
        all.add(BACKEND);
        return all;
    }

    /// What the process is now: its role for a replica, else its name.
    String roleOf(String process) {
        NodeStatus status = tier.replicas().get(process);
        return status == null ? process : status.role();
    }

    /// Whether somebody takes its place, so that the tier goes on without it.
    boolean isReplica(String process) {
        return tier.replicas().containsKey(process);
    }

    void kill(String process) {
        if (process.equals(BACKEND)) {
            backend.kill();
        } else {
            tier.kill(process);
        }
    }

    /// What the replica was sent when it began; null when it does not answer.
    Kill.@Nullable Received received(String replica) {
        NodeStatus status = tier.replicas().get(replica);
        return status == null ? null : Kill.Received.of(status);
    }

    /// Starts what was killed; returns when it serves.
    void revive(String process) {
        if (process.equals(BACKEND)) {
            backend = EmbeddedBackend.start(data, backendPort, ACCOUNT, ACCOUNT);
        } else {
            tier.revive(process);
        }
    }

    @Override
    public void close() {
        tier.close();
        backend.close();
    }
}
