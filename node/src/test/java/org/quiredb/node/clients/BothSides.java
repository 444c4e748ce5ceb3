package org.quiredb.node.clients;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;

/// Hands tests a tier and a MariaDB to compare it with.
final class BothSides implements ParameterResolver {
    static final String USER = "quire";
    static final String PASSWORD = "quire";

    /// @param mariaDb the port of the server to compare with
    /// @param behind the port of the tier's backend
    /// @param programs where the server's own client programs are
    record Ports(int quire, int mariaDb, int behind, LocalCluster tier, Path programs) {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Ports.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(BothSides.class))
                .getOrComputeIfAbsent(Running.class)
                .ports;
    }

    /// Closed by JUnit after the last test of this JVM.
    static final class Running implements AutoCloseable {
        private final Path folder;
        private final EmbeddedBackend mariaDb;
        private final EmbeddedBackend backend;
        private final LocalCluster tier;
        private final Ports ports;

        Running() throws IOException {
            folder = Files.createTempDirectory("quire-clients");
            mariaDb = server("other");
            backend = server("behind");
            tier =
                    LocalCluster.start(
                            new ClusterConfig(0, backend.port(), folder, 2, 0, USER, PASSWORD),
                            backend);
            Path programs = folder.resolve("other").resolve("program").resolve("bin");
            ports = new Ports(tier.port(), mariaDb.port(), backend.port(), tier, programs);
        }

        @Override
        public void close() throws IOException {
            for (AutoCloseable part : List.<AutoCloseable>of(tier, backend, mariaDb)) {
                try {
                    part.close();
                } catch (Exception e) {
                    throw new IOException("a side did not stop", e);
                }
            }
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }

        private EmbeddedBackend server(String name) {
            return FreshBackend.start(folder.resolve(name));
        }
    }
}
