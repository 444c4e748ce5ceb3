package org.quiredb.node.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.config.BackendSection;
import org.quiredb.node.config.HostPort;
import org.quiredb.node.config.LoggerSection;
import org.quiredb.node.config.MetricsSection;
import org.quiredb.node.config.ProcessConfig;
import org.quiredb.node.config.ReplicaSection;
import org.quiredb.node.config.SchedulerSection;
import org.quiredb.replica.NodeConfiguration.Role;

/// The configuration of every process of a tier on this machine, their ports chosen.
///
/// @param logger with the backend, when that is embedded
/// @param replicas the master first
record ClusterPlan(ProcessConfig logger, List<ProcessConfig> replicas, ProcessConfig scheduler) {
    static final String MASTER = "master";
    private static final String HOST = "127.0.0.1";
    private static final int WAIT_SECONDS = 600;

    /// @param metricsPort of the scheduler, those after it of the others; 0 for none
    static ClusterPlan of(ClusterConfig config, int metricsPort) {
        HostPort logger = new HostPort(HOST, FreePorts.next());
        List<Role> roles = new ArrayList<>(List.of(Role.MASTER));
        roles.addAll(Stream.generate(() -> Role.SLAVE).limit(config.slaves()).toList());
        roles.addAll(Stream.generate(() -> Role.SPARE).limit(config.spares()).toList());
        List<HostPort> ports =
                roles.stream().map(role -> new HostPort(HOST, FreePorts.next())).toList();
        List<HostPort> group =
                roles.stream().map(role -> new HostPort(HOST, FreePorts.next())).toList();
        List<ProcessConfig> replicas = new ArrayList<>();
        for (int i = 0; i < roles.size(); i++) {
            ReplicaSection section = replica(i, roles.get(i), ports, group, logger, config);
            replicas.add(process(null, null, section, null, metricsPort, i + 2));
        }
        return new ClusterPlan(
                process(
                        config.backend(),
                        new LoggerSection("logger", logger.port(), 64, 20_000, 30_000, 10_000),
                        null,
                        null,
                        metricsPort,
                        1),
                List.copyOf(replicas),
                process(
                        elsewhere(config.backend()),
                        null,
                        null,
                        scheduler(config, ports, logger),
                        metricsPort,
                        0));
    }

    /// In the order of their start.
    List<ProcessConfig> processes() {
        List<ProcessConfig> all = new ArrayList<>();
        all.add(logger);
        all.addAll(replicas);
        all.add(scheduler);
        return List.copyOf(all);
    }

    BackendSection backend() {
        return Optional.ofNullable(logger.backend()).orElseThrow();
    }

    HostPort loggerAddress() {
        return logger.loggerOf(null).orElseThrow();
    }

    SchedulerSection schedulerSection() {
        return Optional.ofNullable(scheduler.scheduler()).orElseThrow();
    }

    private static ReplicaSection replica(
            int number,
            Role role,
            List<HostPort> ports,
            List<HostPort> group,
            HostPort logger,
            ClusterConfig config) {
        String name = role == Role.MASTER ? MASTER : role.text() + "-" + number;
        ClusterConfig.Pages pages = config.pages();
        return new ReplicaSection(
                name,
                role,
                ports.get(number).port(),
                group.get(number).port(),
                group,
                logger,
                null,
                64,
                pages == null ? null : pages.folder().resolve("pages-" + name),
                0,
                pages == null ? ClusterConfig.Pages.CHECKPOINT_MILLIS : pages.checkpointMillis(),
                10_000,
                256,
                10_000,
                config.classes());
    }

    private static SchedulerSection scheduler(
            ClusterConfig config, List<HostPort> replicas, HostPort logger) {
        return new SchedulerSection(
                "scheduler",
                chosen(config.port()),
                chosen(config.statusPort()),
                config.user(),
                config.password(),
                replicas,
                logger,
                1_000,
                16,
                1_800);
    }

    private static ProcessConfig process(
            @Nullable BackendSection backend,
            @Nullable LoggerSection logger,
            @Nullable ReplicaSection replica,
            @Nullable SchedulerSection scheduler,
            int metricsPort,
            int number) {
        MetricsSection metrics = metricsPort == 0 ? null : new MetricsSection(metricsPort + number);
        return new ProcessConfig(HOST, WAIT_SECONDS, backend, logger, replica, scheduler, metrics);
    }

    private static BackendSection elsewhere(BackendSection backend) {
        return new BackendSection(null, backend.jdbcUrl(), backend.user(), backend.password());
    }

    private static int chosen(int port) {
        return port == 0 ? FreePorts.next() : port;
    }
}
