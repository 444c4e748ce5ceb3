package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// The programs in `examples/`, each a process of its own, print the same against both sides.
@ExtendWith(BothSides.class)
@Tag("slow")
final class ExamplesTest {
    private static final long PATIENCE_SECONDS = 120;
    private static final Path EXAMPLES = examples();

    @TempDir private Path folder;

    @Test
    void phpScriptPrintsTheSame(BothSides.Ports ports) throws Exception {
        requirePhp();
        Path script = EXAMPLES.resolve("crud.php");
        printsTheSame(ports, List.of("php", "-d", "display_errors=1", script.toString()));
    }

    @Test
    void javaProgramPrintsTheSame(BothSides.Ports ports) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String driver =
                Path.of(
                                com.mysql.cj.jdbc.Driver.class
                                        .getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation()
                                        .toURI())
                        .toString();
        Path program = EXAMPLES.resolve("Crud.java");
        printsTheSame(ports, List.of(java, "-cp", driver, program.toString()));
    }

    private void printsTheSame(BothSides.Ports ports, List<String> command) throws Exception {
        List<String> expected = output(command, ports.mariaDb());
        List<String> actual = output(command, ports.quire());

        assertThat(expected).hasSizeGreaterThan(10);
        assertThat(actual).containsExactlyElementsOf(expected);
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    private List<String> output(List<String> command, int port) throws Exception {
        List<String> full = new ArrayList<>(command);
        full.addAll(List.of("127.0.0.1", String.valueOf(port), BothSides.USER, BothSides.PASSWORD));
        Path out = folder.resolve("out-" + port);
        Process process =
                new ProcessBuilder(full)
                        .redirectErrorStream(true)
                        .redirectOutput(out.toFile())
                        .start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            fail("not done in time: " + full + "\n" + Files.readString(out));
        }
        String text = Files.readString(out, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(text).isZero();
        return text.lines().toList();
    }

    private static void requirePhp() throws InterruptedException {
        try {
            Process php = new ProcessBuilder("php", "-m").start();
            String modules =
                    new String(php.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            php.waitFor();
            assertThat(modules.lines())
                    .as("PHP's modules; install Debian's php-mysql or its like")
                    .contains("mysqli", "mysqlnd", "pdo_mysql");
        } catch (IOException e) {
            fail("install PHP's command line with mysqli and pdo_mysql (php-cli, php-mysql)", e);
        }
    }

    private static Path examples() {
        Path atRoot = Path.of("examples");
        Path found = Files.isDirectory(atRoot) ? atRoot : Path.of("..", "examples");
        return found.toAbsolutePath().normalize();
    }
}
