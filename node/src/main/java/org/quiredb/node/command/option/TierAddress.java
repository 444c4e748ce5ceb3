package org.quiredb.node.command.option;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.trust.Trust;
import org.quiredb.node.config.ClusterSection;
import org.quiredb.node.status.StatusClient;
import picocli.CommandLine.Option;

/// The scheduler that a command asks about its tier.
public final class TierAddress {
    @Option(
            names = "--host",
            description = "of a scheduler (default: ${DEFAULT-VALUE})",
            defaultValue = "127.0.0.1")
    private String host = "";

    @Option(
            names = "--port",
            description = "its status port (default: ${DEFAULT-VALUE})",
            defaultValue = "3309")
    private int port;

    @Option(
            names = "--secret-file",
            paramLabel = "FILE",
            description =
                    "that holds the cluster's secret (default: the environment's QUIRE_SECRET, else none)")
    private @Nullable Path secretFile;

    public StatusClient connect() {
        return StatusClient.connect(host, port, trust());
    }

    private Trust trust() {
        String secret = System.getenv("QUIRE_SECRET");
        if (secretFile != null) {
            return ClusterSection.trustOf("--secret-file", secretFile);
        }
        return secret == null || secret.isBlank()
                ? Trust.loopback()
                : ClusterSection.trustOf("QUIRE_SECRET", secret);
    }
}
