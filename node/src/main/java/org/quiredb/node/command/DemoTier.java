package org.quiredb.node.command;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.cluster.ProcessOptions;
import org.quiredb.node.config.BackendSection;
import org.quiredb.node.config.ConsoleSection;
import org.quiredb.node.process.FreePort;
import picocli.CommandLine.Option;

/// The options of the demo that shape its tier.
final class DemoTier {
    static final String ACCOUNT = "quire";
    static final int PORT = 3307;
    static final int STATUS_PORT = 3309;
    private static final String HOST = "127.0.0.1";
    private static final long MEGABYTE = 1 << 20;

    @Option(
            names = "--port",
            description = "for MySQL clients; 0 takes a free one (default: ${DEFAULT-VALUE})",
            defaultValue = "" + PORT)
    private int port;

    @Option(
            names = "--status-port",
            description = "for quire status and verify (default: ${DEFAULT-VALUE})",
            defaultValue = "" + STATUS_PORT)
    private int statusPort;

    @Option(
            names = "--metrics-port",
            description =
                    "of the scheduler's Prometheus endpoint, those after it of the others; 0 for none (default: ${DEFAULT-VALUE})",
            defaultValue = "9309")
    private int metricsPort;

    @Option(
            names = "--console-port",
            description =
                    "where browsers are shown the tier, on 127.0.0.1; 0 for none (default: ${DEFAULT-VALUE})",
            defaultValue = "3380")
    private int consolePort;

    @Option(
            names = "--backend-port",
            description = "of the embedded MariaDB (default: ${DEFAULT-VALUE})",
            defaultValue = "3308")
    private int backendPort;

    @Option(
            names = "--backend-url",
            description =
                    "jdbc:mysql://host:port/ of a MySQL 8 or MariaDB, instead of the embedded one")
    private @Nullable String backendUrl;

    @Option(
            names = "--backend-user",
            description = "who may create databases there (default: ${DEFAULT-VALUE})",
            defaultValue = ACCOUNT)
    private String backendUser = ACCOUNT;

    @Option(
            names = "--backend-password",
            description = "default: ${DEFAULT-VALUE}",
            defaultValue = ACCOUNT)
    private String backendPassword = ACCOUNT;

    @Option(
            names = "--data",
            description = "folder of the database (default: ${DEFAULT-VALUE})",
            defaultValue = "quire-data")
    private Path data = Path.of("quire-data");

    @Option(names = "--slaves", description = "default: ${DEFAULT-VALUE}", defaultValue = "2")
    private int slaves;

    @Option(names = "--spares", description = "default: ${DEFAULT-VALUE}", defaultValue = "1")
    private int spares;

    @Option(
            names = "--processes",
            description =
                    "every role a process of its own; configurations and logs in DATA/processes, pages of replica NAME in DATA/pages-NAME")
    private boolean processes;

    @Option(
            names = "--processes-memory",
            paramLabel = "MB",
            description =
                    "heaps of all processes together: a tenth each for logger and scheduler, at most 1024, the rest shared by the replicas (default: this process's largest heap)")
    private long processesMemory;

    /// Whether every role is a process of its own, which can be killed. Where a browser is shown
    /// the tier, if it is.
    Optional<String> consoleLink() {
        return consolePort == 0
                ? Optional.empty()
                : Optional.of("http://127.0.0.1:%d/".formatted(consolePort));
    }

    boolean processes() {
        return processes;
    }

    Path data() {
        return data;
    }

    /// `1 master, 2 slaves, 1 spare`.
    String nodes() {
        return "1 master, %s, %s"
                .formatted(DemoSummary.count(slaves, "slave"), DemoSummary.count(spares, "spare"));
    }

    /// What is underneath, in words.
    String underneath() {
        return backendUrl == null
                ? "MariaDB in %s, port %d".formatted(data, backendPort)
                : "the database at " + backendUrl;
    }

    /// Does not run yet.
    ///
    /// @throws RuntimeException when an option is wrong or a port is in use
    LocalCluster tier() {
        ClusterConfig config =
                new ClusterConfig(port, statusPort, backend(), slaves, spares, ACCOUNT, ACCOUNT);
        if (consolePort != 0) {
            config = config.with(ConsoleSection.at(consolePort));
        }
        requireFree("--port", port);
        requireFree("--status-port", statusPort);
        requireFree("--metrics-port", metricsPort);
        requireFree("--console-port", consolePort);
        if (backendUrl == null && !Files.exists(data.resolve("program"))) {
            requireFree("--backend-port", backendPort); // before a file is made, as the log's
        }
        return processes
                ? LocalCluster.processes(
                        config.with(
                                new ClusterConfig.Pages(
                                        data.toAbsolutePath(),
                                        ClusterConfig.Pages.CHECKPOINT_MILLIS)),
                        new ProcessOptions(
                                data.toAbsolutePath().resolve("processes"),
                                metricsPort,
                                memoryMegabytes(),
                                1 + slaves + spares))
                : LocalCluster.inside(config, metricsPort);
    }

    private BackendSection backend() {
        BackendSection.Embedded embedded =
                backendUrl == null
                        ? new BackendSection.Embedded(data.toAbsolutePath(), backendPort)
                        : null;
        return new BackendSection(embedded, backendUrl, List.of(), backendUser, backendPassword);
    }

    private long memoryMegabytes() {
        long largest = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getMax();
        return processesMemory > 0 ? processesMemory : largest / MEGABYTE;
    }

    private static void requireFree(String option, int port) {
        if (port < 0 || port > 0xFFFF) {
            throw new IllegalArgumentException(
                    option + " must be between 0 and 65535, not " + port);
        }
        if (port > 0) {
            FreePort.require(option, HOST, port);
        }
    }
}
