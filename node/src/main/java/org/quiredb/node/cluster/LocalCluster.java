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
import java.util.concurrent.atomic.AtomicReference;
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
import org.quiredb.node.config.SchedulerSection;
import org.quiredb.node.status.BackendStatus;
import org.quiredb.node.status.StatusClient;
import org.quiredb.node.verify.TierVerification;
import org.quiredb.node.verify.Verification;

/// A running tier.
///
/// In one piece, since what starts, strikes and asks its members goes through one list of them.
///
/// Threads: started by one, asked and closed by any.
public final class LocalCluster implements AutoCloseable {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final Duration START_LIMIT = Duration.ofMinutes(11);

    private final ClusterPlan plan;
    private final boolean supervised;
    private final Parts parts = new Parts();
    private final RunningProcesses members;
    private final Map<String, StatusLink> replicas = new LinkedHashMap<>();
    private final Map<String, StatusLink> schedulers = new LinkedHashMap<>();

    /// @param supervised whether what ends by itself is started again once the tier serves
    private LocalCluster(
            ClusterPlan plan,
            Function<ProcessConfig, RunningProcess> launcher,
            boolean supervised) {
        this.plan = plan;
        this.supervised = supervised;
        for (ProcessConfig config : plan.replicas()) {
            ReplicaSection section = Objects.requireNonNull(config.replica());
            replicas.put(
                    section.name(),
                    parts.add(
                            StatusLink.toReplica(
                                    new HostPort(config.host(), section.port()), config.trust())));
        }
        for (ProcessConfig config : plan.schedulers()) {
            SchedulerSection section = Objects.requireNonNull(config.scheduler());
            schedulers.put(
                    section.name(),
                    parts.add(
                            StatusLink.toScheduler(
                                    new HostPort(config.host(), section.statusPort()),
                                    config.trust())));
        }
        members = parts.add(new RunningProcesses(launcher));
    }

    /// A tier in this JVM, which does not run yet.
    ///
    /// @param metricsPort of the scheduler, those after it of the others; 0 for none
    public static LocalCluster inside(ClusterConfig config, int metricsPort) {
        return inside(config, metricsPort, Placement.LOOPBACK);
    }

    /// @param placement in this JVM all the same
    public static LocalCluster inside(ClusterConfig config, int metricsPort, Placement placement) {
        return new LocalCluster(
                ClusterPlan.of(config, metricsPort, placement), ThreadedProcess::new, false);
    }

