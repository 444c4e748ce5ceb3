package org.quiredb.replica;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.quiredb.common.trust.Trust;
import org.quiredb.common.version.ClassPatterns;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.replica.warm.Warmup;

/// What a replica's process needs to know to start.
///
/// @param name unique in the group
/// @param host address that RPC and group listen on
/// @param trust whom it believes that connects there
/// @param rpcPort 0 takes a free one
/// @param groupPort 0 takes a free one
/// @param failurePortOffset from there to the port that tells of this one's death by closing, the
///   same for every replica
/// @param groupHosts `host[port]` of members to find the group by; empty begins a group
/// @param role a wish: the topology says what the replica is while it runs
/// @param loggers where persistence loggers listen, of which one is active
/// @param support the replica to fetch the data from first; one that is master of nothing, where
///   there is one, when empty
/// @param transferBytesPerSecond that it sends to joiners at most; 0 for no bound
/// @param warmup how it is kept warm as a spare, and keeps spares warm
/// @param versions how much is kept for old tags
/// @param storage where pages are kept on disk; when empty, everything is in memory only
/// @param classes which tables are of which conflict class, the same for every replica
/// @param masters the replicas that classes are wished to have as masters
public record NodeConfiguration(
        String name,
        Role role,
        String host,
        Trust trust,
        int rpcPort,
        int groupPort,
        int failurePortOffset,
        List<InetSocketAddress> groupHosts,
        List<InetSocketAddress> loggers,
        Optional<InetSocketAddress> support,
        long transferBytesPerSecond,
        Warmup warmup,
        VersionSettings versions,
        Optional<Storage> storage,
        ClassPatterns classes,
        Map<ConflictClass, String> masters) {
    public NodeConfiguration {
        groupHosts = List.copyOf(groupHosts);
        loggers = List.copyOf(loggers);
        masters = Map.copyOf(masters);
    }

    /// On loopback, without a secret.
    public NodeConfiguration(
            String name,
            Role role,
            String host,
            int rpcPort,
            int groupPort,
            int failurePortOffset,
            List<InetSocketAddress> groupHosts,
            List<InetSocketAddress> loggers,
            Optional<InetSocketAddress> support,
            long transferBytesPerSecond,
            Warmup warmup,
            VersionSettings versions,
            Optional<Storage> storage,
            ClassPatterns classes,
            Map<ConflictClass, String> masters) {
        this(
                name,
                role,
                host,
                Trust.loopback(),
                rpcPort,
                groupPort,
                failurePortOffset,
                groupHosts,
                loggers,
                support,
                transferBytesPerSecond,
                warmup,
                versions,
                storage,
                classes,
                masters);
    }

    /// A replica's pages on disk.
    ///
    /// @param poolBytes of pages in memory
    /// @param checkpointMillis between two rounds that write down what is not on disk yet
    public record Storage(Path folder, long poolBytes, long checkpointMillis) {}

    public enum Role {
        MASTER,
        SLAVE,
        SPARE;

        /// As in a node's status.
        public String text() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }

        /// How long it leaves it to others to begin a tier that nobody serves.
        public long patienceMillis() {
            return switch (this) {
                case MASTER -> 0;
                case SLAVE -> 15_000;
                case SPARE -> 20_000;
            };
        }
    }
}
