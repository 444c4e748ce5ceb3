package org.quiredb.node.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.node.Quire;
import org.quiredb.node.backend.FreshBackend;

/// What `quire demo --exit` writes where there is no terminal.
@Tag("slow")
final class DemoOutputTest {
    private static final int LIMIT_SECONDS = 180;
    private static final int WIDTH = 100;

    @TempDir private Path folder;

    @Test
    void isForPeople() throws Exception {
        Path data = FreshBackend.prepare(folder.resolve("data"));

        List<String> output = run(data);

        assertThat(output).allMatch(line -> line.length() <= WIDTH);
        assertThat(output)
                .noneMatch(line -> line.contains("\033"))
                .noneMatch(line -> line.contains("org.quiredb") || line.contains("o.q."))
                .noneMatch(line -> line.contains("Exception"))
                .noneMatch(line -> line.matches(".*\\w\\[\\w+=.*")); // a printed record
        assertThat(output)
                .anyMatch(line -> line.contains("bookstore of 100 books and 144 customers filled"))
                .anyMatch(line -> line.matches("1 master, 1 slave, 0 spares loaded in .*"))
                .anyMatch(line -> line.matches("Quire: .* WIPS \\(web interactions/s\\), .*"))
                .anyMatch(
                        line -> line.matches("  compared +2 replicas and 1 backend .*the same.*"));
        int next = indexOf(output, "What to try next");
        assertThat(output.subList(next, output.size()))
                .anyMatch(line -> line.contains("mariadb --skip-ssl -h 127.0.0.1"))
                .anyMatch(line -> line.contains("./quire lab failover --kill master"))
                .anyMatch(line -> line.contains("./quire tpcw run --url"));
        assertThat(output.size() - next).as("nothing after it").isLessThan(12);
        List<String> log = Files.readAllLines(data.resolve("quire.log"));
        assertThat(log)
                .anyMatch(line -> line.contains("slave-1 serves as slave"))
                .noneMatch(line -> line.matches(".*\\w\\[\\w+=.*"));
    }

    private List<String> run(Path data) throws IOException, InterruptedException {
        Path written = folder.resolve("output");
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx1g",
                                "-XX:TieredStopAtLevel=1",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Quire.class.getName(),
                                "demo",
                                "--exit"));
        command.addAll(List.of("--items=100", "--customers=144", "--slaves=1", "--spares=0"));
        command.addAll(List.of("--browsers=4", "--seconds=3", "--data=" + data));
        command.addAll(List.of("--port=0", "--status-port=0", "--metrics-port=0"));
        command.add("--backend-port=" + FreePorts.next());
        command.add("--console-port=" + FreePorts.next());
        Process demo =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(written.toFile())
                        .start();
        try {
            assertThat(demo.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            demo.destroyForcibly();
        }
        List<String> output = Files.readAllLines(written);
        assertThat(demo.exitValue()).as(String.join("\n", output)).isZero();
        return output;
    }

    private static int indexOf(List<String> lines, String beginning) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith(beginning)) {
                return i;
            }
        }
        throw new AssertionError("no line begins with " + beginning + ": " + lines);
    }
}