    /// A tier of many JVMs, which does not run yet. One that ends by itself once the tier serves is
    /// started again; one that was killed here is not.
    public static LocalCluster processes(ClusterConfig config, ProcessOptions options) {
        return new LocalCluster(
                ClusterPlan.of(config, options.metricsPort(), options.placement()),
                process ->
                        new SpawnedProcess(
                                options.placement().launcher(process.title()),
                                process,
                                options.folder(),
                                options.heapMegabytes(process)),
                true);
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

    /// Starts the loggers, and the backend with the first when that is embedded; returns when they
    /// answer.
    ///
    /// @throws RuntimeException when one does not start; nothing is left running
    public void startBackend() {
        plan.loggers()
                .forEach(logger ->
                        launch(List.of(logger), () -> probe(logger).isPresent(), () -> {}));
    }

    private static Optional<NodeStatus> probe(ProcessConfig logger) {
        return LoggerProbe.status(
                new HostPort(logger.host(), Objects.requireNonNull(logger.logger()).port()),
                logger.trust());
    }

    /// Starts all the others; returns when clients are served and every replica is in sync.
    ///
    /// @param progress told now and then what those replicas say that answer already
    /// @throws RuntimeException when a part does not start; nothing is left running
    public void startTier(Consumer<List<NodeStatus>> progress) {
        List<ProcessConfig> others = new ArrayList<>(plan.replicas());
        others.addAll(plan.schedulers());
        launch(others, this::serves, () -> progress.accept(replicaStatuses()));
        if (supervised) {
            members.supervise();
        }
    }

    /// Where MySQL clients connect, to the first scheduler.
    public int port() {
        return ports().getFirst();
    }

    /// Where MySQL clients connect, to each scheduler.
    public List<Integer> ports() {
        return endpoints().stream().map(HostPort::port).toList();
    }

    /// As {@link #ports}, with the hosts.
    public List<HostPort> endpoints() {
        return plan.schedulers().stream()
                .map(process -> new HostPort(process.host(), scheduler(process).port()))
                .toList();
    }

    /// Where `quire status` and `quire verify` ask the first scheduler.
    public int statusPort() {
        return scheduler(plan.schedulers().getFirst()).statusPort();
    }

    /// Where browsers are shown the tier by the first scheduler, if it is.
    public Optional<HostPort> console() {
        return Optional.ofNullable(scheduler(plan.schedulers().getFirst()).console())
                .map(console -> new HostPort(console.host(), console.port()));
    }

    private static SchedulerSection scheduler(ProcessConfig process) {
        return Objects.requireNonNull(process.scheduler());
    }

    /// Of the backend, for what must be done before the tier loads.
    public BackendSection backend() {
        return plan.backend();
    }

    /// Statements of read-only transactions that each replica has answered, as those schedulers
    /// tell that answer.
    public Map<String, Long> readsByNode() {
        Map<String, Long> reads = new TreeMap<>();
        replicas.keySet().forEach(name -> reads.put(name, 0L));
        for (StatusLink scheduler : schedulers.values()) {
            for (NodeStatus.Figure figure :
                    scheduler.status().map(NodeStatus::figures).orElse(List.of())) {
                if (figure.name().startsWith("reads.")) {
                    String replica = figure.name().substring("reads.".length());
                    reads.merge(replica, (long) figure.value(), Long::sum);
                }
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

    /// Statements that the schedulers left to the backend since the start.
    public long fallbackStatements() {
        return (long)
                sum(
                        schedulers.values().stream().map(StatusLink::required).toList(),
                        "fallback.statements");
    }

    /// What the tier counted since its start, under the names of the demo's JSON.
    public Map<String, Object> figures() {
        List<NodeStatus> counted = schedulers.values().stream().map(StatusLink::required).toList();
        NodeStatus master = leading().orElseThrow(LocalCluster::noMaster);
        double commits = sum(counted, "commits");
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("readsByNode", readsByNode());
        figures.put("tierCommits", (long) commits);
        figures.put("versionConflicts", (long) sum(counted, "version.conflicts"));
        figures.put("fallbackStatements", fallbackStatements());
        figures.put(
                "writeSetBytesPerCommit",
                commits == 0 ? 0 : Math.round(master.figure("writeset.bytes") / commits));
        figures.put("memory", Memory.of(replicaStatuses()));
        figures.put("lockWaits", (long) master.figure("lock.waits"));
        figures.put("lockWaitMillis", Math.round(1000 * master.figure("lock.wait.seconds")));
        figures.put("deadlocks", (long) master.figure("lock.deadlocks"));
        figures.put("lockTimeouts", (long) master.figure("lock.timeouts"));
        figures.put("statementsRetried", (long) master.figure("statements.retried"));
        figures.put("replays", (long) sum(counted, "replays"));
        figures.put("replaysDiffered", (long) sum(counted, "replays.differed"));
        return figures;
    }

    /// Requests that had to wait for a lock at the leading master so far.
    public long lockWaits() {
        return (long) leading().orElseThrow(LocalCluster::noMaster).figure("lock.waits");
    }

    private static double sum(List<NodeStatus> schedulers, String figure) {
        return schedulers.stream().mapToDouble(status -> status.figure(figure)).sum();
    }

    /// Waits until everybody serves and every scheduler knows it, which it does a heartbeat later.
    private void awaitServing() {
        await(this::serves, () -> {});
    }

    /// Compares every replica that the first scheduler knows to serve with the backend at one
    /// version, while updates go on.
    public Verification verify() {
        return compare().verification();
    }

    /// As {@link #verify}, with nobody left out: who has just begun anew is waited for.
    public Verification verifyAll() {
        awaitServing();
        AtomicReference<TierVerification> last = new AtomicReference<>(compare());
        await(() -> last.get().left().isEmpty(), () -> last.set(compare()));
        return last.get().verification();
    }

    /// A connection of its own to the first scheduler's status port.
    ///
    /// @throws QuireException when it does not answer
    public StatusClient look() {
        return ask(plan.schedulers().getFirst());
    }

    private TierVerification compare() {
        try (StatusClient status = look()) {
            return TierVerification.of(status);
        }
    }

    private static StatusClient ask(ProcessConfig process) {
        return StatusClient.connect(
                process.host(), scheduler(process).statusPort(), process.trust());
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

    /// Of each process by its name; none of those that run inside this one.
    public Map<String, Long> processIds() {
        Map<String, Long> ids = new LinkedHashMap<>();
        for (ProcessConfig process : plan.processes()) {
            members.get(process).processes().stream()
                    .findFirst()
                    .ifPresent(handle -> ids.put(process.title(), handle.pid()));
        }
        return ids;
    }

    /// The names of all processes: loggers, replicas, schedulers.
    public List<String> processes() {
        return plan.processes().stream().map(ProcessConfig::title).toList();
    }

    public List<String> schedulers() {
        return List.copyOf(schedulers.keySet());
    }

    public List<String> loggers() {
        return plan.loggers().stream().map(ProcessConfig::title).toList();
    }

    /// The logger that writes the log now.
    public Optional<String> activeLogger() {
        return activeLoggerWithout("");
    }

    /// As {@link #activeLogger}, but one is not asked: it may not answer for long.
    public Optional<String> activeLoggerWithout(String unasked) {
        return plan.loggers().stream()
                .filter(logger -> !logger.title().equals(unasked))
                .filter(logger ->
                        probe(logger).filter(s -> s.state().equals("serving")).isPresent())
                .map(ProcessConfig::title)
                .findFirst();
    }

    /// What the active logger tells of the backends; nothing when none answers.
    public List<BackendStatus> backends() {
        return plan.loggers().stream()
                .flatMap(logger -> probe(logger).stream())
                .flatMap(status -> BackendStatus.of(status).stream())
                .toList();
    }

    /// Returns when so many backends hold the whole log.
    public void awaitCurrent(int count) {
        await(() -> backends().stream().filter(BackendStatus::current).count() == count, () -> {});
    }

    /// What each replica that answers tells of itself.
    public Map<String, NodeStatus> replicas() {
        return replicasWithout("");
    }

    /// As {@link #replicas}, but one is not asked: it may not answer for long.
    public Map<String, NodeStatus> replicasWithout(String unasked) {
        Map<String, NodeStatus> statuses = new TreeMap<>();
        replicas.forEach((name, link) -> {
            if (!name.equals(unasked)) {
                link.status().ifPresent(status -> statuses.put(name, status));
            }
        });
        return statuses;
    }

    /// What each process says of itself now, one line for each.
    public List<String> answers() {
        List<String> answers = new ArrayList<>();
        for (ProcessConfig logger : plan.loggers()) {
            answers.add(line(logger.title(), probe(logger)));
        }
        replicas.forEach((name, link) -> answers.add(line(name, link.status())));
        schedulers.forEach((name, link) -> answers.add(line(name, link.status())));
        return answers;
    }

    private static String line(String process, Optional<NodeStatus> answer) {
        return answer.map(status ->
                        "%s is %s, %s, epoch %d, master of %s, at %s, troubles %s"
                                .formatted(
                                        process,
                                        status.role(),
                                        status.state(),
                                        status.epoch(),
                                        status.masterOf(),
                                        status.positions(),
                                        status.troubles()))
                .orElse(process + " does not answer");
    }

    /// Ends a process without a word to anybody; the tier goes on without it until it is revived.
    public void kill(String process) {
        members.kill(process(process));
    }

    /// Begins a process, whatever else runs; what becomes of it {@link #serves} and {@link
    /// #failures} tell.
    public void begin(String process) {
        members.begin(process(process));
    }

    /// Whether a process serves, or stands by for another.
    public boolean serves(String process) {
        StatusLink link = replicas.getOrDefault(process, schedulers.get(process));
        return link == null ? probe(process(process)).isPresent() : link.serving();
    }

    /// Of those that have ended though nobody has ended them, why.
    public List<String> failures() {
        return members.failures();
    }

    /// Ends all processes at once, and the databases that they run: nothing of them is left.
    public void cutPower() {
        members.cutPower();
    }

    /// Where a process listens, when it runs.
    public List<HostPort> addresses(String process) {
        return process(process).ports().stream()
                .map(listening -> new HostPort(listening.host(), listening.port()))
                .toList();
    }

    /// Lets a process stand still where it is.
    ///
    /// @throws UnsupportedOperationException when it is no process of its own
    public void pause(String process) {
        members.get(process(process)).pause();
    }

    /// Lets it go on; returns when it serves.
    public void resume(String process) {
        members.get(process(process)).resume();
        awaitReturn(process);
    }

    /// Returns when a process serves that others may have gone on without.
    public void awaitReturn(String process) {
        StatusLink link = replicas.getOrDefault(process, schedulers.get(process));
        ProcessConfig config = process(process);
        await(
                replicas.containsKey(process)
                        ? () -> isBack(process)
                        : link == null ? () -> probe(config).isPresent() : link::serving,
                () -> {});
    }

    /// Until it learns that the others have gone on without it a replica says that it serves.
    private boolean isBack(String replica) {
        Map<String, NodeStatus> statuses = replicas();
        NodeStatus own = statuses.get(replica);
        long newest = statuses.values().stream().mapToLong(NodeStatus::epoch).max().orElse(0);
        return own != null && own.state().equals("serving") && own.epoch() == newest;
    }

    /// Starts a process that was killed; returns when it serves.
    public void revive(String process) {
        ProcessConfig config = process(process);
        StatusLink link = replicas.getOrDefault(process, schedulers.get(process));
        launch(
                List.of(config),
                link == null ? () -> probe(config).isPresent() : link::serving,
                () -> {});
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
                members.begin(process);
            }
            await(serve, meanwhile);
        } catch (RuntimeException | Error e) {
            parts.closeAfter(e);
            throw e;
        }
    }

    private void await(Supplier<Boolean> serve, Runnable meanwhile) {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (!serve.get()) {
            members.failures().stream().findFirst().ifPresent(LocalCluster::unavailable);
            if (System.nanoTime() - deadline > 0) {
                unavailable("the tier did not serve within " + START_LIMIT);
            }
            if (Thread.currentThread().isInterrupted()) {
                unavailable("interrupted while the tier started");
            }
            meanwhile.run();
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private boolean serves() {
        return schedulers.values().stream().allMatch(StatusLink::serving)
                && replicas.values().stream().allMatch(StatusLink::serving)
                && plan.schedulers().stream().allMatch(LocalCluster::knowsAll);
    }

    /// A scheduler learns from heartbeats that a replica serves, and gives reads to the master
    /// until then.
    private static boolean knowsAll(ProcessConfig scheduler) {
        try (StatusClient status = ask(scheduler)) {
            return status.cluster().stream().allMatch(LocalCluster::isThere);
        } catch (QuireException e) {
            return false; // asked again until the limit of the start
        }
    }

    /// What was last heard of who cannot be reached is of an earlier life.
    private static boolean isThere(ClusterNode node) {
        NodeStatus status = node.status();
        return node.reachable()
                && status != null
                && (status.state().equals("serving") || status.state().equals("standby"));
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
