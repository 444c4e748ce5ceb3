package org.quiredb.node.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What `./quire` tells Java, by a Java that says what it was told.
@Timeout(60)
final class LauncherTest {
    private static final String COMPILES_LATER = "-XX:Tier4InvocationThreshold=50000";

    @TempDir private Path installation;

    @BeforeEach
    void install() throws Exception {
        Path script = Path.of(Objects.requireNonNull(System.getProperty("quire.root")), "quire");
        Files.copy(script, installation.resolve("quire"));
        Files.createDirectory(installation.resolve("lib"));
        Path java = Files.createDirectory(installation.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\necho \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void aJvmCompilesAsItLikes() throws Exception {
        assertThat(options(null, "", "node", "one.yaml"))
                .doesNotContain("-XX:Tier4")
                .endsWith("org.quiredb.node.Quire node one.yaml");
    }

    @Test
    void withASmallShareOfAProcessorItCompilesLater() throws Exception {
        Optional<CpuShares> may = CpuShares.open();
        assumeTrue(may.isPresent(), "this user may not share processors out");
        try (CpuShares shares = may.get()) {
            assertThat(options(shares, "", "node", "one.yaml")).contains(COMPILES_LATER);
        }
    }

    @Test
    void soDoServersThatGetSuchAShareLater() throws Exception {
        assertThat(options(null, "", "lab", "scaling")).contains(COMPILES_LATER);
    }

    @Test
    void whatTheUserSaysComesAfterIt() throws Exception {
        assertThat(options(null, "-XX:Tier4InvocationThreshold=7", "lab", "scaling"))
                .containsSubsequence(COMPILES_LATER, "-XX:Tier4InvocationThreshold=7");
    }

    /// @param shares of which the script gets 20 %; null for all of the machine
    private String options(@Nullable CpuShares shares, String own, String... arguments)
            throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(
                        "sh", "-c", "read -r begin && exec ./quire " + String.join(" ", arguments));
        builder.directory(installation.toFile()).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", installation.toString());
        builder.environment().put("QUIRE_JAVA_OPTS", own);
        Process process = builder.start();
        if (shares != null) {
            shares.put("launcher", process.pid(), new Share(20));
        }
        try (OutputStream input = process.getOutputStream()) {
            input.write('\n');
        }
        String said =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor()).isZero();
        return said;
    }
}
