package org.quiredb.node.suites;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// One run of one test.
///
/// @param exit of the program; negative when it was late and was ended
/// @param output what it printed line by line: the statements and their answers
record Run(int exit, List<String> output) {
    private static final int SKIPPED = 62;
    private static final int LATE = -1;

    boolean passed() {
        return exit == 0;
    }

    boolean skipped() {
        return exit == SKIPPED;
    }

    boolean late() {
        return exit == LATE;
    }

    /// Runs tests of one suite, each in a process of its own.
    ///
    /// @param scratch where tests may write
    record Runner(Suite suite, Path programs, Path scratch, Duration limit) {
        /// The suite's clients speak latin1 unless they are told, those of a tier UTF-8. The second
        /// line is for connections that a test opens itself.
        private static final String UTF_8 =
                """
                SET NAMES utf8mb4;
                --character_set utf8mb4
                """;

        /// @param onward whether the test goes on behind a statement that failed
        Run run(String name, int port, boolean onward) throws IOException, InterruptedException {
            Path temporary = Files.createDirectories(scratch.resolve("tmp"));
            Path output = scratch.resolve("output");
            Path prologue = Files.writeString(scratch.resolve("prologue.inc"), UTF_8);
            List<String> command =
                    new ArrayList<>(
                            List.of(
                                    suite.program().toString(),
                                    "--no-defaults",
                                    "--protocol=tcp",
                                    "--host=127.0.0.1",
                                    "--port=" + port,
                                    "--user=" + Sides.USER,
                                    "--skip-ssl",
                                    "--database=test",
                                    "--basedir=" + suite.folder(),
                                    "--tmpdir=" + temporary,
                                    "--logdir=" + scratch,
                                    "--prologue=" + prologue,
                                    "--test-file=" + suite.file(name, ".test")));
            if (onward) {
                command.add("--continue-on-error");
            }
            ProcessBuilder builder =
                    new ProcessBuilder(command)
                            .directory(suite.folder().toFile())
                            .redirectErrorStream(true)
                            .redirectInput(
                                    ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                            .redirectOutput(output.toFile());
            builder.environment().putAll(environment(port, temporary));
            Process process = builder.start();
            int exit;
            if (process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                exit = process.exitValue();
            } else {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
                exit = LATE;
            }
            String text = Files.readString(output, StandardCharsets.ISO_8859_1);
            return new Run(exit, text.replace(String.valueOf(port), "PORT").lines().toList());
        }

        private Map<String, String> environment(int port, Path temporary) {
            return Map.ofEntries(
                    Map.entry("MYSQL_TEST_DIR", suite.folder().toString()),
                    Map.entry("MYSQLTEST_VARDIR", scratch.toString()),
                    Map.entry("MYSQL_TMP_DIR", temporary.toString()),
                    Map.entry("MASTER_MYPORT", String.valueOf(port)),
                    Map.entry("MASTER_MYSOCK", "none"),
                    Map.entry("MYSQL", client("mariadb", port)),
                    Map.entry("MYSQL_DUMP", client("mariadb-dump", port)),
                    Map.entry("MYSQL_ADMIN", client("mariadb-admin", port)),
                    Map.entry("MYSQL_CHECK", client("mariadb-check", port)),
                    Map.entry("MYSQL_SHOW", client("mariadb-show", port)),
                    Map.entry("MYSQL_IMPORT", client("mariadb-import", port)),
                    Map.entry("TZ", "UTC"),
                    Map.entry("LC_ALL", "C"));
        }

        private String client(String name, int port) {
            return "%s --no-defaults --host=127.0.0.1 --port=%d --user=%s --skip-ssl"
                    .formatted(programs.resolve(name), port, Sides.USER);
        }
    }
}
