package org.quiredb.node.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.master.commit.Durability;
import org.quiredb.node.config.BackendSection;
import org.quiredb.node.config.ClusterSection;
import org.quiredb.node.config.ConsoleSection;
import org.quiredb.node.config.HostPort;
import org.quiredb.node.config.LoggerSection;
import org.quiredb.node.config.MetricsSection;
import org.quiredb.node.config.ProcessConfig;
import org.quiredb.node.config.ReplicaSection;
import org.quiredb.node.config.SchedulerSection;
import org.quiredb.node.config.WarmupSection;
import org.quiredb.replica.NodeConfiguration.Role;

/// The configuration of every process of a tier on this machine, their ports chosen.
///
/// @param loggers the first one with the backend, when that is embedded
/// @param replicas the master first
record ClusterPlan(
        List<ProcessConfig> loggers, List<ProcessConfig> replicas, List<ProcessConfig> schedulers) {
    static final String MASTER = "master";
    private static final int WAIT_SECONDS = 600;
    private static final int FAILURE_PORT_OFFSET = 100;

    /// @param metricsPort of the first scheduler, then the first logger, the replicas, the others;
    ///   0 for none
    static ClusterPlan of(ClusterConfig config, int metricsPort, Placement placement) {
        ClusterSection cluster = placement.cluster();
        PrimitiveIterator.OfInt metrics =
                IntStream.iterate(metricsPort, port -> port == 0 ? 0 : port + 1).iterator();
        List<HostPort> loggers =
                addresses(numbered("logger", config.copies().loggers()), placement);
        List<Role> roles = new ArrayList<>(List.of(Role.MASTER));
        roles.addAll(Stream.generate(() -> Role.SLAVE).limit(config.slaves()).toList());
        roles.addAll(Stream.generate(() -> Role.SPARE).limit(config.spares()).toList());
        List<String> names =
                IntStream.range(0, roles.size()).mapToObj(i -> name(i, roles.get(i))).toList();
        List<HostPort> ports = addresses(names, placement);
        List<HostPort> group =
                names.stream()
                        .map(name ->
                                new HostPort(
                                        placement.host(name), FreePorts.two(FAILURE_PORT_OFFSET)))
                        .toList();
        int firstScheduler = metrics.nextInt();
        int firstLogger = metrics.nextInt();
        List<ProcessConfig> replicas = new ArrayList<>();
        for (int i = 0; i < roles.size(); i++) {
            ReplicaSection section = replica(i, roles.get(i), ports, group, loggers, config);
            replicas.add(
                    process(
                            ports.get(i).host(),
                            cluster,
                            null,
                            null,
                            section,
                            null,
                            metrics.nextInt()));
        }
        List<String> schedulerNames = numbered("scheduler", config.copies().schedulers());
        List<ProcessConfig> schedulers = new ArrayList<>();
        for (int i = 0; i < schedulerNames.size(); i++) {
            schedulers.add(
                    process(
                            placement.host(schedulerNames.get(i)),
                            cluster,
                            config.backend().elsewhere(),
                            null,
                            null,
                            scheduler(i, config, ports, loggers),
                            i == 0 ? firstScheduler : metrics.nextInt()));
        }
        List<ProcessConfig> logging = new ArrayList<>();
        for (int i = 0; i < loggers.size(); i++) {
            logging.add(
                    process(
                            loggers.get(i).host(),
                            cluster,
                            i == 0 ? config.backend() : config.backend().elsewhere(),
                            logger(i, loggers.get(i)),
                            null,
                            null,
                            i == 0 ? firstLogger : metrics.nextInt()));
        }
        return new ClusterPlan(
                List.copyOf(logging), List.copyOf(replicas), List.copyOf(schedulers));
    }

    /// In the order of their start.
    List<ProcessConfig> processes() {
        return Stream.of(loggers, replicas, schedulers).flatMap(List::stream).toList();
    }

    BackendSection backend() {
        return Optional.ofNullable(loggers.getFirst().backend()).orElseThrow();
    }

    private static List<HostPort> addresses(List<String> names, Placement placement) {
        return names.stream()
                .map(name -> new HostPort(placement.host(name), FreePorts.next()))
                .toList();
    }

    private static List<String> numbered(String name, int count) {
        return IntStream.range(0, count).mapToObj(i -> nth(name, i)).toList();
    }

    private static String name(int number, Role role) {
        return role == Role.MASTER ? MASTER : role.text() + "-" + number;
    }

    private static String nth(String name, int number) {
        return number == 0 ? name : name + "-" + (number + 1);
    }

    private static LoggerSection logger(int number, HostPort address) {
        return new LoggerSection(
                nth("logger", number),
                address.port(),
                64,
                20_000,
                30_000,
                10_000,
                500,
                200_000,
                500);
    }

    private static ReplicaSection replica(
            int number,
            Role role,
            List<HostPort> ports,
            List<HostPort> group,
            List<HostPort> loggers,
            ClusterConfig config) {
        String name = name(number, role);
        ClusterConfig.Pages pages = config.pages();
        return new ReplicaSection(
                name,
                role,
                ports.get(number).port(),
                group.get(number).port(),
                FAILURE_PORT_OFFSET,
                group,
                loggers,
                null,
                64,
                WarmupSection.DEFAULT,
                pages == null ? null : pages.folder().resolve("pages-" + name),
                0,
                pages == null ? ClusterConfig.Pages.CHECKPOINT_MILLIS : pages.checkpointMillis(),
                10_000,
                700,
                24,
                256,
                true,
                32,
                256,
                10_000,
                Durability.LOGGED,
                config.classes());
    }

    private static SchedulerSection scheduler(
            int number, ClusterConfig config, List<HostPort> replicas, List<HostPort> loggers) {
        return new SchedulerSection(
                nth("scheduler", number),
                chosen(number == 0 ? config.port() : 0),
                chosen(number == 0 ? config.statusPort() : 0),
                config.user(),
                config.password(),
                config.tls(),
                replicas,
                loggers,
                1_000,
                16,
                1_800,
                1_000,
                1_024,
                60,
                "asked",
                null,
                console(number, config.console()));
    }

    private static @Nullable ConsoleSection console(int number, @Nullable ConsoleSection first) {
        return first == null || number == 0
                ? first
                : new ConsoleSection(
                        first.host(),
                        FreePorts.next(),
                        first.user(),
                        first.password(),
                        first.names());
    }

    private static ProcessConfig process(
            String host,
            @Nullable ClusterSection cluster,
            @Nullable BackendSection backend,
            @Nullable LoggerSection logger,
            @Nullable ReplicaSection replica,
            @Nullable SchedulerSection scheduler,
            int metricsPort) {
        MetricsSection metrics = metricsPort == 0 ? null : new MetricsSection(metricsPort);
        return new ProcessConfig(
                host, WAIT_SECONDS, cluster, backend, logger, replica, scheduler, metrics);
    }

    private static int chosen(int port) {
        return port == 0 ? FreePorts.next() : port;
    }
}
