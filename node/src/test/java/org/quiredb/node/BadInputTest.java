package org.quiredb.node;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.ContextInitializer;
import ch.qos.logback.core.joran.spi.JoranException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.node.backend.FreshBackend;
import org.slf4j.LoggerFactory;

/// What cannot work ends with one line that says why and a non-zero exit, and leaves no process
/// behind.
@Tag("slow")
final class BadInputTest {
    @TempDir private Path folder;

    /// The demo has sent this JVM's log elsewhere.
    @AfterEach
    void logAsBefore() throws JoranException {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        new ContextInitializer(context).autoConfig();
    }

    @Test
    void refusesToMeasureAServerThatIsNotThere() throws Exception {
        assertThat(fail("tpcw", "run", "--seconds", "1", "--url", url(FreePorts.next())))
                .contains("127.0.0.1");
    }

    @Test
    void refusesToPopulateAServerThatIsNotThere() throws Exception {
        assertThat(fail("tpcw", "populate", "--url", url(FreePorts.next()))).contains("127.0.0.1");
    }

    @Test
    void refusesAPortThatIsInUseBeforeItDoesAnything() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            assertThat(demo(folder, "--port", port)).contains(port, "in use", "--port");
            assertThat(demo(folder, "--backend-port", port)).contains(port, "--backend-port");
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void refusesADataFolderThatIsAFile() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "not a folder");
        assertThat(demo(file)).contains(file.toString());
    }

    @Test
    void refusesADataFolderWhoseTablesAreBroken() throws Exception {
        FreshBackend.start(folder).close();
        Files.write(folder.resolve("data").resolve("ibdata1"), new byte[5000]);
        assertThat(demo(folder)).contains(folder.toString());
    }

    private static String demo(Path data, String... more) throws IOException {
        return fail(
                Stream.concat(
                                Stream.of(
                                        "demo",
                                        "--exit",
                                        "--port",
                                        Integer.toString(FreePorts.next()),
                                        "--backend-port",
                                        Integer.toString(FreePorts.next()),
                                        "--console-port",
                                        Integer.toString(FreePorts.next()),
                                        "--status-port=0",
                                        "--metrics-port=0",
                                        "--data",
                                        data.toString()),
                                Stream.of(more))
                        .toArray(String[]::new));
    }

    private static String fail(String... arguments) {
        List<ProcessHandle> before = children(); // another test's servers
        StringWriter errors = new StringWriter();
        int exitCode =
                Quire.commandLine()
                        .setOverwrittenOptionsAllowed(true)
                        .setOut(new PrintWriter(new StringWriter()))
                        .setErr(new PrintWriter(errors))
                        .execute(arguments);
        assertThat(exitCode).isNotZero();
        assertThat(errors.toString()).hasLineCount(1).startsWith("quire: ");
        assertThat(children()).isSubsetOf(before);
        return errors.toString();
    }

    private static List<ProcessHandle> children() {
        return ProcessHandle.current().descendants().filter(ProcessHandle::isAlive).toList();
    }

    private static String url(int port) {
        return "jdbc:mysql://127.0.0.1:" + port + "/tpcw";
    }
}
