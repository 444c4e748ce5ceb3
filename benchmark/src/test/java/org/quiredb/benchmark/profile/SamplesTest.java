package org.quiredb.benchmark.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SamplesTest {
    @TempDir private static Path folder;

    @Test
    void threadsThatDifferInNumbersAndAddressesAreOneGroup() {
        assertThat(Samples.group("rpc-call-17")).isEqualTo("rpc-call-#");
        assertThat(Samples.group("heartbeat 127.0.0.1:3311")).isEqualTo("heartbeat #:#");
        assertThat(
                        Samples.group(
                                "Connection.Receiver [127.0.0.1:1 - 127.0.0.1:2]-5,quire,r1(n=r1)"))
                .isEqualTo("Connection.Receiver -#");
        assertThat(Samples.group("")).isEqualTo("(virtual, unnamed)");
    }

    @Test
    void aStageIsAPackageOfQuireOrALibrary() {
        assertThat(Samples.stage("org.quiredb.master.commit.CommitPath"))
                .isEqualTo("master.commit");
        assertThat(Samples.stage("io.netty.channel.nio.NioIoHandler")).isEqualTo("Netty");
        assertThat(Samples.stage("org.h2.table.Table")).isEqualTo("H2");
        assertThat(Samples.stage("one.convert.Frame")).isEqualTo("one.convert");
    }

    @Test
    void whatAProcessDoesIsFoundInItsRecording() throws Exception {
        Path file = folder.resolve("own.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.CPUTimeSample").with("throttle", "1ms");
            recording.start();
            Thread busy = Thread.ofPlatform().name("busy-7").start(SamplesTest::compute);
            busy.join();
            recording.stop();
            recording.dump(file);
        }
        Samples samples = Samples.read(file);
        assertThat(samples.threads().get("busy-#")).isGreaterThan(0.5);
        assertThat(samples.stages().get("benchmark.profile")).isGreaterThan(0.5);
        assertThat(samples.threads().values().stream().mapToDouble(share -> share).sum())
                .isBetween(0.99, 1.01);
        assertThat(Files.size(file)).isPositive();
    }

    /// For longer than the system's clock needs to notice, of the processor's time: on a busy
    /// machine this thread has a small part of any other.
    private static void compute() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long sum = 0;
        while (threads.getCurrentThreadCpuTime() < Duration.ofMillis(700).toNanos()) {
            for (int i = 0; i < 100_000; i++) {
                sum += Long.hashCode(sum + 31);
            }
        }
        assertThat(sum).isNotEqualTo(-1);
    }

    @Test
    void aReportTellsCostsByInteraction() {
        String report =
                ProfileReport.of(
                        "ordering",
                        10,
                        1_000,
                        List.of(
                                new ProfileReport.Role(
                                        "master",
                                        new ProcessorTime(3_000, 1_000, 0),
                                        new Samples(
                                                Map.of("rpc-call-#", 0.75, "other", 0.25),
                                                Map.of("Netty", 1.0)))));
        assertThat(report)
                .contains("1,000 interactions, 100.0 per second")
                .containsPattern("master +30.0 +3000 +1000 +0")
                .containsPattern("rpc-call-# +1500 +75.0 %")
                .containsPattern("Netty +2000 +100.0 %");
    }

    @Test
    void aProcessesTimeIsReadBehindItsName() {
        assertThat(ProcessorTime.millis("7 (a) b) c) S 1 2 3 4 5 6 7 8 9 10 250 50 0 0 20"))
                .isEqualTo(3_000);
    }
}
