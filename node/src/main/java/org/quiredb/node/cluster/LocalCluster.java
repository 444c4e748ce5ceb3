package org.quiredb.node.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.Parts;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.config.BackendSection;
import org.quiredb.node.config.HostPort;
import org.quiredb.node.config.ProcessConfig;
import org.quiredb.node.config.ReplicaSection;
import org.quiredb.node.status.StatusClient;
import org.quiredb.node.verify.TierVerification;
import org.quiredb.node.verify.Verification;

/// A running tier.
///
/// Threads: started by one, asked and closed by any.
public final class LocalCluster implements AutoCloseable {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final Duration START_LIMIT = Duration.ofMinutes(11);

    private final ClusterPlan plan;
    private final Function<ProcessConfig, Member> launcher;
    private final Parts parts = new Parts();
    private final Map<ProcessConfig, Member> members = new LinkedHashMap<>();
    private final Map<String, StatusLink> replicas = new LinkedHashMap<>();
    private final StatusLink scheduler;

    private LocalCluster(ClusterPlan plan, Function<ProcessConfig, Member> launcher) {
        this.plan = plan;
        this.launcher = launcher;
        for (ProcessConfig config : plan.replicas()) {
            ReplicaSection section = Objects.requireNonNull(config.replica());
            replicas.put(
                    section.name(),
                    parts.add(StatusLink.toReplica(new HostPort(config.host(), section.port()))));
        }
        scheduler =
                parts.add(
                        StatusLink.toScheduler(
                                new HostPort(
                                        plan.scheduler().host(),
                                        plan.schedulerSection().statusPort())));
    }

    /// A tier in this JVM, which does not run yet.
    ///
    /// @param metricsPort of the scheduler, those after it of the others; 0 for none
    public static LocalCluster inside(ClusterConfig config, int metricsPort) {
        return new LocalCluster(ClusterPlan.of(config, metricsPort), MemberInside::new);
    }

    /// A tier of many JVMs, which does not run yet.
    public static LocalCluster processes(ClusterConfig config, ProcessOptions options) {
        return new LocalCluster(
                ClusterPlan.of(config, options.metricsPort()),
                process ->
                        new MemberProcess(
                                process, options.folder(), options.heapMegabytes(process)));
    }

    /// Returns when clients are served.
    ///
    /// @throws RuntimeException when a part does not start; nothing is left running
    public static LocalCluster start(ClusterConfig config, EmbeddedBackend backend) {
        LocalCluster cluster = inside(config.over(backend), 0);
        cluster.startBackend();
        cluster.startTier(statuses -> {});
        return cluster;
    }

    /// Starts the logger, and the backend with it when that is embedded; returns when it serves.
    ///
    /// @throws RuntimeException when it does not start; nothing is left running
    public void startBackend() {
        launch(List.of(plan.logger()), () -> LoggerProbe.serves(plan.loggerAddress()), () -> {});
    }

    /// Starts all the others; returns when clients are served and every replica is in sync.
    ///
    /// @param progress told now and then what those replicas say that answer already
    /// @throws RuntimeException when a part does not start; nothing is left running
    public void startTier(Consumer<List<NodeStatus>> progress) {
        List<ProcessConfig> others = new ArrayList<>(plan.replicas());
        others.add(plan.scheduler());
        launch(others, this::serves, () -> progress.accept(replicaStatuses()));
    }

    /// Where MySQL clients connect.
    public int port() {
        return plan.schedulerSection().port();
    }

    /// Where `quire status` and `quire verify` ask.
    public int statusPort() {
        return plan.schedulerSection().statusPort();
    }

    /// Of the backend, for what must be done before the tier loads.
    public BackendSection backend() {
        return plan.backend();
    }

    /// Statements of read-only transactions that each replica has answered.
    public Map<String, Long> readsByNode() {
        Map<String, Long> reads = new TreeMap<>();
        replicas.keySet().forEach(name -> reads.put(name, 0L));
        for (NodeStatus.Figure figure : scheduler.required().figures()) {
            if (figure.name().startsWith("reads.")) {
                reads.put(figure.name().substring("reads.".length()), (long) figure.value());
            }
        }
        return reads;
    }

    /// Commits that the master has multicast and a replica not received yet, by replica; -1 for one
    /// that does not answer, and for all while there is no master.
    public Map<String, Long> lagByNode() {
        Optional<NodeStatus> master = leading();
        Map<String, Long> lag = new TreeMap<>();
        replicas.forEach((name, link) -> {
            if (master.filter(leading -> leading.name().equals(name)).isEmpty()) {
                lag.put(
                        name,
                        link.status()
                                .flatMap(s -> master.map(leading -> lag(leading, s)))
                                .orElse(-1L));
            }
        });
        return lag;
    }

