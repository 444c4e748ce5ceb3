package org.quiredb.node.lab;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.node.backend.EmbeddedBackend;

/// The on-disk databases of an experiment, each a process over a folder of its own.
///
/// The first one is filled; the others begin as copies of its files, whatever an earlier experiment
/// left in them. Threads: one; asked what they answer by any.
final class LabBackends implements AutoCloseable {
    private static final String FIRST = "backend";

    private final Path data;
    private final EmbeddedBackend.Site site;
    private final Map<String, EmbeddedBackend> running =
            Collections.synchronizedMap(new LinkedHashMap<>());

    private LabBackends(Path data, EmbeddedBackend.Site site) {
        this.data = data;
        this.site = site;
    }

    /// @param port of the first; the others take free ones
    static LabBackends start(
            Path data, EmbeddedBackend.Site site, int port, int count, LabTier.Contents contents)
            throws SQLException {
        LabBackends backends = new LabBackends(data, site);
        try {
            contents.create(backends.start(FIRST, port));
            if (count > 1) {
                backends.close();
                for (int i = 1; i < count; i++) {
                    String name = FIRST + "-" + (i + 1);
                    backends.copyFirst("program", data.resolve(name));
                    backends.copyFirst("data", data.resolve(name));
                    backends.start(name, freePort());
                }
                backends.start(FIRST);
            }
            return backends;
        } catch (SQLException | RuntimeException e) {
            backends.close();
            throw e;
        }
    }

    private void copyFirst(String part, Path folder) {
        try {
            Path from = data.resolve(part);
            Path to = Files.createDirectories(folder).resolve(part);
            List<Path> files;
            try (Stream<Path> old = Files.exists(to) ? Files.walk(to) : Stream.of()) {
                files = old.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path file : files) {
                Files.delete(file);
            }
            try (Stream<Path> all = Files.walk(from)) {
                files = all.toList();
            }
            for (Path file : files) {
                Files.copy(
                        file,
                        to.resolve(from.relativize(file)),
                        StandardCopyOption.COPY_ATTRIBUTES);
            }
        } catch (IOException e) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE, "the backend cannot be copied to " + folder, e);
        }
    }

    List<String> names() {
        return List.copyOf(running.keySet());
    }

    List<EmbeddedBackend> all() {
        return List.copyOf(running.values());
    }

    Map<String, Long> processIds() {
        Map<String, Long> ids = new LinkedHashMap<>();
        running.forEach((name, backend) -> ids.put(name, backend.processId()));
        return ids;
    }

    void kill(String name) {
        backend(name).kill();
    }

    /// Again, over its folder.
    void start(String name) {
        start(name, backend(name).port());
    }

    private EmbeddedBackend start(String name, int port) {
        EmbeddedBackend started =
                EmbeddedBackend.start(
                        name.equals(FIRST) ? data : data.resolve(name),
                        site,
                        port,
                        LabTier.ACCOUNT,
                        LabTier.ACCOUNT);
        running.put(name, started);
        return started;
    }

    private EmbeddedBackend backend(String name) {
        return Objects.requireNonNull(running.get(name), name);
    }

    /// To each of them.
    List<Connection> direct() throws SQLException {
        List<Connection> connections = new ArrayList<>();
        for (EmbeddedBackend backend : all()) {
            connections.add(
                    DriverManager.getConnection(
                            backend.jdbcUrl(), LabTier.ACCOUNT, LabTier.ACCOUNT));
        }
        return connections;
    }

    /// Whether each of them answers, in words.
    List<String> answers() {
        List<String> answers = new ArrayList<>();
        for (Map.Entry<String, EmbeddedBackend> each : List.copyOf(running.entrySet())) {
            String name = each.getKey();
            try (Connection connection =
                    DriverManager.getConnection(
                            each.getValue().jdbcUrl() + "?connectTimeout=2000&socketTimeout=2000",
                            LabTier.ACCOUNT,
                            LabTier.ACCOUNT)) {
                answers.add("%s answers: %s".formatted(name, connection.isValid(2)));
            } catch (SQLException e) {
                answers.add("%s does not answer: %s".formatted(name, e.getMessage()));
            }
        }
        return answers;
    }

    private static int freePort() {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        } catch (IOException e) {
            throw new QuireException(ErrorCode.TIER_UNAVAILABLE, "no port is free", e);
        }
    }

    /// Ends all of them.
    @Override
    public void close() {
        running.values().forEach(EmbeddedBackend::close);
    }
}
