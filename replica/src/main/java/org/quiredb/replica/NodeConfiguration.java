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
/// @param role a wish: the topology says what the replica is while it runs
/// @param logger where the persistence logger listens
/// @param support the replica to fetch the data from, the master when empty
/// @param versions how much is kept for old tags
public record NodeConfiguration(
        String name,
        Role role,
        String host,
        int rpcPort,
        int groupPort,
        List<InetSocketAddress> groupHosts,
        InetSocketAddress logger,
        Optional<InetSocketAddress> support,
        VersionSettings versions) {
    public enum Role {
        MASTER,
        SLAVE,
        SPARE;

        /// As in a node's status.
        public String text() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }
}