    /// What the tier counted since its start, under the names of the demo's JSON.
    public Map<String, Object> figures() {
        NodeStatus counted = scheduler.required();
        NodeStatus master = leading().orElseThrow(LocalCluster::noMaster);
        double commits = counted.figure("commits");
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("readsByNode", readsByNode());
        figures.put("tierCommits", (long) commits);
        figures.put("versionConflicts", (long) counted.figure("version.conflicts"));
        figures.put("fallbackStatements", (long) counted.figure("fallback.statements"));
        figures.put(
                "writeSetBytesPerCommit",
                commits == 0 ? 0 : Math.round(master.figure("writeset.bytes") / commits));
        figures.put("memory", Memory.of(replicaStatuses()));
        figures.put("lockWaits", (long) master.figure("lock.waits"));
        figures.put("lockWaitMillis", Math.round(1000 * master.figure("lock.wait.seconds")));
        figures.put("deadlocks", (long) master.figure("lock.deadlocks"));
        figures.put("lockTimeouts", (long) master.figure("lock.timeouts"));
        figures.put("statementsRetried", (long) master.figure("statements.retried"));
        figures.put("replays", (long) counted.figure("replays"));
        figures.put("replaysDiffered", (long) counted.figure("replays.differed"));
        return figures;
    }

    /// Compares every replica with the backend at one version, while updates go on.
    public Verification verify() {
        try (StatusClient status = StatusClient.connect(plan.scheduler().host(), statusPort())) {
            return TierVerification.of(status).verification();
        }
    }

    /// The replica that leads now: the master of every class that has none of its own.
    public String leader() {
        return leading().map(NodeStatus::name).orElseThrow(LocalCluster::noMaster);
    }

    /// The replica that takes a class's updates now.
    public Optional<String> masterOf(ConflictClass conflictClass) {
        return replicaStatuses().stream()
                .filter(status -> status.takes(conflictClass))
                .max(Comparator.comparingLong(NodeStatus::epoch))
                .map(NodeStatus::name);
    }

    private Optional<NodeStatus> leading() {
        return replicaStatuses().stream()
                .filter(NodeStatus::leads)
                .max(Comparator.comparingLong(NodeStatus::epoch));
    }

    private static QuireException noMaster() {
        return new QuireException(ErrorCode.TIER_UNAVAILABLE, "no replica is master");
    }

    /// Of the process that a replica runs in.
    public long processId(String replica) {
        return Objects.requireNonNull(replicas.get(replica)).required().processId();
    }

    /// The names of all processes: logger, replicas, scheduler.
    public List<String> processes() {
        return plan.processes().stream().map(ProcessConfig::title).toList();
    }

    /// What each replica that answers tells of itself.
    public Map<String, NodeStatus> replicas() {
        Map<String, NodeStatus> statuses = new TreeMap<>();
        replicas.forEach((name, link) -> link.status().ifPresent(s -> statuses.put(name, s)));
        return statuses;
    }

    /// Ends a process without a word to anybody; the tier goes on without it.
    public void kill(String process) {
        Member member = Objects.requireNonNull(members.remove(process(process)), process);
        member.kill();
    }

    /// Starts a process that was killed; returns when it serves.
    public void revive(String process) {
        ProcessConfig config = process(process);
        StatusLink link = replicas.get(process);
        Supplier<Boolean> serves =
                link != null
                        ? link::serving
                        : config.equals(plan.scheduler())
                                ? scheduler::serving
                                : () -> LoggerProbe.serves(plan.loggerAddress());
        launch(List.of(config), serves, () -> {});
    }

    private ProcessConfig process(String title) {
        return plan.processes().stream()
                .filter(p -> p.title().equals(title))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        parts.close();
    }

    private void launch(
            List<ProcessConfig> processes, Supplier<Boolean> serve, Runnable meanwhile) {
        try {
            for (ProcessConfig process : processes) {
                members.put(process, parts.add(launcher.apply(process)));
            }
            long deadline = System.nanoTime() + START_LIMIT.toNanos();
            while (!serve.get()) {
                members.values().stream()
                        .flatMap(member -> member.failure().stream())
                        .findFirst()
                        .ifPresent(LocalCluster::unavailable);
                if (System.nanoTime() - deadline > 0) {
                    unavailable("the tier did not serve within " + START_LIMIT);
                }
                if (Thread.currentThread().isInterrupted()) {
                    unavailable("interrupted while the tier started");
                }
                meanwhile.run();
                LockSupport.parkNanos(POLL_NANOS);
            }
        } catch (RuntimeException | Error e) {
            parts.closeAfter(e);
            throw e;
        }
    }

    private boolean serves() {
        return scheduler.serving()
                && replicas.values().stream().allMatch(StatusLink::serving)
                && schedulerKnows();
    }

    /// It learns from heartbeats that a replica serves, and gives reads to the master until then.
    private boolean schedulerKnows() {
        try (StatusClient status = StatusClient.connect(plan.scheduler().host(), statusPort())) {
            return status.cluster().stream()
                    .map(ClusterNode::status)
                    .allMatch(node -> node != null && node.state().equals("serving"));
        } catch (QuireException e) {
            return false; // asked again until the limit of the start
        }
    }

    List<NodeStatus> replicaStatuses() {
        return List.copyOf(replicas().values());
    }

    private static long lag(NodeStatus master, NodeStatus replica) {
        return master.figures().stream()
                .filter(figure -> figure.name().startsWith("received."))
                .mapToLong(sent -> (long) (sent.value() - replica.figure(sent.name())))
                .filter(behind -> behind > 0)
                .sum();
    }

    private static void unavailable(String why) {
        throw new QuireException(ErrorCode.TIER_UNAVAILABLE, why);
    }
}
