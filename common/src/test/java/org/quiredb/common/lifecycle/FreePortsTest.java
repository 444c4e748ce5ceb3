package org.quiredb.common.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("slow")
final class FreePortsTest {
    /// More than a block has.
    private static final int MANY = 450;

    private static final int DISTANCE = 100;

    @Test
    void processesAreNotGivenTheSamePorts() throws Exception {
        Process other =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Djava.net.preferIPv4Stack=true",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Other.class.getName())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        Set<Integer> ports = new TreeSet<>();
        try (BufferedReader answer = other.inputReader(StandardCharsets.UTF_8)) {
            ports.addAll(many().toList());
            List<Integer> others =
                    Stream.of(answer.readLine().split(",")).map(Integer::valueOf).toList();
            ports.addAll(many().toList());
            assertThat(others).hasSize(MANY).doesNotContainAnyElementsOf(ports);
        } finally {
            other.destroyForcibly();
        }
        assertThat(ports).hasSize(2 * MANY);
    }

    /// Lives until it is killed, so that what it was given is its own.
    static final class Other {
        private Other() {}

        public static void main(String[] arguments) throws Exception {
            System.out.println(String.join(",", many().map(String::valueOf).toList()));
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    private static Stream<Integer> many() {
        return IntStream.range(0, MANY).mapToObj(i -> FreePorts.next());
    }

    @Test
    void noneIsGivenThatSomebodyListensOn() throws IOException {
        Set<Integer> given = new HashSet<>();
        int taken = FreePorts.two(1) + 2;
        try (ServerSocket listening = new ServerSocket()) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), taken));
            many().forEach(given::add);
        }
        assertThat(given).hasSize(MANY).doesNotContain(taken);
    }

    @Test
    void twoAreFreeTogether() {
        Set<Integer> given = new HashSet<>();
        for (int i = 0; i < 150; i++) {
            int port = FreePorts.two(DISTANCE);
            assertThat(given.add(port)).isTrue();
            assertThat(given.add(port + DISTANCE)).isTrue();
        }
        assertThat(many()).doesNotContainAnyElementsOf(given);
    }
}
