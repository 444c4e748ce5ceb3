package org.quiredb.node.compose;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.quiredb.node.Quire;

/// A service of docker-compose.yml as a process of this machine: the same command in the same
/// environment, with addresses of this machine for the names of the services.
///
/// Threads: one owner.
final class LocalService implements AutoCloseable {
    private static final int STOP_SECONDS = 30;
    private static final int HEALTH_SECONDS = 10;

    private final ComposeFile.Service service;
    private final Map<String, String> addresses;
    private final Path log;
    private final Process process;

    /// @param addresses by the service's name
    /// @param others variables that take the place of names which only the composed network knows
    LocalService(
            ComposeFile.Service service,
            Map<String, String> addresses,
            Map<String, String> others,
            Path root,
            Path folder)
            throws IOException {
        this.service = service;
        this.addresses = addresses;
        log = folder.resolve(service.name() + ".log");
        List<String> command = java(service.environment().getOrDefault("QUIRE_HEAP", "512m"));
        service.command()
                .forEach(word -> command.add(word.replace("/etc/quire", root + "/docker")));
        command.add("--while-stdin-open"); // nothing outlives a test that is killed
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().clear();
        builder.environment().putAll(service.environment());
        builder.environment().putAll(others);
        builder.environment()
                .computeIfPresent("QUIRE_HOST", (_, name) -> addresses.getOrDefault(name, name));
        process = builder.start();
    }

    /// As the image's script starts it.
    private static List<String> java(String heap) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx" + heap,
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-Dh2.objectCache=false",
                        "-Djava.net.preferIPv4Stack=true",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Quire.class.getName()));
        return command;
    }

    boolean isHealthy() throws IOException, InterruptedException {
        if (!process.isAlive()) {
            throw new IllegalStateException(service.name() + " ended: " + output());
        }
        if (service.healthTest().isEmpty()) {
            return output().contains("serves at");
        }
        List<String> test = service.healthTest().stream().map(this::here).toList();
        Process check =
                new ProcessBuilder(test)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        return check.waitFor(HEALTH_SECONDS, TimeUnit.SECONDS) && check.exitValue() == 0;
    }

    private String here(String word) {
        return word.replace("/" + service.name() + "/", "/" + addresses.get(service.name()) + "/");
    }

    String output() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().completeOnTimeout(process, STOP_SECONDS, TimeUnit.SECONDS).join();
        process.destroyForcibly();
    }
}
