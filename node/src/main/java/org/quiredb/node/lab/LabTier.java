package org.quiredb.node.lab;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.config.HostPort;

/// The tier of an experiment: every role a process, InnoDB under it a process of its own.
///
/// Threads: one.
public final class LabTier implements AutoCloseable {
    static final String ACCOUNT = "quire";
    private static final String EVERYTHING = "everything";

    private final Path folder;
    private final Layout layout;
    private final LocalCluster tier;
    private final LabBackends backends;
    private final @Nullable LabNetwork network;

    /// How the tier's processes run, over a backend that is there.
    public interface Launcher {
        LocalCluster launch(ClusterConfig config);
    }

    /// What is written to the backend before the tier loads it.
    public interface Contents {
        void create(EmbeddedBackend backend) throws SQLException;
    }

    /// How many there are of each.
    public record Layout(int slaves, int spares, int backends, ClusterConfig.Copies copies) {
        /// With a stand-in for what is to be struck.
        public static Layout against(Victim victim, int slaves, int spares) {
            boolean any = victim == Victim.RANDOM || victim == Victim.EVERYTHING;
            return new Layout(
                    slaves,
                    spares,
                    any || victim == Victim.BACKEND ? 2 : 1,
                    new ClusterConfig.Copies(
                            any || victim == Victim.SCHEDULER ? 2 : 1,
                            any || victim == Victim.LOGGER ? 2 : 1));
        }

        /// Processes with a heap of their own share.
        public int replicas() {
            return 1 + slaves + spares;
        }
    }

    /// Returns when clients are served by a tier that nobody is cut off from.
    public LabTier(Path data, int backendPort, Layout layout, Contents contents, Launcher launcher)
            throws SQLException {
        this(data, backendPort, layout, contents, launcher, null);
    }

    /// Returns when clients are served.
    ///
    /// @param network in which the launcher starts processes that can be cut off; null where none
    ///   has to be
    public LabTier(
            Path data,
            int backendPort,
            Layout layout,
            Contents contents,
            Launcher launcher,
            @Nullable LabNetwork network)
            throws SQLException {
        this.folder = data;
        this.layout = layout;
        this.network = network;
        backends =
                LabBackends.start(
                        data,
                        network == null ? EmbeddedBackend.Site.LOOPBACK : LabNetwork.site(),
                        backendPort,
                        layout.backends(),
                        contents);
        try {
            tier =
                    launcher.launch(
                            new ClusterConfig(
                                            0,
                                            backendPort,
                                            data,
                                            layout.slaves(),
                                            layout.spares(),
                                            ACCOUNT,
                                            ACCOUNT)
                                    .with(
                                            new ClusterConfig.Pages(
                                                    data, ClusterConfig.Pages.CHECKPOINT_MILLIS))
                                    .with(layout.copies())
                                    .over(backends.all()));
            tier.startBackend();
            tier.startTier(statuses -> {});
        } catch (RuntimeException e) {
            backends.close();
            throw e;
        }
    }

    /// Where the experiment's files are.
    Path folder() {
        return folder;
    }

    /// What each process and each database answers now, one line for each.
    List<String> answers() {
        List<String> answers = new ArrayList<>(tier.answers());
        answers.addAll(backends.answers());
        return answers;
    }

    public LocalCluster cluster() {
        return tier;
    }

    /// Where clients connect: to one scheduler, and to the next when that is gone.
    public String url(String schema) {
        String hosts =
                tier.endpoints().stream().map(HostPort::toString).collect(Collectors.joining(","));
        return "jdbc:mysql://%s/%s?failOverReadOnly=false".formatted(hosts, schema);
    }

    /// Of each process that is no part of this one, by its name; the databases are processes.
    public Map<String, Long> processIds() {
        Map<String, Long> ids = new LinkedHashMap<>(tier.processIds());
        ids.putAll(backends.processIds());
        return ids;
    }

    /// To each backend itself.
    List<Connection> direct() throws SQLException {
        return backends.direct();
    }

    /// A process that has this role now.
    String choose(Victim kind, Random random) {
        List<String> able =
                switch (kind) {
                    case BACKEND -> backends.names();
                    case EVERYTHING -> List.of(EVERYTHING);
                    case SCHEDULER -> tier.schedulers();
                    case LOGGER -> tier.activeLogger().stream().toList();
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
        all.addAll(backends.names());
        return all;
    }

    /// What the process is now: its role for a replica, else its name.
    String roleOf(String process) {
        NodeStatus status = tier.replicas().get(process);
        return status == null ? process : status.role();
    }

    boolean isReplica(String process) {
        return tier.replicas().containsKey(process);
    }

    /// Whether somebody takes its place, so that the tier goes on without it.
    boolean hasStandIn(String process) {
        return isReplica(process)
                || backendsWith(process) > 0
                || (tier.schedulers().contains(process) && layout.copies().schedulers() > 1)
                || (tier.loggers().contains(process) && layout.copies().loggers() > 1);
    }

    /// How many backends there are, when it is one of several; else 0.
    int backendsWith(String process) {
        return backends.names().contains(process) && layout.backends() > 1 ? layout.backends() : 0;
    }

    void strike(String process, Fault fault) {
        if (fault == Fault.CUT) {
            Objects.requireNonNull(network).cut(process);
        } else if (fault == Fault.PAUSE) {
            tier.pause(process);
        } else if (backends.names().contains(process)) {
            backends.kill(process);
        } else if (process.equals(EVERYTHING)) {
            tier.processes().forEach(tier::kill);
            backends.names().forEach(backends::kill);
        } else {
            tier.kill(process);
        }
    }

    /// Brings back what was struck; returns when it serves.
    void bringBack(String process, Fault fault) {
        if (fault == Fault.CUT) {
            Objects.requireNonNull(network).heal(process);
            tier.awaitReturn(process);
        } else if (fault == Fault.PAUSE) {
            tier.resume(process);
        } else if (process.equals(EVERYTHING)) {
            backends.names().forEach(backends::start);
            tier.startBackend();
            tier.awaitCurrent(layout.backends());
            tier.startTier(statuses -> {});
        } else if (backends.names().contains(process)) {
            backends.start(process);
            tier.awaitCurrent(layout.backends());
        } else {
            tier.revive(process);
        }
    }

    /// What the replica was sent when it began; null when it does not answer.
    KillCost.@Nullable Received received(String replica) {
        NodeStatus status = tier.replicas().get(replica);
        return status == null ? null : KillCost.Received.of(status);
    }

    @Override
    public void close() {
        tier.close();
        backends.close();
    }
}
