package org.quiredb.node.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.trust.Trust;

/// The whole file of one process.
///
/// @param host the address that this process listens on and that the others reach it by
/// @param waitSeconds how long the process waits for the parts that it needs
/// @param cluster what its processes know one another by; null on one machine
/// @param backend of the logger and the scheduler in this process, or just run for others
public record ProcessConfig(
        @Default("127.0.0.1") String host,
        @Default("300") int waitSeconds,
        @Nullable ClusterSection cluster,
        @Nullable BackendSection backend,
        @Nullable LoggerSection logger,
        @Nullable ReplicaSection replica,
        @Nullable SchedulerSection scheduler,
        @Nullable MetricsSection metrics) {
    private static final String EMBEDDED_PORT = "backend.embedded.port";
    private static final String CONSOLE_PORT = "scheduler.console.port";
    private static final Set<String> OPEN =
            Set.of(EMBEDDED_PORT, CONSOLE_PORT, "scheduler.port", "metrics.port");

    public ProcessConfig {
        SectionChecks.present("host", host);
        SectionChecks.between("waitSeconds", waitSeconds, 1, 86_400);
        boolean embedded = backend != null && backend.embedded() != null;
        require(
                embedded || logger != null || replica != null || scheduler != null,
                "no role: name at least one of logger, replica, scheduler, backend.embedded");
        require(
                backend != null || (logger == null && scheduler == null),
                "backend is missing: a logger and a scheduler need it");
        require(
                logger != null || replica == null || !replica.logger().isEmpty(),
                "replica.logger is missing: a replica needs one, here or elsewhere");
        require(
                logger != null || scheduler == null || !scheduler.logger().isEmpty(),
                "scheduler.logger is missing: a scheduler needs one, here or elsewhere");
    }

    /// Whom this process believes.
    ///
    /// @throws ConfigException when the secret cannot be read
    public Trust trust() {
        return cluster == null ? Trust.loopback() : cluster.trust();
    }

    /// A port that this process will listen on, and the key that names it.
    public record Listening(String key, String host, int port) {}

    public List<Listening> ports() {
        List<Listening> ports = new ArrayList<>();
        if (backend != null && backend.embedded() != null) {
            ports.add(new Listening(EMBEDDED_PORT, "127.0.0.1", backend.embedded().port()));
        }
        if (logger != null) {
            ports.add(new Listening("logger.port", host, logger.port()));
        }
        if (replica != null) {
            ports.add(new Listening("replica.port", host, replica.port()));
            ports.add(new Listening("replica.groupPort", host, replica.groupPort()));
            if (cluster == null) {
                ports.add(new Listening("replica.failurePortOffset", host, replica.failurePort()));
            }
        }
        if (scheduler != null) {
            ports.add(new Listening("scheduler.port", host, scheduler.port()));
            ports.add(new Listening("scheduler.statusPort", host, scheduler.statusPort()));
            ConsoleSection console = scheduler.console();
            if (console != null) {
                ports.add(new Listening(CONSOLE_PORT, console.host(), console.port()));
            }
        }
        if (metrics != null) {
            ports.add(new Listening("metrics.port", host, metrics.port()));
        }
        return ports;
    }

    /// Those that only processes of the cluster have business with. MySQL's clients log in; whoever
    /// reads metrics learns no secret; the console sees to its own.
    public List<Listening> portsOfTheCluster() {
        return ports().stream().filter(port -> !OPEN.contains(port.key())).toList();
    }

    /// Those that must be free before anything is started. The embedded backend's is not among
    /// them: it ends the server that a former life of this process may have left there.
    public List<Listening> portsToBeFree() {
        return ports().stream().filter(port -> !port.key().equals(EMBEDDED_PORT)).toList();
    }

    /// The loggers that a master or a scheduler of this process uses.
    public List<HostPort> loggersOf(List<HostPort> elsewhere) {
        return elsewhere.isEmpty() && logger != null
                ? List.of(new HostPort(host, logger.port()))
                : elsewhere;
    }

    /// What to call the process when people read about it.
    public String title() {
        return replica != null
                ? replica.name()
                : scheduler != null ? scheduler.name() : logger != null ? logger.name() : "backend";
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
