package org.quiredb.node.isolation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// Hands tests a tier, the same for all of them.
final class RunningTier implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Tier.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(RunningTier.class))
                .getOrComputeIfAbsent(Running.class)
                .tier;
    }

    /// Closed by JUnit after the last test of this JVM.
    static final class Running implements AutoCloseable {
        private final Path folder;
        private final Tier tier;

        Running() throws Exception {
            folder = Files.createTempDirectory("quire-isolation");
            tier = new Tier(folder);
        }

        @Override
        public void close() throws IOException {
            tier.close();
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).forEach(Running::delete);
            }
        }

        private static void delete(Path file) {
            try {
                Files.delete(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
