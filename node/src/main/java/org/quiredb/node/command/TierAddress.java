package org.quiredb.node.command;

import org.quiredb.node.status.StatusClient;
import picocli.CommandLine.Option;

/// The scheduler that a command asks about its tier.
final class TierAddress {
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

    StatusClient connect() {
        return StatusClient.connect(host, port);
    }
}
