package org.quiredb.node.cluster;

import java.nio.file.Path;

/// A tier in one process.
///
/// @param port where MySQL clients connect, on 127.0.0.1
/// @param statusPort where `quire status` asks, on 127.0.0.1
/// @param backendPort where the embedded MariaDB listens, on 127.0.0.1
/// @param data folder of the embedded MariaDB
/// @param slaves replicas that answer reads, at least 1
/// @param spares replicas that only keep up
public record ClusterConfig(
        int port,
        int statusPort,
        int backendPort,
        Path data,
        int slaves,
        int spares,
        String user,
        String password) {
    public ClusterConfig {
        require(port >= 0 && port < 65536, "port must be between 0 and 65535, not " + port);
        require(
                statusPort >= 0 && statusPort < 65536,
                "status port must be between 0 and 65535, not " + statusPort);
        require(
                backendPort > 0 && backendPort < 65536,
                "backend port must be between 1 and 65535, not " + backendPort);
        require(slaves >= 1 && slaves <= 16, "slaves must be between 1 and 16, not " + slaves);
        require(spares >= 0 && spares <= 16, "spares must be between 0 and 16, not " + spares);
    }

    /// With a free status port.
    public ClusterConfig(
            int port,
            int backendPort,
            Path data,
            int slaves,
            int spares,
            String user,
            String password) {
        this(port, 0, backendPort, data, slaves, spares, user, password);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
