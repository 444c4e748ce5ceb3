package org.quiredb.node.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.node.Await;

/// The embedded MariaDB and its process share their fate.
@Timeout(240)
@Tag("slow")
final class FateTest {
    @TempDir private Path folder;
    private final int port = FreePorts.next();

    @Test
    void aServerWhoseProcessWasKilledIsInNobodysWay() throws Exception {
        FreshBackend.prepare(folder);
        Process killed = begin();
        awaitUp(killed);
        execute("CREATE TABLE test.t (id INT PRIMARY KEY)");
        execute("INSERT INTO test.t VALUES (7)");
        killed.destroyForcibly().waitFor();

        try (EmbeddedBackend backend = EmbeddedBackend.start(folder, port, "quire", "quire")) {
            assertThat(backend.port()).isEqualTo(port);
            execute("INSERT INTO test.t VALUES (8)");
        }
        assertThat(servers()).isEmpty();
    }

    /// Also where the system cannot end it together with its process.
    @Test
    void aServerThatWasLeftIsEndedByTheNextStart() throws Exception {
        FreshBackend.prepare(folder);
        Path program = folder.toRealPath().resolve("program");
        ProcessBuilder builder =
                new ProcessBuilder(
                                Installation.server(program).toString(),
                                "--no-defaults",
                                "--basedir=" + program,
                                "--datadir=" + folder.resolve("data"),
                                "--socket=",
                                "--bind-address=127.0.0.1",
                                "--skip-ssl", // else it makes a key: seconds of CPU
                                "--user=" + System.getProperty("user.name"),
                                "--port=" + port)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("left.log").toFile());
        Installation.setLibraries(builder, program);
        Process left = builder.start();
        Await.await(
                "the server that is left",
                () -> read(folder.resolve("left.log")).contains("ready for connections"));

        EmbeddedBackend.start(folder, port, "quire", "quire").close();

        assertThat(left.isAlive()).isFalse();
    }

    /// As the lab has it: one backend's folder lies in that of the other.
    @Test
    void aServerOfAFolderBelowIsNobodysToEnd() throws Exception {
        Path below = Files.createDirectories(folder.resolve("backend-2"));
        try (EmbeddedBackend other =
                        EmbeddedBackend.start(FreshBackend.prepare(below), port, "quire", "quire");
                EmbeddedBackend above =
                        EmbeddedBackend.start(
                                FreshBackend.prepare(folder), FreePorts.next(), "quire", "quire")) {
            assertThat(above.port()).isNotEqualTo(other.port());
            assertThat(read(below.resolve("server.log"))).containsOnlyOnce("Starting MariaDB");
            execute("CREATE TABLE test.t (id INT PRIMARY KEY)");
        }
    }

    @Test
    void aServerThatDiesAloneIsStartedAgain() throws Exception {
        try (EmbeddedBackend backend =
                EmbeddedBackend.start(FreshBackend.prepare(folder), port, "quire", "quire")) {
            execute("CREATE TABLE test.t (id INT PRIMARY KEY)");
            for (int death = 0; death < 2; death++) {
                ProcessHandle server = servers().getFirst();
                server.destroyForcibly();
                server.onExit().join();
                int row = death;
                Await.await(
                        "its return", () -> executes("INSERT INTO test.t VALUES (" + row + ")"));
            }
            assertThat(servers()).hasSize(1);
            assertThat(backend.serverVersion()).contains("MariaDB");
        }
        assertThat(servers()).isEmpty();
    }

    @Test
    void anInstallationThatBrokeOffIsBegunAnew() throws Exception {
        Process killed = begin();
        Await.await("an installation", this::tablesAreBeingMade);
        killed.destroyForcibly().waitFor();

        EmbeddedBackend.start(folder, port, "quire", "quire").close();

        assertThat(servers()).isEmpty();
    }

    /// As after a power cut, or the end of a container.
    @Test
    void anInstallationThatBrokeOffWithAllItsProcessesIsBegunAnew() throws Exception {
        Process killed = begin();
        Await.await("an installation", this::tablesAreBeingMade);
        List<ProcessHandle> all = new ArrayList<>(killed.descendants().toList());
        killed.destroyForcibly().waitFor();
        all.addAll(servers());
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(process -> process.onExit().join());

        try (EmbeddedBackend begun = EmbeddedBackend.start(folder, port, "quire", "quire")) {
            assertThat(begun.serverVersion()).contains("MariaDB");
            execute("CREATE TABLE test.t (id INT PRIMARY KEY)");
        }
        assertThat(servers()).isEmpty();
    }

    @Test
    void aFolderIsOneProcessesAtATime() throws Exception {
        FreshBackend.prepare(folder);
        Process first = begin();
        awaitUp(first);
        assertThatThrownBy(() ->
                        EmbeddedBackend.start(folder, FreePorts.next(), "quire", "quire").close())
                .isInstanceOf(QuireException.class)
                .hasMessageContaining("another process uses this folder");
        assertThat(executes("SELECT 1")).isTrue();
        first.getOutputStream().close();
        assertThat(first.waitFor()).isZero();
        EmbeddedBackend.start(folder, port, "quire", "quire").close();
    }

    private boolean tablesAreBeingMade() {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.anyMatch(file -> file.getFileName().toString().startsWith("ibdata"));
        } catch (IOException | java.io.UncheckedIOException e) {
            return false; // it changes meanwhile
        }
    }

    private Process begin() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        BackendMain.class.getName(),
                        folder.toString(),
                        Integer.toString(port))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void awaitUp(Process process) throws IOException {
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String line = out.readLine();
        while (line != null && !line.startsWith(BackendMain.UP)) {
            line = out.readLine();
        }
        assertThat(line).startsWith(BackendMain.UP);
    }

    private List<ProcessHandle> servers() throws IOException {
        Path real = folder.toRealPath();
        return ProcessHandle.allProcesses()
                .filter(process ->
                        process.info()
                                .command()
                                .filter(command -> Path.of(command).startsWith(real))
                                .isPresent())
                .toList();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(
                                "jdbc:mysql://127.0.0.1:" + port + "/", "quire", "quire");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE IF NOT EXISTS test");
            statement.execute(sql);
        }
    }

    private boolean executes(String sql) {
        try {
            execute(sql);
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }
}
