package org.quiredb.node.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.quiredb.common.lifecycle.FreePorts;

/// A {@link TierMain} and its MariaDB, which can be killed.
///
/// Threads: one; connections by any.
final class TierProcess implements AutoCloseable {
    static final String READY = "tier ready on port ";
    static final String VERIFIED = "tiers compared: ";
    static final String IDENTICAL = "identical";
    private static final int PATIENCE_SECONDS = 180;

    private final Process process;
    private final BufferedReader answers;
    private final Writer questions;
    private final int backendPort;
    private final int port;

    private TierProcess(Process process, int backendPort) {
        this.process = process;
        this.backendPort = backendPort;
        this.answers = process.inputReader(StandardCharsets.UTF_8);
        this.questions = process.outputWriter(StandardCharsets.UTF_8);
        this.port = Integer.parseInt(answer(READY));
    }

    /// Returns when the tier serves clients.
    ///
    /// @param onDisk whether the replicas have folders for their pages
    static TierProcess start(Path data, Path log, boolean onDisk) throws IOException {
        int backendPort = FreePorts.next();
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx512m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1", // it never lives long
                                "-Djava.net.preferIPv4Stack=true",
                                "--sun-misc-unsafe-memory-access=allow",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                TierMain.class.getName(),
                                data.toString(),
                                Integer.toString(backendPort),
                                Boolean.toString(onDisk))
                        .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                        .start();
        try {
            return new TierProcess(process, backendPort);
        } catch (RuntimeException e) {
            processes(process).forEach(ProcessHandle::destroyForcibly);
            throw new IOException("the tier did not start: " + Files.readString(log), e);
        }
    }

    Connection connect() throws SQLException {
        return connect(port);
    }

    /// To MariaDB, past the tier.
    Connection connectToBackend() throws SQLException {
        return connect(backendPort);
    }

    private static Connection connect(int port) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:"
                        + port
                        + "/?connectTimeout=5000&socketTimeout=20000&allowMultiQueries=true",
                "quire",
                "quire");
    }

    /// Compares replicas and backend: {@link #IDENTICAL}, or what differs.
    String verify() throws IOException {
        questions.write("verify\n");
        questions.flush();
        return answer(VERIFIED);
    }

    /// SIGKILL for all, at once; returns when they are gone.
    void kill() {
        List<ProcessHandle> victims = processes(process).toList();
        if (victims.size() < 2) {
            throw new IllegalStateException("the tier runs without a MariaDB of its own");
        }
        victims.forEach(ProcessHandle::destroyForcibly);
        victims.forEach(TierProcess::awaitExit);
    }

    private static void awaitExit(ProcessHandle handle) {
        handle.onExit().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    }

    private static Stream<ProcessHandle> processes(Process process) {
        return Stream.concat(process.descendants(), Stream.of(process.toHandle()));
    }

    private String answer(String prefix) {
        return CompletableFuture.supplyAsync(() -> nextLine(prefix))
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    private String nextLine(String prefix) {
        try {
            for (String line = answers.readLine(); line != null; line = answers.readLine()) {
                if (line.startsWith(prefix)) {
                    return line.substring(prefix.length());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException("the tier ended before it said: " + prefix);
    }

    /// Ends the tier as a user would, or whatever is left of it.
    @Override
    public void close() throws IOException {
        List<ProcessHandle> all = processes(process).toList();
        try {
            questions.close();
        } catch (IOException e) { // its reader is dead
            all.forEach(ProcessHandle::destroyForcibly);
        }
        answers.close();
        all.forEach(TierProcess::awaitExit);
    }
}
