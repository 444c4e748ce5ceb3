package org.quiredb.node.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.quiredb.node.config.ConfigFile;
import org.quiredb.node.config.ProcessConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A process of the tier in a JVM of its own: `quire node` with the same Java, class path and
/// options as this one.
///
/// It ends when its standard input does: the system closes that pipe however this process ends.
///
/// Threads: any.
final class SpawnedProcess implements RunningProcess {
    private static final Logger LOG = LoggerFactory.getLogger(SpawnedProcess.class);
    private static final int STOP_SECONDS = 60;

    private final String title;
    private final Path log;
    private final Process process;

    /// @param launcher what stands before its command
    /// @param folder of its configuration and its log
    /// @param heapMegabytes its largest heap
    SpawnedProcess(List<String> launcher, ProcessConfig config, Path folder, int heapMegabytes) {
        title = config.title();
        log = folder.resolve(title + ".log");
        Path file = folder.resolve(title + ".yaml");
        try {
            Files.createDirectories(folder);
            ConfigFile.write(file, config);
            if (Files.exists(log)) { // of one that has ended
                Files.move(
                        log, folder.resolve(title + ".log.1"), StandardCopyOption.REPLACE_EXISTING);
            }
            process =
                    new ProcessBuilder(command(launcher, file, heapMegabytes))
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + title + ": " + e.getMessage(), e);
        }
    }

    @Override
    public Optional<String> failure() {
        return process.isAlive()
                ? Optional.empty()
                : Optional.of(
                        "%s ended with exit code %d: %s; see %s"
                                .formatted(title, process.exitValue(), lastLine(), log));
    }

    @Override
    public void kill() {
        process.destroyForcibly();
    }

    @Override
    public List<ProcessHandle> processes() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
    }

    @Override
    public void pause() {
        signal("STOP");
    }

    @Override
    public void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            int code =
                    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                            .inheritIO()
                            .start()
                            .waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill -%s %s: %d".formatted(name, title, code));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot signal " + title + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            resume(); // one that stands still does not hear that it is to stop
        }
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("{} did not stop within {} s and is killed", title, STOP_SECONDS);
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }

    private static List<String> command(List<String> launcher, Path file, int heapMegabytes) {
        List<String> command = new ArrayList<>(launcher);
        command.addAll(
                JavaCommand.quire(
                        List.of("-Xmx" + heapMegabytes + "m"),
                        List.of("node", "--while-stdin-open", file.toString())));
        return command;
    }

    private String lastLine() {
        try {
            List<String> lines = Files.readAllLines(log);
            return lines.isEmpty() ? "it said nothing" : lines.getLast();
        } catch (IOException e) {
            return "its log cannot be read";
        }
    }
}
