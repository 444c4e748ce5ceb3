package org.quiredb.node.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.node.Await;
import org.quiredb.node.Quire;
import org.quiredb.node.backend.FreshBackend;

/// `quire demo --processes` as its user runs it.
@Tag("slow")
final class DemoProcessesTest {
    private static final int LIMIT_SECONDS = 180;

    /// Logger, MariaDB, master, slave, spare, scheduler.
    private static final int PROCESSES = 6;

    @TempDir private Path folder;

    @Test
    void runsEveryRoleAsAProcessAndTellsWhatItMeasured() throws Exception {
        Path json = folder.resolve("out.json");

        Process demo = demo("--exit", "--json", json.toString());

        assertThat(demo.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(demo.exitValue()).as(output()).isZero();
        JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertThat(report.get("wips").asDouble()).isPositive();
        assertThat(report.get("interactions").asLong()).isPositive();
        assertThat(report.get("errors").asLong()).isZero();
        assertThat(report.get("commits").asLong()).isPositive();
        assertThat(report.get("versionConflicts").asLong()).isZero();
        assertThat(report.get("writeSetBytesPerCommit").asLong()).isPositive();
        assertThat(report.get("mixDeviationPercent").isNumber()).isTrue();
        assertThat(report.get("wirtP50Millis").size()).isPositive();
        assertThat(report.get("wirtP99Millis").size())
                .isEqualTo(report.get("wirtP50Millis").size());
        assertThat(report.get("loadSeconds").asDouble()).isPositive();
        assertThat(report.at("/readsByNode/master").asLong(-1)).isZero();
        assertThat(report.at("/readsByNode/slave-1").asLong()).isPositive();
        assertThat(report.at("/memory/pageBytes/slave-1").asLong()).isPositive();
        assertThat(report.at("/memory/heapUsedBytes/slave-1").asLong()).isPositive();
        assertThat(report.at("/verify/identical").asBoolean()).isTrue();
        assertThat(report.at("/verify/tables").asInt()).isEqualTo(10);
        assertThat(report.at("/verify/replicas").asInt()).isEqualTo(3);
        assertThat(report.at("/verify/backends").asInt()).isEqualTo(1);
        assertThat(demo.descendants()).isEmpty();
    }

    @Test
    void whatDiesIsStartedAgain() throws Exception {
        Process demo = demo();
        try {
            awaitOutput(demo, "The tier stays up", 0);
            Matcher port = Pattern.compile("MySQL clients: 127.0.0.1:(\\d+)").matcher(output());
            assertThat(port.find()).isTrue();
            String url = "jdbc:mysql://127.0.0.1:" + port.group(1) + "/tpcw";
            for (String victim : List.of("logger", "slave-1", "logger")) {
                int before = output().length();
                kill(demo, victim);
                // The first commit has to wait for the log that is gone.
                Await.await(
                        "commits after the death of " + victim,
                        () -> runs(url, "UPDATE item SET i_stock = i_stock + 1 WHERE i_id = 1"));
                awaitOutput(
                        demo,
                        victim + (victim.equals("logger") ? " does not answer" : " died"),
                        before);
                awaitOutput(demo, victim + " is back", before);
            }
            assertThat(Files.readString(folder.resolve("quire.log")))
                    .contains(
                            "logger ended with exit code 137", "slave-1 ended with exit code 137");
            Await.await("every process", () -> processes(demo) == PROCESSES);
            String said = output();
            demo.destroy();
            assertThat(demo.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(output()).as("a clean stop is silent").isEqualTo(said);
        } finally {
            demo.destroy();
            assertThat(demo.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    /// Also one that is being started again.
    private static void kill(Process demo, String title) throws Exception {
        Await.await("a process of " + title, () -> child(demo, title).isPresent());
        ProcessHandle victim = child(demo, title).orElseThrow();
        victim.destroyForcibly();
        victim.onExit().get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    private static Optional<ProcessHandle> child(Process demo, String title) {
        return demo.children()
                .filter(child -> commandLine(child).endsWith("/" + title + ".yaml\0"))
                .findFirst();
    }

    /// As Linux has it: what the JDK tells of it ends after a page of memory.
    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
        } catch (IOException e) {
            return ""; // it has ended
        }
    }

    /// With the MariaDB.
    private static long processes(Process demo) {
        return demo.descendants().filter(ProcessHandle::isAlive).count();
    }

    private static boolean runs(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url, "quire", "quire");
                Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql) == 1;
        } catch (SQLException e) {
            return false;
        }
    }

    /// @param from characters that were said before
    private void awaitOutput(Process demo, String text, int from) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!output().substring(from).contains(text)) {
            assertThat(demo.isAlive()).as(output()).isTrue();
            assertThat(System.nanoTime()).as(output()).isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    @Test
    @Tag("long")
    void itsProcessesEndWhenItIsKilled() throws Exception {
        Process demo = demo();
        List<ProcessHandle> processes = List.of();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!output().contains("WIPS")) {
            assertThat(demo.isAlive()).as(output()).isTrue();
            assertThat(System.nanoTime()).as(output()).isLessThan(deadline);
            processes = demo.descendants().toList();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        }

        demo.destroyForcibly();

        assertThat(processes).hasSizeGreaterThanOrEqualTo(PROCESSES);
        for (ProcessHandle process : processes) {
            process.onExit().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
    }

    private Process demo(String... more) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx1g",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Quire.class.getName(),
                                "demo",
                                "--processes",
                                "--processes-memory=1024"));
        command.addAll(List.of("--items=100", "--customers=144", "--slaves=1", "--spares=1"));
        command.addAll(
                List.of(
                        "--browsers=4",
                        "--seconds=3",
                        "--data",
                        FreshBackend.prepare(folder).toString()));
        command.addAll(List.of("--port=0", "--status-port=0", "--metrics-port=0"));
        command.add("--backend-port=" + FreePorts.next());
        command.add("--console-port=" + FreePorts.next());
        command.addAll(List.of(more));
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log()).start();
    }

    private File log() {
        return folder.resolve("demo.log").toFile();
    }

    private String output() throws IOException {
        return log().exists() ? Files.readString(log().toPath()) : "";
    }
}
