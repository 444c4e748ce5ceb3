package org.quiredb.node.cluster;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.config.BackendSection;
import org.quiredb.node.config.ClassSection;
import org.quiredb.node.config.ConsoleSection;
import org.quiredb.node.config.TlsSection;

/// A tier on this machine.
///
/// @param port where MySQL clients connect, on 127.0.0.1; 0 takes a free one
/// @param statusPort where the scheduler tells its status; 0 takes a free one
/// @param backend embedded or elsewhere
/// @param slaves replicas that answer reads, at least 1
/// @param spares replicas that only keep up
/// @param user of MySQL clients
/// @param classes conflict classes that are wished to have a master of their own
/// @param pages null when they are in memory only
/// @param copies of what is no replica
/// @param tls of MySQL clients; off unless it is said, as that of the embedded backend
/// @param console of the first scheduler, those of the others at free ports; null for none
public record ClusterConfig(
        int port,
        int statusPort,
        BackendSection backend,
        int slaves,
        int spares,
        String user,
        String password,
        List<ClassSection> classes,
        @Nullable Pages pages,
        Copies copies,
        TlsSection tls,
        @Nullable ConsoleSection console) {
    /// How many there are of each, 1 to 4.
    ///
    /// @param schedulers side by side
    /// @param loggers of which one is active
    public record Copies(int schedulers, int loggers) {
        static final Copies SINGLE = new Copies(1, 1);

        public Copies {
            require(
                    schedulers >= 1 && schedulers <= 4,
                    "schedulers must be between 1 and 4, not " + schedulers);
            require(
                    loggers >= 1 && loggers <= 4,
                    "loggers must be between 1 and 4, not " + loggers);
        }
    }

    /// Where replicas keep their pages.
    ///
    /// @param folder in which the replica NAME has `pages-NAME`
    /// @param checkpointMillis between two rounds that write them down
    public record Pages(Path folder, long checkpointMillis) {
        public static final long CHECKPOINT_MILLIS = 10_000;
    }

    public ClusterConfig {
        classes = List.copyOf(classes);
        requirePort("port", port);
        requirePort("status port", statusPort);
        require(slaves >= 1 && slaves <= 16, "slaves must be between 1 and 16, not " + slaves);
        require(spares >= 0 && spares <= 16, "spares must be between 0 and 16, not " + spares);
    }

    /// With one master of everything.
    public ClusterConfig(
            int port,
            int statusPort,
            BackendSection backend,
            int slaves,
            int spares,
            String user,
            String password) {
        this(
                port,
                statusPort,
                backend,
                slaves,
                spares,
                user,
                password,
                List.of(),
                null,
                Copies.SINGLE,
                TlsSection.OFF,
                null);
    }

    /// With a free status port.
    public ClusterConfig(
            int port,
            int backendPort,
            Path data,
            int slaves,
            int spares,
            String user,
            String password) {
        this(port, 0, backendPort, data, slaves, spares, user, password);
    }

    /// Over an embedded backend with the account of the clients.
    ///
    /// @param data folder of the embedded MariaDB
    public ClusterConfig(
            int port,
            int statusPort,
            int backendPort,
            Path data,
            int slaves,
            int spares,
            String user,
            String password) {
        this(
                port,
                statusPort,
                BackendSection.embedded(
                        new BackendSection.Embedded(data, backendPort), user, password),
                slaves,
                spares,
                user,
                password);
    }

    /// The same tier over a backend that runs already.
    public ClusterConfig over(EmbeddedBackend running) {
        return over(List.of(running));
    }

    /// The same tier over backends that run already and hold the same.
    public ClusterConfig over(List<EmbeddedBackend> running) {
        BackendSection elsewhere =
                BackendSection.at(
                        running.stream().map(EmbeddedBackend::jdbcUrl).toList(), user, password);
        return new ClusterConfig(
                port,
                statusPort,
                elsewhere,
                slaves,
                spares,
                user,
                password,
                classes,
                pages,
                copies,
                tls,
                console);
    }

    /// With these masters of classes.
    public ClusterConfig with(List<ClassSection> own) {
        return new ClusterConfig(
                port,
                statusPort,
                backend,
                slaves,
                spares,
                user,
                password,
                own,
                pages,
                copies,
                tls,
                console);
    }

    /// Whose replicas have folders for their pages.
    public ClusterConfig with(Pages kept) {
        return new ClusterConfig(
                port,
                statusPort,
                backend,
                slaves,
                spares,
                user,
                password,
                classes,
                kept,
                copies,
                tls,
                console);
    }

    /// With so many schedulers and loggers.
    public ClusterConfig with(Copies many) {
        return new ClusterConfig(
                port,
                statusPort,
                backend,
                slaves,
                spares,
                user,
                password,
                classes,
                pages,
                many,
                tls,
                console);
    }

    /// With TLS.
    public ClusterConfig with(TlsSection clients) {
        return new ClusterConfig(
                port,
                statusPort,
                backend,
                slaves,
                spares,
                user,
                password,
                classes,
                pages,
                copies,
                clients,
                console);
    }

    /// With consoles.
    public ClusterConfig with(ConsoleSection shown) {
        return new ClusterConfig(
                port,
                statusPort,
                backend,
                slaves,
                spares,
                user,
                password,
                classes,
                pages,
                copies,
                tls,
                shown);
    }

    private static void requirePort(String what, int port) {
        require(port >= 0 && port < 65536, what + " must be between 0 and 65535, not " + port);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
