package org.quiredb.node.process;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.lifecycle.Carriers;
import org.quiredb.common.lifecycle.Parts;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.rpc.RpcServer;
import org.quiredb.common.trust.Trust;
import org.quiredb.logger.LoggerConfiguration;
import org.quiredb.logger.StandbyLogger;
import org.quiredb.logger.backend.BackendAddress;
import org.quiredb.master.TierNode;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.config.BackendSection;
import org.quiredb.node.config.ConsoleSection;
import org.quiredb.node.config.HostPort;
import org.quiredb.node.config.LoggerSection;
import org.quiredb.node.config.MetricsSection;
import org.quiredb.node.config.ProcessConfig;
import org.quiredb.node.config.ReplicaSection;
import org.quiredb.node.config.SchedulerSection;
import org.quiredb.node.console.Console;
import org.quiredb.node.metrics.NodeMetrics;
import org.quiredb.scheduler.Scheduler;
import org.quiredb.scheduler.SchedulerConfig;

/// The roles of one process, running.
///
/// Threads: started by one; closed by any, also while it starts.
public final class NodeProcess implements AutoCloseable {
    private final ProcessConfig config;
    private final Parts parts = new Parts();
    private final List<Supplier<NodeStatus>> statuses = new CopyOnWriteArrayList<>();
    private @Nullable RunningBackend backend;
    private volatile @Nullable TierNode replica;

    /// Nothing runs before {@link #start}, so that it can be closed while it starts.
    public NodeProcess(ProcessConfig config) {
        this.config = config;
    }

    /// Starts every role; returns when all of them serve.
    ///
    /// @throws RuntimeException when one does not start; the others are ended then
    public void start() {
        try {
            requireTrust();
            config.portsToBeFree().forEach(l -> FreePort.require(l.key(), l.host(), l.port()));
            startRoles(new Patience(config.waitSeconds()));
        } catch (RuntimeException | Error e) {
            parts.closeAfter(e);
            throw e;
        }
    }

    /// What each role in this process tells of itself, for metrics.
    public List<Supplier<NodeStatus>> statuses() {
        return List.copyOf(statuses);
    }

    public ProcessConfig config() {
        return config;
    }

    /// Ends as a process that is killed: the replica takes no leave.
    public void kill() {
        TierNode running = replica;
        if (running != null) {
            running.kill();
        }
        close();
    }

    @Override
    public void close() {
        parts.close();
    }

    /// @throws RuntimeException when strangers could reach what is for this cluster only
    private void requireTrust() {
        Trust trust = config.trust();
        InetAddress address = FreePort.address(config.host());
        config.portsOfTheCluster()
                .forEach(l -> trust.requireFor(address, l.key() + " " + l.port()));
    }

    private void startRoles(Patience patience) {
        parts.add(Carriers.open());
        BackendSection database = config.backend();
        if (database != null) {
            startBackend(database, patience);
        }
        LoggerSection logger = config.logger();
        if (logger != null) {
            startLogger(logger, patience);
        }
        ReplicaSection section = config.replica();
        if (section != null) {
            startReplica(section, patience);
        }
        SchedulerSection scheduler = config.scheduler();
        if (scheduler != null) {
            startScheduler(scheduler, patience);
        }
        MetricsSection metrics = config.metrics();
        if (metrics != null) {
            var address = new InetSocketAddress(config.host(), metrics.port());
            parts.add(NodeMetrics.start(address, statuses()));
        }
    }

    private void startBackend(BackendSection section, Patience patience) {
        BackendSection.Embedded embedded = section.embedded();
        if (embedded != null) {
            parts.add(
                    EmbeddedBackend.start(
                            embedded.data(), embedded.port(), section.user(), section.password()));
        }
        backend = RunningBackend.await(section, patience);
    }

    private void startLogger(LoggerSection section, Patience patience) {
        StandbyLogger logger =
                parts.add(
                        new StandbyLogger(
                                new LoggerConfiguration(
                                        section.name(),
                                        running().addresses(),
                                        section.maximumBatch(),
                                        section.maximumBacklog(),
                                        section.backendWaitMillis(),
                                        section.keptCommits(),
                                        new LoggerConfiguration.Absence(
                                                section.backendSilenceMillis(),
                                                section.absentCommits())),
                                config.trust(),
                                section.silenceMillis()));
        RpcServer server =
                parts.add(
                        RpcServer.start(
                                new InetSocketAddress(config.host(), section.port()),
                                config.trust(),
                                logger));
        logger.contend(config.host() + ":" + server.port(), patience.left().toMillis());
        statuses.add(logger::status);
    }

    private void startReplica(ReplicaSection section, Patience patience) {
        TierNode started = parts.add(Replicas.start(config, section, patience));
        statuses.add(started::status);
        replica = started;
    }

    private void startScheduler(SchedulerSection section, Patience patience) {
        RunningBackend database = running();
        Scheduler scheduler =
                parts.add(
                        Scheduler.start(
                                new SchedulerConfig(
                                        section.name(),
                                        config.host(),
                                        config.trust(),
                                        section.port(),
                                        section.statusPort(),
                                        section.user(),
                                        section.password(),
                                        database.serverVersion(),
                                        section.replicas().stream()
                                                .map(HostPort::unresolved)
                                                .toList(),
                                        config.loggersOf(section.logger()).stream()
                                                .map(HostPort::unresolved)
                                                .toList(),
                                        database.addresses().stream()
                                                .map(BackendAddress::url)
                                                .toList(),
                                        database.addresses().getFirst().user(),
                                        database.addresses().getFirst().password(),
                                        section.maximumConnections(),
                                        section.maximumBackendConnections(),
                                        Duration.ofSeconds(section.maximumTagSeconds()),
                                        section.replay(),
                                        section.clientLimits(),
                                        section.leastIsolation(),
                                        section.tlsSettings())));
        statuses.add(scheduler::status);
        ConsoleSection console = section.console();
        if (console != null) {
            String address = config.host() + ":" + scheduler.statusPort();
            parts.add(Console.start(console.options(), scheduler, address));
        }
        patience.await(
                "a master that serves", () -> Optional.of(scheduler).filter(Scheduler::open));
    }

    private RunningBackend running() {
        return Optional.ofNullable(backend).orElseThrow();
    }
}
