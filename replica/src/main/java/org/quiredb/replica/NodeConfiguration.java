package org.quiredb.replica;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/// What a replica's process needs to know to start.
///
/// @param name unique in the group
/// @param host address that RPC and group listen on
/// @param rpcPort 0 takes a free one
/// @param groupPort 0 takes a free one
/// @param groupHosts `host[port]` of members to find the group by; empty begins a group
/// @param logger where the persistence logger listens; a master needs it
/// @param master where the master listens; slaves and spares need it
/// @param support the replica to fetch the data from, the master when empty
public record NodeConfiguration(
        String name,
        Role role,
        String host,
        int rpcPort,
        int groupPort,
        List<InetSocketAddress> groupHosts,
        Optional<InetSocketAddress> logger,
        Optional<InetSocketAddress> master,
        Optional<InetSocketAddress> support) {
    public enum Role {
        MASTER,
        SLAVE,
        SPARE;

        /// As in a node's status.
        public String text() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    public NodeConfiguration {
        if (role == Role.MASTER && logger.isEmpty()) {
            throw new IllegalArgumentException(
                    "master " + name + " needs the persistence logger's address");
        }
        if (role != Role.MASTER && master.isEmpty()) {
            throw new IllegalArgumentException(
                    role.text() + " " + name + " needs the master's address");
        }
    }
}
